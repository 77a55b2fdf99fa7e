"""What an agent is in its run.

A run may start others: one that it waits for, one that works beside it and has nobody to ask. Each of them may have
fewer tools than the one that a person speaks to. The rule that must never break: there are these roles and no other, so
whoever judges by the role has a word for each.
"""

from __future__ import annotations

from typing import Literal, get_args

Role = Literal["main", "sub_agent", "background", "coordinator"]
"""The one that the person speaks to, one that another waits for, one that works beside the others and has nobody to
ask, or one that hands work out and does none itself."""
ROLES: tuple[Role, ...] = get_args(Role)
