"""What is checked in says nothing of the machine or the workplace that it was made on."""

import re

import pytest

from .source import ROOT, listed, tracked_files

TEXTS = {".py", ".md", ".toml", ".txt", ".ipynb", ".js", ".css", ".json", ".yml", ".yaml", ".cfg", ".sh", ""}
MACHINE = re.compile(r"(?<![\w./-])/(work|root|home/\w+|Users/\w+|tmp/w|opt/pypi)(?=/|\b)")
REGISTRY = re.compile(
    r"pypi\.org/simple|pythonhosted\.or[g]|registry\.npmjs|artifactory|(extra-)?index-ur[l]|/pypi/simple"
)
WORKPLACE = re.compile(
    r"\b(issue|ticket|PR|pull request|bug) ?#\d+|\bGH-\d+"
    r"|\b(this|last|previous|earlier|next) (work )?sessio[n]\b|\bphase \d|\bmilestone \d|\bsprint \d|\bas briefe[d]\b",
    re.IGNORECASE,
)


def lines():
    for path in tracked_files():
        if path.suffix in TEXTS and path.name != "test_tracked.py":
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT).as_posix()}:{number}", line


@pytest.mark.parametrize("pattern", [MACHINE, REGISTRY, WORKPLACE], ids=["machine", "registry", "workplace"])
def test_no_tracked_file_tells_of_where_it_was_made(pattern):
    offences = [f"{place} {pattern.search(line)[0]!r}" for place, line in lines() if pattern.search(line)]
    assert not offences, listed(offences)


def test_nothing_names_the_packages_by_their_folders():
    wrong = re.compile(
        r"\b(from|import) (toolkit|widgets)\b(?!/)|\b(toolkit\.cellwright|widgets\.cellwright_widgets)\b"
    )
    offences = [f"{place} {line.strip()[:80]}" for place, line in lines() if wrong.search(line)]
    assert not offences, listed(offences)


def test_one_command_checks_everything():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^test: check$", makefile, re.M)
    assert "ruff format --check" in makefile and "ruff check" in makefile and "mypy" in makefile
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
