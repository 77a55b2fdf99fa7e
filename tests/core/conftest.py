"""Fixtures for tests of the core: `cellwright`, the command line."""

import subprocess

import pytest

from cellwright.console.command_line import main


@pytest.fixture
def cellwright(capfdbinary):
    """The command in this process: exit code, standard output and standard error."""

    def run(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = left.code
        said = capfdbinary.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run
