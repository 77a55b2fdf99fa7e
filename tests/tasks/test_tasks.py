"""Three tasks of everyday work, solved with the tools alone in a repository with real tests and a real kernel."""

import json
import re
import sys

import pytest

from .repository import CODE, FILES, NOTEBOOK, contents, git, made_in
from .solving import solved

ALONE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1"
RUN_TESTS = (
    "run_command",
    {"command": f"{ALONE} {sys.executable} -B -m pytest -q -p no:cacheprovider --rootdir=. tests"},
)


@pytest.fixture
def folder(tmp_path):
    return made_in(tmp_path)


def line_of(content, pattern):
    """The numbered line of a file that matches, as read_file shows it, without its number."""
    return next(text for _, text in re.findall(r"^ *(\d+)\t(.*)$", content, re.MULTILINE) if re.search(pattern, text))


def mend():
    """From the line that fails to the function it calls, to the constant that function compares with, to the edit."""
    (report,) = yield [RUN_TESTS]
    path, line = re.search(r"^(tests/\S+\.py):(\d+): AssertionError", report, re.MULTILINE).groups()
    (test,) = yield [("read_file", {"path": path, "offset": int(line) - 2, "limit": 3})]
    called, quantity = re.search(r"assert (\w+)\(\[?Line\(\"\w+\", (\d+)", test).groups()
    (found,) = yield [("search_code", {"pattern": rf"def {called}\(", "path": "orders"})]
    source = re.search(r"^(orders/\w+\.py):\d+:", found, re.MULTILINE)[1]
    (code,) = yield [("read_file", {"path": source})]
    assert f"BULK = {quantity}" in code and "From so many pieces on" in code
    wrong = line_of(code, r"> BULK")
    edit = {"path": source, "old_string": wrong, "new_string": wrong.replace("> BULK", ">= BULK")}
    _, again = yield [("edit_file", edit), RUN_TESTS]
    return f"{source} is mended: {again}"


def test_a_failing_test_is_found_and_the_code_mended(folder):
    run = solved(mend(), folder, ["run_command", "read_file", "search_code", "edit_file"])
    assert "1 failed, 4 passed" in run.results[0].content and "5 passed" in run.answer
    mended = CODE["orders/totals.py"].replace("line.quantity > BULK", "line.quantity >= BULK")
    assert contents(folder) == {**FILES, "orders/totals.py": mended}
    assert git(folder, "diff", "--numstat") == "1\t1\torders/totals.py\n"


def rename():
    """Every file that has the name is read, then changed where the name is whole, until a search finds none."""
    search = ("search_code", {"pattern": r"\bfmt_money\b"})
    (found,) = yield [search]
    paths = list(dict.fromkeys(re.findall(r"^(\S+\.py):\d+:", found, re.MULTILINE)))
    texts = yield [("read_file", {"path": path}) for path in paths]
    edits = []
    for path, text in zip(paths, texts, strict=True):
        lines = re.findall(r"^ *\d+\t(.*\bfmt_money\b.*)$", text, re.MULTILINE)
        changes = [
            {"old_string": line.strip(), "new_string": re.sub(r"\bfmt_money\b", "format_money", line.strip())}
            for line in dict.fromkeys(lines)
        ]
        edits.append(("multi_edit", {"path": path, "edits": changes}))
    yield edits
    left, report = yield [search, RUN_TESTS]
    return f"{left}\n{report}"


def test_a_function_is_renamed_in_every_file_and_nothing_else_is(folder):
    run = solved(rename(), folder, ["run_command", "read_file", "search_code", "multi_edit"])
    assert run.answer.startswith("no match") and "1 failed, 4 passed" in run.answer  # the one that failed before
    renamed = {name: re.sub(r"\bfmt_money\b", "format_money", text) for name, text in CODE.items()}
    assert contents(folder) == {**FILES, **renamed}
    assert "\r\n" in renamed["orders/report.py"] and "fmt_money_short" in renamed["orders/money.py"]
    assert git(folder, "diff", "--numstat").count("\n") == 3


RANKING = "ranking = sorted(((line.item, line.worth) for line in lines), key=lambda pair: -pair[1])"


def complete():
    """The notebook is run, the cell that raises is filled in, and it is run again."""
    (outline,) = yield [("notebook_outline", {"path": "analysis.ipynb"})]
    todo = re.search(r"^(\S+) .*TODO", outline, re.MULTILINE)[1]
    (cell,) = yield [("notebook_read", {"path": "analysis.ipynb", "cells": [todo]})]
    assert "the worth of each item, most first" in cell
    fill = {"path": "analysis.ipynb", "cell_id": todo, "new_source": RANKING}
    _, ran = yield [("notebook_edit", fill), ("notebook_run", {"path": "analysis.ipynb"})]
    (best,) = re.findall(r"^(\w+): [\d.]+$", ran, re.MULTILINE)[:1]
    return f"{best} brings the most"


def test_a_notebook_is_completed_and_run(folder):
    run = solved(complete(), folder, ["notebook_outline", "notebook_read", "notebook_edit", "notebook_run"])
    assert run.answer == "saw brings the most"
    there = contents(folder)
    cells = json.loads(there.pop("analysis.ipynb"))["cells"]
    assert there == CODE
    said = [output.get("text") or output["data"]["text/plain"] for cell in cells[1:] for output in cell["outputs"]]
    assert ["".join(text) for text in said] == ["3", "saw: 12.00\nbolt: 2.00\nnut: 2.00\n"]
    wanted = [{**old, "source": [RANKING]} if old["id"] == "todo" else old for old in NOTEBOOK["cells"]]
    assert [{**c, "outputs": [], "execution_count": None} for c in cells[1:]] == wanted[1:] and cells[0] == wanted[0]
