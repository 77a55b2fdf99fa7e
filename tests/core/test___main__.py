import runpy
import sys

import pytest


def test_the_package_run_as_a_program_is_the_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cellwright", "explain", "ls"])
    monkeypatch.delitem(sys.modules, "cellwright.__main__", raising=False)  # where a test has imported all modules
    with pytest.raises(SystemExit) as left:
        runpy.run_module("cellwright", run_name="__main__")
    assert (left.value.code, "allow" in capsys.readouterr().out) == (0, True)
