import copy
import pickle

import pytest
from msgspec.structs import replace

from cellwright import Policy, Turn, UsageError
from cellwright.hooks.hook import Hook
from cellwright.runs.budget import Budget


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (Policy, "alow", "Policy has no alow=, did you mean allow$"),
        (Budget, "step", "Budget has no step=, did you mean steps$"),
        (Turn, "call", "Turn has no call=, did you mean calls$"),
        (Hook, "zzz", "Hook has no zzz=, known are: event, function"),
    ],
)
def test_a_field_that_there_is_not_is_refused_with_the_one_that_was_meant(kind, name, words):
    with pytest.raises(UsageError, match=words):
        kind(**{name: 1})


def test_what_is_spelt_rightly_is_made_copied_and_sent_as_ever():
    made = Policy("plan", deny={"read_file"})
    assert made == Policy(mode="plan", deny=["read_file"]) == copy.copy(made) == pickle.loads(pickle.dumps(made))
    assert replace(made, mode="default") == Policy(deny={"read_file"})
    with pytest.raises(TypeError, match="required"):
        Hook()
