import pytest
from msgspec.structs import replace

from cellwright import Agent, Policy, ScriptedModel, UsageError
from cellwright.permission.bypass import FIRST, SECOND, BypassConsent, confirmed


def typing(*lines):
    """What a person who types these lines is shown, and then types."""
    left, shown = list(lines), []

    def read(prompt):
        shown.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    return read, shown


def test_a_person_confirms_twice_and_is_told_what_they_agree_to():
    read, shown = typing(f" {FIRST} ", SECOND)
    assert confirmed(read) == BypassConsent(FIRST, SECOND)
    assert [FIRST in shown[0], "no guard and no deny rule" in shown[0], SECOND in shown[1]] == [True] * 3


@pytest.mark.parametrize("lines", [(), (FIRST,), ("", ""), ("y", "y"), (FIRST, ""), (FIRST.upper(), SECOND)])
def test_whoever_does_not_type_both_does_not_enter(lines):
    with pytest.raises(UsageError, match="mode bypass was not entered"):
        confirmed(typing(*lines)[0])


def test_the_second_question_comes_only_after_the_first_was_answered():
    read, shown = typing("yes")
    with pytest.raises(UsageError):
        confirmed(read)
    assert len(shown) == 1


def test_the_name_of_the_mode_alone_enters_nothing():
    with pytest.raises(UsageError, match=r"which is in cellwright.permission.bypass"):
        Agent(ScriptedModel([]), [], policy="bypass")


def test_a_changed_copy_of_a_policy_enters_nothing():
    with pytest.raises(UsageError, match=r"which is in cellwright.permission.bypass"):
        replace(Policy(), mode="bypass")
