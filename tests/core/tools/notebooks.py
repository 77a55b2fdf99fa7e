"""Small notebooks for tests, written as nbformat would, and a way to see what an edit did to the bytes."""

import json
from pathlib import Path
from typing import Any

from cellwright import Env

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def code(cell_id: str | None, source: str, outputs: list[dict[str, Any]] | None = None, count: int | None = None):
    cell = {"cell_type": "code", "execution_count": count, "metadata": {}, "outputs": outputs or [], "source": source}
    return cell if cell_id is None else {**cell, "id": cell_id}


def markdown(cell_id: str | None, source: str, **more: Any):
    cell = {"cell_type": "markdown", "metadata": {}, "source": source, **more}
    return cell if cell_id is None else {**cell, "id": cell_id}


def stream(text: str):
    return {"output_type": "stream", "name": "stdout", "text": text}


def write(folder: Path, cells: list[dict[str, Any]], minor: int = 5, name: str = "a.ipynb") -> Path:
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": minor}
    path = folder / name
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    return path


def env(folder: Path) -> Env:
    return Env(folder.resolve())


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found
