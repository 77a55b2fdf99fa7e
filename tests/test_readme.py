"""README code runs and prints what the README says.

The output of a block of Python stands in a block of `text` or `output` directly after it.
"""

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from itertools import zip_longest

import pytest

import cellwright
import cellwright_widgets

from .architecture.source import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^(?P<fence>```+)(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^(?P=fence)[ ]*$", re.M | re.S)
SHELLS = {"bash", "sh", "shell", "console"}
PROGRAMS = {"make", "cellwright", "pip", "git", "cd", "cp", "python", "jupyter"}
"""What the README's commands may begin with."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    language: str
    text: str
    line: int
    output: str | None
    """The text of the output block directly after it."""


def blocks() -> list[Block]:
    found = list(FENCE.finditer(README))
    return [
        Block(
            match["language"], match["text"], README.count("\n", 0, match.start()) + 1, output_after(match, following)
        )
        for match, following in zip_longest(found, found[1:])
    ]


def output_after(match: re.Match[str], following: re.Match[str] | None) -> str | None:
    if following is None or following["language"] not in ("text", "output"):
        return None
    return following["text"] if not README[match.end() : following.start()].strip() else None


PYTHON = [block for block in blocks() if block.language == "python"]
COMMANDS = [
    (block.line, line.removeprefix("$ ").strip())
    for block in blocks()
    if block.language in SHELLS
    for line in block.text.splitlines()
    if line.strip() and not line.lstrip().startswith("#")
]


def test_the_readme_has_a_program_and_its_output():
    assert PYTHON, "README.md has no ```python block"
    assert PYTHON[0].output is not None, "the first ```python block needs its output in a ```text block directly after"
    assert PYTHON[0].line <= 25


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"line {block.line}")
def test_each_program_runs_and_prints_what_the_readme_says(block, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block.text],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip() == (block.output or done.stdout).rstrip()


@pytest.mark.parametrize(("line", "command"), COMMANDS)
def test_each_command_begins_with_a_program_that_there_is(line, command):
    assert command.split()[0] in PROGRAMS, f"README.md:{line}: {command}"


def named(program: str) -> set[str]:
    """What the README asks a program to do, in a shell block or between backticks."""
    texts = [*(command for _, command in COMMANDS), *re.findall(r"`([^`\n]+)`", README)]
    return {match[1] for text in texts if (match := re.match(rf"{program} ([a-z][\w-]*)", text))}


def test_each_make_target_that_is_named_exists():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert named("make") - targets == set()


def test_each_subcommand_that_is_named_exists():
    code = "import sys; from cellwright.console.command_line import main; sys.exit(main(['--help']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    known = set(re.findall(r"^ {4}(\w+) ", done.stdout, re.M))
    assert named("cellwright") - known == set(), done.stdout + done.stderr


def test_the_command_that_checks_everything_is_named():
    assert "make test" in README


def test_every_name_of_the_two_surfaces_is_mentioned():
    names = {*cellwright.__all__, *cellwright_widgets.__all__} - {"load_ipython_extension"}
    assert {name for name in names if not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", README)} == set()


def test_the_newest_change_is_that_of_this_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    changes = README.partition("## Changes")[2]
    assert re.findall(r"\d+\.\d+\.\d+", changes)[:1] == [version]


def test_each_relative_link_leads_somewhere():
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", README) + re.findall(r'src="([^"]+)"', README)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_each_link_within_the_readme_leads_to_a_heading():
    titles = re.findall(r"^##+ (.+)$", README, re.M)
    known = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) - known == set()
