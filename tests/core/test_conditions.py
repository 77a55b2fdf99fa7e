"""What holds for the next call."""

from dataclasses import replace

from cellwright import Policy
from cellwright.conditions import Conditions, Standing


def test_changes_are_made_in_their_order_and_touch_no_earlier_value():
    first = Conditions(Policy("plan"))
    standing = Standing(first)
    modes = [
        lambda now: replace(now, policy=Policy("accept_edits")),
        lambda now: replace(now, policy=replace(now.policy, allow={f"after_{now.policy.mode}"})),
    ]
    standing.apply(modes)
    assert standing.now.policy == Policy("accept_edits", allow={"after_accept_edits"})
    assert first.policy == Policy("plan")
