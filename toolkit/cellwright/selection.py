"""Which tools of a registry a run is shown, and which it may call: one value for both.

A run may be given fewer tools than there are: by name, by trait, or by its role, since a sub-agent that started agents
would never end, and one in the background has nobody to ask. The list that the model gets is made by the selection, and
each call is held against the same selection again before it runs. The rule that must never break: what is shown is
never the last defence; a tool that the selection leaves out does not run, whoever names it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import force_setattr

from cellwright.errors import UsageError
from cellwright.role import ROLES, Role
from cellwright.spelling import Spelling
from cellwright.tool import NAME, Tool

HarmlessTrait = Literal["read_only", "concurrency_safe"]
"""A trait that a selection can ask for."""


class Selection(Struct, frozen=True, metaclass=Spelling):
    """A choice of tools. Names are exact; `mcp__server__*` is every name that begins so.

    Control-plane tools (`system`) are left out by their roles only.

    Raises:
        UsageError: for a role, a trait or a name that can't be one.
    """

    role: Role = "main"
    allow: Collection[str] | None = None
    """The names that stay; None for all."""
    deny: Collection[str] = frozenset()
    """The names that go, also if they are allowed."""
    traits: Collection[HarmlessTrait] = frozenset()
    """What a tool must declare for all its calls, without looking at arguments."""
    outer: Selection | None = None
    """The selection of the run that started this one. Its names and traits hold here, too; its role does not."""

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise UsageError(f"there is no role {self.role!r}; the roles are {', '.join(ROLES)}")
        force_setattr(self, "allow", None if self.allow is None else _names("allow", self.allow))
        force_setattr(self, "deny", _names("deny", self.deny))
        unknown = [trait for trait in self.traits if trait not in get_args(HarmlessTrait)]
        if unknown or isinstance(self.traits, str):
            known = ", ".join(get_args(HarmlessTrait))
            raise UsageError(f"a selection can't ask for the traits {self.traits!r}; give a set of: {known}")
        force_setattr(self, "traits", frozenset(self.traits))

    def inner(
        self,
        role: Role,
        allow: Collection[str] | None = None,
        deny: Collection[str] = (),
        traits: Collection[HarmlessTrait] = (),
    ) -> Selection:
        """The selection of a run that this one starts: its own role, and never a name that is left out here."""
        return Selection(role, allow, deny, traits, outer=self)

    def is_within(self, other: Selection) -> bool:
        """Whether this never holds more than the other one: made from it in the same role, or that leaves out none."""
        selection: Selection | None = self
        while selection is not None and selection.role == other.role:
            if selection == other or other == Selection(other.role):
                return True
            selection = selection.outer
        return False

    def refusal(self, tool: Tool) -> str:
        """Why the tool is left out, or nothing if it is not."""
        if not tool.is_for(self.role):
            roles = ", ".join(role for role in ROLES if tool.is_for(role))
            return f"{tool.name} is not for an agent in the role {self.role}, but for: {roles or 'none'}"
        if tool.system:
            return ""
        return self._left_out(tool)

    def _left_out(self, tool: Tool) -> str:
        if _holds(self.deny, tool.name):
            return f"{tool.name} was taken out of this run"
        if self.allow is not None and not _holds(self.allow, tool.name):
            return f"{tool.name} is not among the tools that this run was given"
        missing = sorted(trait for trait in self.traits if getattr(tool, trait) is not True)
        if missing:
            return f"{tool.name} is not {missing[0]}, and this run has only tools that are"
        return self.outer._left_out(tool) if self.outer else ""


def _holds(names: Collection[str], name: str) -> bool:
    return name in names or any(known.endswith("*") and name.startswith(known[:-1]) for known in names)


def _names(field: str, given: Collection[str]) -> frozenset[str]:
    if isinstance(given, str):
        raise UsageError(f"{field}={given!r} is one text; give a collection of names, as {field}=[{given!r}]")
    for name in given:
        if not isinstance(name, str) or not NAME.fullmatch(name.removesuffix("*")):
            raise UsageError(f"{field} names {name!r}, which is no name of a tool and no beginning as mcp__server__*")
    return frozenset(given)


EVERYTHING = Selection()
"""All that the main agent of a run can have."""
