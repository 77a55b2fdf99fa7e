"""A small repository for agents to work in: orders of a shop, with tests, data and a notebook that is half done.

One thing in it is wrong and one of its tests says so. Files have the line ends and encodings that people leave behind.
"""

import json
import subprocess

CODE = {
    ".gitignore": "__pycache__/\n.pytest_cache/\n",
    "orders/__init__.py": '"""Orders of a shop."""\n',
    "orders/lines.py": '''"""What a customer ordered, line by line."""

import csv
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Line:
    item: str
    quantity: int
    price: Decimal

    @property
    def worth(self) -> Decimal:
        return self.quantity * self.price


def read_lines(path):
    """The lines of a CSV file with the columns item, quantity and price."""
    with open(path, encoding="utf-8", newline="") as file:
        return [Line(row["item"], int(row["quantity"]), Decimal(row["price"])) for row in csv.DictReader(file)]
''',
    "orders/money.py": '''"""Amounts as people read them."""

from decimal import Decimal


def fmt_money(amount: Decimal) -> str:
    """Such as `1,234.50 €`."""
    return f"{amount:,.2f} €"


def fmt_money_short(amount: Decimal) -> str:
    """Such as `1,234 €`, for tables."""
    return f"{amount:,.0f} €"
''',
    "orders/totals.py": '''"""What an order costs."""

from decimal import Decimal

from orders.lines import Line

BULK = 10
"""From so many pieces on a line is cheaper."""
DISCOUNT = Decimal("0.1")


def cost(line: Line) -> Decimal:
    """The worth of a line, less the discount for many pieces."""
    if line.quantity > BULK:
        return line.worth * (1 - DISCOUNT)
    return line.worth


def total(lines) -> Decimal:
    """What all lines cost."""
    return sum((cost(line) for line in lines), Decimal(0))
''',
    "orders/report.py": '''"""The bill as text. Saved on Windows, so its lines end with CRLF."""\r
\r
from orders.money import fmt_money\r
from orders.totals import cost, total\r
\r
\r
def bill(lines) -> str:\r
\trows = [f"{line.quantity} x {line.item}: {fmt_money(cost(line))}" for line in lines]\r
\treturn "\\n".join([*rows, f"total: {fmt_money(total(lines))}"])\r
''',
    "tests/test_money.py": """from decimal import Decimal

from orders.money import fmt_money, fmt_money_short


def test_amounts_have_two_places_and_the_sign():
    assert fmt_money(Decimal("1234.5")) == "1,234.50 €"


def test_amounts_in_tables_have_no_places():
    assert fmt_money_short(Decimal("1234.4")) == "1,234 €"
""",
    "tests/test_report.py": """from decimal import Decimal

from orders.lines import Line
from orders.report import bill


def test_a_bill_ends_with_the_total():
    assert bill([Line("bolt", 2, Decimal("1.5"))]) == "2 x bolt: 3.00 €\\ntotal: 3.00 €"
""",
    "tests/test_totals.py": """from decimal import Decimal

from orders.lines import Line
from orders.totals import cost, total


def test_few_pieces_cost_their_worth():
    assert total([Line("bolt", 2, Decimal(3)), Line("nut", 1, Decimal(4))]) == 10


def test_ten_pieces_are_already_cheaper():
    assert cost(Line("bolt", 10, Decimal(1))) == 9
""",
    "data/orders.csv": "item,quantity,price\nbolt,4,0.50\nnut,10,0.20\nsaw,1,12.00\n",
}


def _cell(cell_type, cell_id, source, **more):
    lines = source.splitlines(keepends=True)
    return {"cell_type": cell_type, "id": cell_id, "metadata": {}, "source": lines, **more}


def _code(cell_id, source):
    return _cell("code", cell_id, source, execution_count=None, outputs=[])


NOTEBOOK = {
    "cells": [
        _cell("markdown", "intro", "# Orders\nWhich item brings the most?"),
        _code("load", 'from orders.lines import read_lines\n\nlines = read_lines("data/orders.csv")\nlen(lines)'),
        _code("todo", '# TODO: the worth of each item, most first\nraise NotImplementedError("worth of each item")'),
        _code("show", 'for item, worth in ranking:\n    print(f"{item}: {worth}")'),
    ],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES = {**CODE, "analysis.ipynb": json.dumps(NOTEBOOK, indent=1) + "\n"}


def made_in(folder):
    """The repository in an empty folder, with one commit."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "--message=Orders")
    return folder


def git(folder, *args):
    """What git says in the folder; nothing of the machine's own settings counts."""
    settings = ["-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *settings, *args], cwd=folder, check=True, capture_output=True, text=True).stdout


def contents(folder):
    """The files that git sees in the folder, with what they hold."""
    names = git(folder, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    return {name: (folder / name).read_bytes().decode() for name in names if name}
