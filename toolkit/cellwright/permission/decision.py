"""The three ways a permission question can end, and the modes a run can be in."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Mode = Literal["default", "plan", "accept_edits", "dont_ask", "bypass"]
"""How much runs without a question.

`default` asks for anything that is not read-only; `plan` runs read-only tools only; `accept_edits` also runs edits of
files in the working folder, but for those that other programs obey; `dont_ask` denies what would be asked; `bypass`
asks nothing, guards and deny rules hold.
"""
MODES: tuple[Mode, ...] = get_args(Mode)


class Decision(Struct, frozen=True):
    """Allow, ask or deny, with who decided and why."""

    decision: Literal["allow", "ask", "deny"]
    by: str
    """The decider's name, such as `read_only` or `deny_rule`."""
    reason: str
    """For the person and, after a denial, for the model."""
    rule: str = ""
    """The rule that decided, if one did, such as `run_command(git *)`."""


CANT_BE_UNDONE = "it can't be undone"
"""Why a destructive call is asked about, if nothing else is to be said."""
