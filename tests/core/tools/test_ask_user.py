import asyncio

import pytest

from cellwright import Allow, Deny, ScriptedApprover
from cellwright.tools.ask_user import ask_user
from cellwright.views.inquiry import Inquiry, NoReply, Reply

from ..scene import BYPASS, act, agent_of, calling, kinds_of, play

ASK = ("ask_user", {"question": "Which?", "choices": ["red", {"label": "blue", "description": "cold"}]})


def asked(*replies, call=ASK, **conditions):
    approver = ScriptedApprover(replies=replies)
    run = play([calling(call), "done"], "all", approver=approver, **conditions)
    return run.results[0], approver, run


def test_the_model_reads_what_the_person_chose(tmp_path):
    result, approver, _ = asked(Reply(("blue",)), cwd=tmp_path)
    assert (result.content, result.value) == (
        "The person chose: blue",
        {"chosen": ["blue"], "text": "", "declined": False},
    )
    assert approver.inquiries == [Inquiry("Which?", (("red", ""), ("blue", "cold")))]
    assert (result.view.state, result.view.chosen) == ("answered", ("blue",))


def test_own_words_are_always_taken(tmp_path):
    assert asked(Reply((), "green"), cwd=tmp_path)[0].content == "The person wrote: green"
    free = ("ask_user", {"question": "Why?"})
    assert asked(Reply((), "because"), call=free, cwd=tmp_path)[0].value["text"] == "because"


def test_several_can_be_chosen_where_the_question_says_so(tmp_path):
    call = ("ask_user", {**ASK[1], "multiple": True})
    assert asked(Reply(("red", "blue"), "both"), call=call, cwd=tmp_path)[0].content == (
        "The person chose: red, blue\nThe person wrote: both"
    )
    assert asked(Reply(("red", "blue")), cwd=tmp_path)[0].metadata["code"] == "no_one_to_ask"


def test_a_person_who_gives_no_answer_is_no_failure(tmp_path):
    result = asked(NoReply("no", declined=True), cwd=tmp_path)[0]
    assert (result.ok, result.value["declined"], "gave no answer" in result.content) == (True, True, True)


@pytest.mark.parametrize("policy", ["default", "accept_edits", "plan", BYPASS])
def test_nobody_has_to_allow_a_question_in_any_mode(tmp_path, policy):
    result, approver, run = asked(Reply(("red",)), cwd=tmp_path, policy=policy)
    assert (result.ok, approver.questions, len(kinds_of(run, "question"))) == (True, [], 1)


def test_where_nobody_can_be_asked_the_model_hears_it_at_once(tmp_path):
    for result in (asked(cwd=tmp_path)[0], asked(Reply(("red",)), cwd=tmp_path, policy="dont_ask")[0]):
        assert (result.error_type, result.metadata["code"]) == ("tool_error", "no_one_to_ask")
        assert "Go on by your own judgement" in result.content


@pytest.mark.parametrize(
    "args",
    [
        {"question": " "},
        {"question": "q", "choices": ["a", "a"]},
        {"question": "q", "choices": ["a", " "]},
        {"question": "q", "choices": [{"label": "a"}, "a"]},
        {"question": "q", "choices": ["a"] * 13},
        {"question": "q", "multiple": True},
        {"question": "q" * 5_000},
        {"question": "q", "choices": [{"text": "a"}]},
        {},
    ],
)
def test_a_question_that_is_none_reaches_nobody(tmp_path, args):
    result, approver, _ = asked(Reply(("a",)), call=("ask_user", args), cwd=tmp_path)
    assert (result.error_type, approver.inquiries) == ("invalid_arguments", [])


def test_questions_and_approvals_come_one_at_a_time_in_the_order_of_the_calls(tmp_path):
    order = []

    def note(name, answer):
        return lambda asked: order.append(name) or answer

    answers = [note("first write", Allow()), note("second write", Deny())]
    approver = ScriptedApprover(answers, [note("question", Reply(("red",)))])
    writes = [("write_file", {"path": f"{name}.txt", "content": "x"}) for name in "ab"]
    play([calling(writes[0], ASK, writes[1]), "done"], "all", approver=approver, cwd=tmp_path)
    assert order == ["first write", "question", "second write"]


class Silent(ScriptedApprover):
    """Never answers."""

    async def reply(self, inquiry):
        self.inquiries.append(inquiry)
        await asyncio.Event().wait()


def test_a_question_ends_with_the_run(tmp_path):
    async def stop(run):
        while not any(event.kind == "question" for event in run.events):
            await asyncio.sleep(0)
        run.cancel()

    agent = agent_of([calling(ASK), "done"], "all", approver=Silent(), cwd=tmp_path)
    run = asyncio.run(act(agent, stop))
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled")


def test_a_question_may_stand_for_days():
    assert ask_user.timeout > 7 * 24 * 3600


def test_the_person_is_told_which_sub_agent_asks(tmp_path):
    approver = ScriptedApprover(replies=[Reply(("red",))])
    turns = [calling(("agent", {"task": "t", "prompt": "p"})), calling(ASK), "asked", "done"]
    run = play(turns, "all", approver=approver, cwd=tmp_path)
    assert (approver.inquiries[0].asker, run.results[0].content) == ("agent-1", "asked")


def test_a_sub_agent_in_the_background_has_nobody_to_ask(tmp_path):
    give = ("agent", {"task": "t", "prompt": "p", "background": True})
    run = play([calling(give), calling(ASK), calling("wait"), "done"], "all", [Allow()], cwd=tmp_path)
    inner = [result for child in run.children for result in child.results]
    assert all(result.error_type == "tool_not_allowed" for result in inner)
