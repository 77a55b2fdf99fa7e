import pytest

from cellwright import Agent, Env, Policy, ScriptedModel, UsageError
from cellwright.hooks.hook import ANSWERS, Ask, Block, Hook, HookAllow, Occasion, weighed
from cellwright.messages import Call
from cellwright.result import Result

from ..scene import CONSENT, encodes, returning


def no_opinion(occasion):
    return None


def hook(**facts):
    return Hook(**{"event": "before_call", "function": no_opinion, **facts})


def test_a_hook_is_for_exactly_the_tools_it_names_at_its_event():
    named = hook(tools=["run"])
    assert [named.is_for("before_call", name) for name in ("run", "run_command", "Run", "ru", "")] == [True] + [
        False
    ] * 4
    assert [hook().is_for(event, "run") for event in ANSWERS] == [True] + [False] * 5
    assert hook(event="run_end").is_for("run_end")


def test_a_hook_is_called_as_its_function_unless_it_is_given_a_name():
    class Guard:
        def __call__(self, occasion):
            return None

    assert (hook().name, hook(function=Guard()).name, hook(name="no-env").name) == ("no_opinion", "Guard", "no-env")
    assert len(hook(name="x" * 10_000).name) == 200


WRONG = [
    ({"event": "before"}, "there is no event 'before'; the events are before_call, after_call"),
    ({"function": "guard.py"}, "'guard.py' can't be called; give a function of one argument"),
    ({"timeout": 0}, "timeout=0 is no limit; give seconds"),
    ({"timeout": float("nan")}, "timeout=nan is no limit"),
    ({"timeout": None}, "timeout=None is no limit"),
    ({"tools": "run"}, "tools='run' names no tools; give a set of exact names"),
    ({"tools": set()}, r"tools=set\(\) names no tools"),
    ({"tools": {"run*"}}, r"'run\*' is no tool name; patterns are not read here"),
    ({"tools": {"run"}, "event": "run_end"}, "tools= says nothing at run_end; leave it out"),
]


@pytest.mark.parametrize(("facts", "words"), WRONG, ids=range(len(WRONG)))
def test_a_hook_that_would_never_be_asked_is_refused(facts, words):
    with pytest.raises(UsageError, match=words):
        hook(**facts)


def test_an_agent_refuses_what_is_no_hook():
    with pytest.raises(UsageError, match=r"is no hook; write Hook\('before_call', function\), or command_hook"):
        Agent(ScriptedModel([]), [], hooks=[no_opinion])
    assert Agent(ScriptedModel([]), [], hooks=[hook()]).hooks == (hook(),)


POLICIES = {
    "deny rule": Policy(deny={"t"}),
    "deny rule in bypass": Policy("bypass", deny={"t"}, consent=CONSENT),
    "ask rule": Policy(ask={"t"}),
    "allow rule": Policy(allow={"t"}),
    "default": Policy(),
    "accept_edits": Policy("accept_edits"),
    "dont_ask": Policy("dont_ask"),
    "bypass": Policy("bypass", consent=CONSENT),
}
NONE, ALLOW, ASK = ((), (HookAllow("fine"),), (Ask("look"),))
TABLE = [
    # policy, what the tool declares: without an answer, with allow, with ask, with both
    ("deny rule", {}, "deny deny deny deny"),
    ("deny rule in bypass", {}, "deny deny deny deny"),
    ("ask rule", {}, "ask allow ask ask"),
    ("ask rule", {"read_only": True}, "ask allow ask ask"),
    ("allow rule", {}, "allow allow ask ask"),
    ("default", {}, "ask allow ask ask"),
    ("default", {"read_only": True}, "allow allow ask ask"),
    ("default", {"destructive": True}, "ask allow ask ask"),
    ("default", {"check_permission": lambda args, env: "deny"}, "deny deny deny deny"),
    ("default", {"check_permission": lambda args, env: 1 / 0}, "deny deny deny deny"),
    ("default", {"check_permission": lambda args, env: "ask"}, "ask allow ask ask"),
    ("allow rule", {"asks_first": lambda args, env: "marked"}, "ask ask ask ask"),
    ("allow rule", {"asks_first": lambda args, env: 1 / 0}, "deny deny deny deny"),
    ("dont_ask", {"asks_first": lambda args, env: "marked"}, "deny deny deny deny"),
    ("accept_edits", {}, "ask allow ask ask"),
    ("dont_ask", {}, "deny allow deny deny"),
    ("dont_ask", {"read_only": True}, "allow allow deny deny"),
    ("bypass", {}, "allow allow ask ask"),
]


@pytest.mark.parametrize(("policy", "facts", "expected"), TABLE, ids=range(len(TABLE)))
def test_the_answers_of_hooks_meet_rules_tools_and_modes(policy, facts, expected, tmp_path):
    made = returning(1, "t", **{"read_only": False, **facts})
    found = [
        weighed(POLICIES[policy], made, {}, Env(tmp_path), [(hook(), answer) for answer in answers]).decision
        for answers in (NONE, ALLOW, ASK, ALLOW + ASK)
    ]
    assert " ".join(found) == expected


def test_a_decision_names_the_hook_and_its_reason(tmp_path):
    writes, reads = returning(1, "t", read_only=False), returning(1, "t")
    for answer, policy, words in (
        (HookAllow("fine"), Policy(), "the hook h allows it: fine"),
        (HookAllow(), Policy(), "the hook h allows it"),
        (Ask("look"), Policy(), "the hook h asks: look"),
        (Ask("look"), Policy("dont_ask"), "mode dont_ask denies what would be asked (the hook h asks: look)"),
    ):
        made = writes if isinstance(answer, HookAllow) else reads
        assert weighed(policy, made, {}, Env(tmp_path), [(hook(name="h"), answer)]).reason == words


def test_a_program_is_told_the_facts_of_its_event_and_no_others(tmp_path):
    call = Occasion("before_call", tmp_path, "plan", call_id="c1", tool="t", args={"a": [1]})
    result = Result(Call("c1", "t", "{}"), True, "text", {"v": 1}, metadata={"secret": 1})
    after = Occasion("after_call", tmp_path, "plan", call_id="c1", tool="t", args={}, result=result)
    start = {"event": "before_call", "cwd": str(tmp_path), "mode": "plan"}
    assert call.as_json() == {**start, "call_id": "c1", "tool": "t", "args": {"a": [1]}}
    assert after.as_json()["result"] == {"ok": True, "error_type": None, "content": "text", "value": {"v": 1}}
    prompt = Occasion("user_prompt", tmp_path, "default", "hello").as_json()
    assert (set(prompt), prompt["prompt"]) == ({"event", "cwd", "mode", "prompt"}, "hello")
    end = Occasion("run_end", tmp_path, "default", "hello", stop_reason="answered", answer="done").as_json()
    assert (end["stop_reason"], end["answer"], "args" in end) == ("answered", "done", False)
    encodes([call.as_json(), after.as_json()])


def test_every_answer_has_a_word_of_its_own():
    words = {kind.word: kind for kinds in ANSWERS.values() for kind in kinds}
    assert len(words) == len({kind for kinds in ANSWERS.values() for kind in kinds}) == 8
    assert (words["block"], words["allow"], words["ask"]) == (Block, HookAllow, Ask)
