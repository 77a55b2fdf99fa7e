"""What a tool declares of itself beside its schema, once it is sure that each of it is what it should be.

A text is easily given for a list of names, and Python takes it for its letters; seconds in quotes would fail in the
midst of a run. Traits are not looked at here: what is not clearly true of a tool is held against it. The rule that must
never break: what is wrong is told when the tool is made, with what came and what to write in its place.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from typing import Any

from cellwright.errors import RegistryError
from cellwright.role import ROLES

PARAMETERS = ("command", "url", "operations")
"""Facts that name a parameter."""


def check_facts(owner: str, facts: Mapping[str, Any], parameters: Container[str]) -> None:
    """Looks at all of them.

    Raises:
        RegistryError: for the first that is not what it should be; `owner` names the tool.
    """
    for name, value in facts.items():
        if wanted := _wanted(name, value):
            raise RegistryError(f"{owner}: {name}={value!r:.80} won't do; give {wanted}")
    named = [("paths", each) for each in facts["paths"]]
    for name, parameter in (*named, *((name, facts[name]) for name in PARAMETERS if facts[name])):
        if parameter not in parameters:
            raise RegistryError(f"{owner}: {name} names {parameter!r}, which is not one of its parameters")


def _wanted(name: str, value: Any) -> str:  # noqa: ANN401 (whatever came)
    """What the fact should be, if it is something else."""
    match name:
        case "system" | "always_asks" | "defer" | "always_load":
            return "" if isinstance(value, bool) else "True or False"
        case "paths" | "modes":
            return "" if _is_names(value) else f"a tuple of names, such as {name}=({value!r:.40},)"
        case "roles":
            known = value is None or (_is_names(value) and set(value) <= set(ROLES))
            return "" if known else f"a tuple of: {', '.join(ROLES)}"
        case "command" | "url" | "operations" | "lasting":
            return "" if isinstance(value, str) else "a text"
        case "timeout":
            return "" if value is None or is_above_0(value, int | float) else "seconds above 0, or None for the run's"
        case "max_result_chars":
            return "" if is_above_0(value, int) else "a whole number above 0"
        case "execute":
            return "" if callable(value) else "a function of the arguments and the env"
        case "validate" | "check_permission" | "asks_first" | "unread" | "enabled" | "render" | "finalize":
            return "" if value is None or callable(value) else "a function, or None"
        case "present_call" | "present_result":
            return "" if value is None or callable(value) else "a function that makes the view, or None"
    return ""


def _is_names(value: Any) -> bool:  # noqa: ANN401 (whatever came)
    listed = isinstance(value, Collection) and not isinstance(value, str)
    return listed and all(isinstance(each, str) for each in value)


def is_above_0(value: Any, kind: Any) -> bool:  # noqa: ANN401 (whatever came, and a type)
    """Whether it is a number of that kind, and more than 0; True is no number."""
    return isinstance(value, kind) and not isinstance(value, bool) and value > 0
