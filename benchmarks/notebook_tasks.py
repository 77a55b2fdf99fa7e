"""A notebook of everyday size, and ten tasks in it: what both sides of the token benchmark work on.

Needs nothing but Python, since it runs in the environment of the peer, too. The outputs are those that notebooks are
full of: a table as HTML and text, a picture, a long log and a traceback with colours.
"""

import base64
import json
import random
from pathlib import Path

NAME = "sales.ipynb"
TASKS = (
    "say what is in the notebook",
    "find where revenue is computed",
    "read a cell with the table it shows",
    "change a number in a cell",
    "put a heading above a cell",
    "add a cell and run it",
    "delete a cell",
    "move a cell",
    "see why a cell fails, and mend it",
    "rename a variable in four cells",
)
NEW_CELL = "print(sum(row['revenue'] for row in rows))"


def written(folder: Path) -> Path:
    """The notebook in a file."""
    chooser = random.Random(5)
    cells = [_markdown("intro", "# Sales of a year\n\nRead, cleaned and summed up by month and region.")]
    cells.append(
        _code("setup", "import json\nimport random\n\nrandom.seed(3)\nREGIONS = ['north', 'south', 'east', 'west']")
    )
    cells.append(_code("load", _LOAD, _stream("".join(f"read part {n} of 200, {n * 37} rows\n" for n in range(200)))))
    cells.append(
        _code("price", "FACTOR = 1.05\nfor row in rows:\n    row['revenue'] = row['units'] * row['price'] * FACTOR")
    )
    cells.append(_code("table", "rows[:20]", _table(chooser)))
    cells.append(_markdown("months", "## By month\n\nEach month is the sum of its days."))
    cells.append(_code("by_month", _BY_MONTH))
    cells.append(_code("plot", "print('a plot of the months')", _picture(chooser)))
    cells += [_code(f"region_{n}", _REGION.format(n=n), _stream(f"region {n}: {n * 1000 + 17}\n")) for n in range(8)]
    cells.append(_code("broken", "share = {m: v / grand_totl for m, v in months.items()}", _error()))
    cells += [_markdown(f"note_{n}", f"### Remark {n}\n\n{_WORDS * 3}") for n in range(4)]
    cells.append(_code("last", "print('done', len(rows))", _stream("done 400\n")))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path = folder / NAME
    path.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


_LOAD = """rows = []
for day in range(100):
    for region in REGIONS:
        rows.append({'day': day, 'region': region, 'units': random.randrange(90), 'price': 2.5})"""
_BY_MONTH = """months = {}
for row in rows:
    month = row['day'] // 30
    months[month] = months.get(month, 0) + row['revenue']
grand_total = sum(months.values())"""
_REGION = """chosen = REGIONS[{n} % 4]
subset = [row for row in rows if row['region'] == chosen]
print('region {n}:', round(sum(row['revenue'] for row in subset)))"""
_WORDS = "The figures of this part were checked by hand against the books of the branch office. "


def _markdown(name: str, source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(name: str, source: str, *outputs: dict[str, object]) -> dict[str, object]:
    lines = source.splitlines(keepends=True)
    run = {"execution_count": 1 if outputs else None, "outputs": list(outputs)}
    return {"cell_type": "code", "id": name, "metadata": {}, "source": lines, **run}


def _stream(text: str) -> dict[str, object]:
    return {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}


def _table(chooser: random.Random) -> dict[str, object]:
    rows = [[day, chooser.choice(["north", "south"]), chooser.randrange(90), 2.5] for day in range(20)]
    html = "".join("<tr>" + "".join(f"<td>{value}</td>" for value in row) + "</tr>\n" for row in rows)
    head = "<tr>" + "".join(f"<th>{name}</th>" for name in ("day", "region", "units", "price")) + "</tr>\n"
    text = "\n".join(f"{day:>3}  {region:<6} {units:>3}  {price}" for day, region, units, price in rows)
    data = {
        "text/html": f"<table>{head}{html}</table>".splitlines(keepends=True),
        "text/plain": text.splitlines(keepends=True),
    }
    return {"data": data, "execution_count": 1, "metadata": {}, "output_type": "execute_result"}


def _picture(chooser: random.Random) -> dict[str, object]:
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + chooser.randbytes(30_000)).decode()
    return {"data": {"image/png": data, "text/plain": ["<Figure>"]}, "metadata": {}, "output_type": "display_data"}


def _error() -> dict[str, object]:
    lines = [
        "\x1b[31m---------------------------------------------------------------------------\x1b[39m",
        "\x1b[31mNameError\x1b[39m                                 Traceback (most recent call last)",
        "\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[1]\x1b[39m\x1b[32m, line 1\x1b[39m\n"
        "\x1b[32m----> \x1b[39m\x1b[32m1\x1b[39m share = {m: v / \x1b[43mgrand_totl\x1b[49m "
        "\x1b[38;5;28;01mfor\x1b[39;00m m, v \x1b[38;5;129;01min\x1b[39;00m months.items()}",
        "\x1b[31mNameError\x1b[39m: name 'grand_totl' is not defined",
    ]
    return {
        "ename": "NameError",
        "evalue": "name 'grand_totl' is not defined",
        "output_type": "error",
        "traceback": lines,
    }
