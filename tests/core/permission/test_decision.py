import typing

import pytest

from cellwright.permission.decision import Decision, Mode


def test_there_are_three_decisions_and_five_modes():
    hints = typing.get_type_hints(Decision)
    assert typing.get_args(hints["decision"]) == ("allow", "ask", "deny")
    assert typing.get_args(Mode) == ("default", "plan", "accept_edits", "dont_ask", "bypass")


def test_a_decision_can_not_be_changed_later():
    decision = Decision("deny", "deny_rule", "a rule denies it")
    with pytest.raises(AttributeError, match="immutable"):
        decision.decision = "allow"
