"""Grants: approvals that last, for a run, for the session or in the project.

A person who allows the same thing for the third time stops reading. A grant is the answer to that: rules, whose exact
text was shown, that let what they cover run without a question from then on. It is a rule of the person, and no more:
guards, deny rules and the questions of hooks come before it. The rule that must never break: a grant covers a call
that can't be undone only if it names it exactly, and nobody inherits one: who is started anew begins with none.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from cellwright.errors import UsageError
from cellwright.permission.layers import Layer
from cellwright.permission.policy import Policy
from cellwright.permission.rules import Rule
from cellwright.spelling import Spelling

Scope = Literal["run", "session", "project"]
"""How long a grant lasts: to the end of the run, as long as the agent is there, or in the project from now on."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


class Grant(Struct, frozen=True, metaclass=Spelling):
    """An answer: run it, and what these rules cover from now on, too. The rules are those of an offer.

    Raises:
        UsageError: for a scope that there is not, what is no rule, or a text in place of a tuple of rules.
    """

    scope: Scope
    rules: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            raise UsageError(f"there is no scope {self.scope!r}; a grant lasts for a {', a '.join(SCOPES)}")
        if isinstance(self.rules, str):
            raise UsageError(f"rules={self.rules!r} is a text; give a tuple of rules: ({self.rules!r},)")
        force_setattr(self, "rules", tuple(str(Rule.read(rule)) for rule in self.rules))


class Grants:
    """What was granted to one run, or to a session, which its runs share.

    `Grants(session)` is that of a new run of a session. `Grants()` is empty: what a sub-agent is given.
    """

    def __init__(self, session: Grants | None = None) -> None:
        self._session = session
        self._own: tuple[Grant, ...] = ()
        self._laid: tuple[Policy, tuple[Grant, ...], Policy] | None = None

    @property
    def all(self) -> tuple[Grant, ...]:
        """Every grant that holds here, the nearest first."""
        return self._own + (self._session.all if self._session else ())

    def add(self, grant: Grant) -> None:
        """A grant holds from now on: for this run alone, or for all runs of its session."""
        if self._session is not None and grant.scope != "run":
            self._session.add(grant)
        elif grant not in self._own:
            self._own = (*self._own, grant)

    def over(self, policy: Policy) -> Policy:
        """The policy with these grants as its nearest rules. The same as long as neither changes."""
        grants = self._own if self._session is None else self.all
        if not grants:
            return policy
        if self._laid is None or self._laid[0] is not policy or self._laid[1] != grants:
            self._laid = policy, grants, replace(policy, grants=(*map(layer_of, grants), *policy.grants))
        return self._laid[2]


def layer_of(grant: Grant) -> Layer:
    """A grant as a source of rules."""
    return Layer(f"granted for the {grant.scope}", granted=tuple(map(Rule.read, grant.rules)))
