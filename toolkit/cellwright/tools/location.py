"""Where a path from a model leads: contained first, then found.

`env.path` refuses what leaves the working folder. After it an odd blank or a decomposed accent in a file name is
seen through, and since such a name may be a link, the place it leads to is judged once more. The rule that must
never break: a tool opens only what this function returned.
"""

from __future__ import annotations

from pathlib import Path

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files import real_path
from cellwright.permission.guards import CREDENTIALS


def located(given: str, env: Env) -> Path:
    """The real path of a file or folder inside the working folder; it need not exist.

    Raises:
        ToolError: `invalid_path`, `outside`, `ambiguous`, `link_cycle` or `not_permitted`.
    """
    path = env.path(given)
    found = env.path(str(real_path(path)))
    if found != path and CREDENTIALS.intersection(found.parts):
        raise ToolError("not_permitted", f"{given!r} is a place for credentials, which tools never touch")
    return found


def refuse_notebook(path: Path, env: Env, instead: str) -> None:
    """Refuse a notebook, whose JSON is not to be handled as text.

    Raises:
        ToolError: `is_notebook`, naming the tool to use instead.
    """
    if path.suffix.lower() == ".ipynb" and not path.is_dir():
        raise ToolError("is_notebook", f"{env.shown(path)} is a notebook; use {instead}, which knows its cells")
