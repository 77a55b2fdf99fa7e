"""Where a path from a model leads, for the tools that handle text.

`env.path` follows links and keeps a path inside the working folder. What it can't know is that a notebook, though
its file is text, must not be handled as text: an edit of its JSON would miss the cells, their outputs and the
notebook that is open in the browser. The rule that must never break: a text tool opens only what comes from here.
"""

from __future__ import annotations

import json
from pathlib import Path

from cellwright.env import Env
from cellwright.errors import ToolError


def text_path(given: str, env: Env, instead: str) -> Path:
    """The real path of a text file inside the working folder; it need not exist.

    Raises:
        ToolError: what `env.path` raises, or `is_notebook`, naming the tool to use `instead`.
    """
    path = env.path(given)
    if path.suffix.lower() == ".ipynb" and path.is_file():
        raise ToolError("is_notebook", f"{env.shown(path)} is a notebook; use {instead}, which knows its cells")
    return path


def line_name(name: str) -> str:
    """A file's name as it can stand in a line of text: quoted as JSON if it would not come through as it is."""
    plain = name == name.strip() and not any(char < " " for char in name)
    return name if plain else json.dumps(name, ensure_ascii=False)
