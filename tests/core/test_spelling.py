import copy
import pickle

import pytest
from msgspec import Struct
from msgspec.structs import replace

import cellwright
from cellwright import Deny, Edit, Env, Policy, Session, Tool, Turn, UsageError
from cellwright.hooks.hook import Block, Hook
from cellwright.runs.budget import Budget
from cellwright.sessions.fork import Otherwise


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (Policy, "alow", "Policy has no alow=, did you mean allow$"),
        (Budget, "step", "Budget has no step=, did you mean steps$"),
        (Turn, "call", "Turn has no call=, did you mean calls$"),
        (Deny, "reson", "Deny has no reson=, did you mean reason$"),
        (Edit, "arguments", "Edit has no arguments=, did you mean args$"),
        (Tool, "readonly", "Tool has no readonly=, did you mean read_only$"),
        (Otherwise, "arg", "Otherwise has no arg=, did you mean args$"),
        (Block, "why", "Block has no why=, known are: reason$"),
        (Hook, "zzz", "Hook has no zzz=, known are: event, function"),
    ],
)
def test_a_field_that_there_is_not_is_refused_with_the_one_that_was_meant(kind, name, words):
    with pytest.raises(UsageError, match=words):
        kind(**{name: 1})


MADE_BY_THE_TOOLKIT = (Env, Session)
SURFACE = [getattr(cellwright, name) for name in cellwright.__all__]
VALUES = [each for each in SURFACE if isinstance(each, type) and issubclass(each, Struct)]


@pytest.mark.parametrize("kind", [kind for kind in VALUES if kind not in MADE_BY_THE_TOOLKIT])
def test_every_value_of_the_surface_that_people_write_names_itself(kind):
    with pytest.raises(UsageError, match=f"^{kind.__name__} has no zzz="):
        kind(zzz=1)


def test_what_is_spelt_rightly_is_made_copied_and_sent_as_ever():
    made = Policy("plan", deny={"read_file"})
    assert made == Policy(mode="plan", deny=["read_file"]) == copy.copy(made) == pickle.loads(pickle.dumps(made))
    assert replace(made, mode="default") == Policy(deny={"read_file"})
    with pytest.raises(TypeError, match="required"):
        Hook()
