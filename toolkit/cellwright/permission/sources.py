"""Files with rules: a person's own, a project's, and what one person adds to a project.

    allow = ["edit_file(docs/*)", "run_command(git commit *)"]
    ask = ["notebook_run"]
    deny = ["read_file(.env)"]

What is added holds grants, too, each in a table `[[granted]]` with its `rule`. Nothing is read when this is imported;
`Policy.load` asks for it. The rule that must never break: a file that is there but can't be read or understood denies
everything and says so, for it may have held a denial; and a project allows nothing until the person trusts its file.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import UsageError
from cellwright.permission.layers import Layer, read_rules
from cellwright.permission.rules import Rule
from cellwright.permission.trust import Trust

FOLDER = ".cellwright"
LOCAL, SHARED = "permissions.local.toml", "permissions.toml"
KINDS = ("allow", "ask", "deny")


def load_layers(cwd: Path, user_file: Path | None = None) -> tuple[Layer, ...]:
    """The layers of the files that there are, the nearest first. `user_file` stands for the person's own file."""
    own = user_file or user_permissions()
    trust = trust_beside(own)
    found = (
        load_layer(cwd / FOLDER / LOCAL, trust, grants=True),
        load_layer(cwd / FOLDER / SHARED, trust),
        load_layer(own),
    )
    return tuple(part for layer in found if layer for part in _grants_first(layer))


def user_permissions() -> Path:
    """The person's own file: `~/.config/cellwright/permissions.toml`, or where XDG_CONFIG_HOME says."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(folder) if os.path.isabs(folder) else Path("~/.config").expanduser()) / "cellwright/permissions.toml"


def trust_beside(user_file: Path) -> Trust:
    """The notes of trust that stand beside a person's own file of rules."""
    return Trust(user_file.with_name("trusted.json"))


def load_layer(path: Path, trust: Trust | None = None, grants: bool = False) -> Layer | None:
    """The layer of a file; None if there is no such file. With `trust`, it allows something only if it is trusted."""
    try:
        return read_layer(path, path.read_bytes(), trust, grants)
    except FileNotFoundError as error:
        return _broken(path, f"can't be read ({error})") if os.path.lexists(path) else None  # a link to nothing
    except (OSError, ValueError) as error:
        return _broken(path, f"can't be read ({error})")


def read_layer(path: Path, data: bytes, trust: Trust | None = None, grants: bool = False) -> Layer:
    """The layer that these bytes are, as the content of a file: what is looked at and what is trusted are the same.

    Raises:
        ValueError: if they are no text.
    """
    text = data.decode("utf-8")
    try:
        layer = _layer(str(path), _Content.read(text, grants))
    except (ValueError, RecursionError, UsageError) as error:
        return _broken(path, f"can't be understood ({error})")
    if trust is None or trust.holds(path, data):
        return layer
    return replace(layer, allow=(), granted=(), untrusted=layer.allow + layer.granted)


class _Content(Struct, frozen=True):
    rules: dict[str, tuple[Rule, ...]]
    granted: tuple[Rule, ...]

    @classmethod
    def read(cls, text: str, grants: bool) -> _Content:
        import tomllib  # needed only where there is a file

        found = tomllib.loads(text)
        tables = found.pop("granted", []) if grants else []
        unknown = sorted(found.keys() - set(KINDS))
        if unknown:
            raise UsageError(f"{unknown[0]!r} is not known; a file holds {', '.join(KINDS)}")
        if not isinstance(tables, list) or not all(isinstance(t, dict) and set(t) == {"rule"} for t in tables):
            raise UsageError("a grant is a table [[granted]] that holds its rule and nothing else")
        granted = tuple(dict.fromkeys(Rule.read(table["rule"]) for table in tables))
        return cls({kind: read_rules(kind, found.get(kind, [])) for kind in KINDS}, granted)


def _layer(name: str, content: _Content) -> Layer:
    rules = content.rules
    return Layer(name, rules["allow"], rules["ask"], rules["deny"], content.granted)


def _grants_first(layer: Layer) -> tuple[Layer, ...]:
    """Grants were the answer to a question, so the file's own rule to ask does not ask it again."""
    if not layer.granted:
        return (layer,)
    granted = Layer(f"granted for the project, {layer.name}", granted=layer.granted)
    return granted, replace(layer, granted=())


def _broken(path: Path, why: str) -> Layer:
    return Layer(str(path), broken=f"{path} {why}; until it is mended, everything is denied")
