"""What an agent is given wrongly is told when it is made."""

import pytest

from cellwright import Agent, Policy, ScriptedApprover, ScriptedModel, UsageError
from cellwright.hooks.hook import Hook
from cellwright.log.events import Recorder


class Nameless:
    async def stream(self, request):
        yield


class Named(Nameless):
    name = "named"


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("openai:gpt", r"'openai:gpt' is no model; write model\('openai:gpt'\), or make one such as"),
        (None, r'None is no model; write model\("scripted:tour"\)'),
        (ScriptedModel, "is no model"),
        (Named, "is no model"),
        (Nameless(), "is no model"),
    ],
    ids=range(5),
)
def test_what_is_no_model_is_refused_with_what_to_write(model, words):
    with pytest.raises(UsageError, match=words):
        Agent(model)
    assert Agent(Named()).model.name == "named"


HOOK = Hook("before_call", print)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"approver": "yes"}, "'yes' is no approver; give one such as ScriptedApprover"),
        ({"approver": ScriptedApprover}, "is no approver; give one such as"),
        ({"observers": Recorder()}, r"is no list; write observers=\[...\]"),
        ({"observers": [print]}, r"is no observer; give an object with a method on_event\(event\)"),
        ({"observers": [Recorder]}, "is no observer"),
        ({"hooks": HOOK}, r"is no list; write hooks=\[...\]"),
        ({"hooks": [print]}, r"is no hook; write Hook\('before_call', function\)"),
        ({"around": print}, r"is no list; write around=\[...\]"),
        ({"policy": {"allow": ["t"]}}, r"is no policy; write policy=Policy\(allow=\{'edit_file'\}\), or the name of a"),
        ({"system": None}, "system=None is no text; write system='You are ...', or leave it out"),
        ({"secrets": {"PIN": 12345678}}, "the secret 'PIN' is no text"),
        ({"around": "x"}, "around='x' is no list"),
        ({"budget": 5}, r"5 is no budget; write budget=Budget\(steps=50\)"),
        ({"timeout": "5"}, "timeout='5' is no number of seconds above 0; leave it out for no limit"),
        ({"timeout": 0}, "timeout=0 is no number of seconds above 0"),
        ({"secrets": ["a-long-secret"]}, "secrets=list is no mapping; write secrets="),
        ({"secrets": {"PIN": "1234"}}, "the secret 'PIN' is no text of at least 8 characters"),
    ],
    ids=range(17),
)
def test_what_is_no_part_of_an_agent_is_refused_with_what_to_write(given, words):
    with pytest.raises(UsageError, match=words):
        Agent(ScriptedModel([]), **given)


def test_what_is_given_rightly_is_kept():
    watcher = Recorder()
    agent = Agent(ScriptedModel([]), [], hooks=[HOOK], observers=[watcher], timeout=2.5, policy=Policy("plan"))
    assert (agent.hooks, agent.timeout) == ((HOOK,), 2.5)
