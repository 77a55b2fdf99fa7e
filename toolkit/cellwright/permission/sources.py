"""Files with rules: a person's own, a project's, and what one person adds to a project.

    allow = ["edit_file(docs/*)", "run_command(git commit *)"]
    ask = ["notebook_run"]
    deny = ["read_file(.env)"]

Nothing is read when this is imported; `Policy.load` asks for it. The rule that must never break: a file that is there
but can't be read or understood denies everything and says so, for it may have held a denial.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from cellwright.errors import UsageError
from cellwright.permission.layers import Layer, read_rules

FOLDER = ".cellwright"
KINDS = ("allow", "ask", "deny")


def load_layers(cwd: Path, user_file: Path | None = None) -> tuple[Layer, ...]:
    """The layers of the files that there are, the nearest first. `user_file` stands for the person's own file."""
    paths = (
        cwd / FOLDER / "permissions.local.toml",
        cwd / FOLDER / "permissions.toml",
        user_file or user_permissions(),
    )
    return tuple(layer for path in paths if (layer := load_layer(path)) is not None)


def user_permissions() -> Path:
    """The person's own file: `~/.config/cellwright/permissions.toml`, or where XDG_CONFIG_HOME says."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(folder) if os.path.isabs(folder) else Path("~/.config").expanduser()) / "cellwright/permissions.toml"


def load_layer(path: Path) -> Layer | None:
    """The layer of a file; None if there is no such file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return _broken(path, f"can't be read ({error})")
    try:
        found = tomllib.loads(text)
        unknown = sorted(found.keys() - set(KINDS))
        if unknown:
            raise UsageError(f"{unknown[0]!r} is not known; a file holds {', '.join(KINDS)}")
        rules = {kind: read_rules(kind, found.get(kind, [])) for kind in KINDS}
    except (tomllib.TOMLDecodeError, RecursionError, UsageError) as error:
        return _broken(path, f"can't be understood ({error})")
    return Layer(str(path), rules["allow"], rules["ask"], rules["deny"])


def _broken(path: Path, why: str) -> Layer:
    return Layer(str(path), broken=f"{path} {why}; until it is mended, everything is denied")
