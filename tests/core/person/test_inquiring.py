import asyncio

import pytest
from msgspec.structs import replace

from cellwright import Env, Policy, ScriptedApprover
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.person.approval import AllowAll, ConsoleApprover, DenyAll
from cellwright.person.inquiring import inquire, replied
from cellwright.registry import Registry
from cellwright.runs.budget import Budget, Spending
from cellwright.text.masking import Masking
from cellwright.views.inquiry import Inquiry, NoReply, Reply
from cellwright.views.view import Text

WHICH = Inquiry.of("Which?", [("red", ""), ("blue", "")])
CALL = Call("c1", "ask_user", "{}")


def setup_of(tmp_path, approver, mode="default", secrets=None):
    log = Log(masking=Masking(secrets or {}))
    return Setup(Registry(), Env(tmp_path), Standing(Conditions(Policy(mode))), approver, log)


class Rude:
    """An approver that gives what it likes in place of a reply."""

    def __init__(self, act):
        self.act = act

    async def ask(self, question):
        raise NotImplementedError

    async def reply(self, inquiry):
        return self.act()


class Approves:
    async def ask(self, question):
        raise NotImplementedError


def fail(error):
    raise error


def test_a_question_and_its_reply_are_written_down(tmp_path):
    setup = setup_of(tmp_path, ScriptedApprover(replies=[Reply(("red",), "please")]))
    assert asyncio.run(inquire(CALL, setup, WHICH)) == Reply(("red",), "please")
    question, answer = setup.log.events
    assert (question.kind, question.data["name"], question.data["view"]["question"]) == (
        "question",
        "ask_user",
        "Which?",
    )
    assert answer.data == {"id": "c1", "answer": "reply", "reason": "", "chosen": ["red"], "text": "please"}


@pytest.mark.parametrize(
    ("approver", "words"),
    [
        (DenyAll(), "no one is there to ask"),
        (AllowAll(), "no one is there to answer"),
        (ScriptedApprover(), "the script has 0 replies"),
        (Approves(), "takes no questions"),
        (Rude(lambda: None), "no answer to the question"),
        (Rude(lambda: Reply(("green",))), "no answer to the question"),
        (Rude(lambda: Reply(["red"])), "no answer to the question"),
        (Rude(lambda: Reply((), 7)), "no answer to the question"),
        (Rude(lambda: fail(OSError("gone"))), "could not be asked (OSError: gone)"),
        (Rude(lambda: fail(SystemExit(1))), "could not be asked (SystemExit: 1)"),
        (Rude(lambda: fail(asyncio.CancelledError())), "taken back"),
        (ConsoleApprover(lambda prompt: fail(EOFError())), "standard input is closed"),
    ],
)
def test_a_question_that_nobody_answers_ends_with_the_reason(tmp_path, approver, words):
    setup = setup_of(tmp_path, approver)
    said = asyncio.run(inquire(CALL, setup, WHICH))
    assert (type(said), words in said.reason, said.declined) == (NoReply, True, False)
    assert setup.log.events[-1].data["answer"] == "no_reply"


def test_time_stands_still_while_the_person_thinks(tmp_path):
    now = [0.0]

    def think(inquiry):
        now[0] += 1_000
        return Reply(("red",))

    spending = Spending(Budget(seconds=1), clock=lambda: now[0])
    setup = replace(setup_of(tmp_path, ScriptedApprover(replies=[think])), env=Env(tmp_path, spending=spending))
    asyncio.run(inquire(CALL, setup, WHICH))
    assert (spending.seconds, spending.time_over()) == (0.0, "")


def test_in_mode_dont_ask_nothing_is_asked(tmp_path):
    approver = ScriptedApprover(replies=[Reply(("red",))])
    setup = setup_of(tmp_path, approver, "dont_ask")
    assert "dont_ask" in asyncio.run(inquire(CALL, setup, WHICH)).reason
    assert (approver.inquiries, setup.log.events) == ([], [])


def test_an_interrupt_from_the_keyboard_is_raised():
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(replied(Rude(lambda: fail(KeyboardInterrupt())), WHICH))


def test_secrets_in_a_question_are_masked_before_they_are_shown(tmp_path):
    approver = ScriptedApprover(replies=[lambda inquiry: Reply(inquiry.labels[:1])])
    setup = setup_of(tmp_path, approver, secrets={"TOKEN": "s3cr3t-value"})
    asked = Inquiry.of("Is s3cr3t-value right?", [("s3cr3t-value", "")])
    said = asyncio.run(inquire(CALL, setup, asked))
    assert "s3cr3t" not in str(approver.inquiries) + str(said) + str(setup.log.events)


def test_what_is_no_inquiry_is_a_mistake_of_the_tool(tmp_path):
    with pytest.raises(TypeError, match="an Inquiry"):
        asyncio.run(inquire(CALL, setup_of(tmp_path, DenyAll()), Text("x")))


def test_at_the_terminal_a_number_chooses_and_nonsense_is_asked_again(capsys):
    lines = iter(["7", "1, 2", "2"])
    said = asyncio.run(ConsoleApprover(lambda prompt: next(lines)).reply(WHICH))
    assert said == Reply(("blue",))
    told = capsys.readouterr().err
    assert "Which?\n  1  red\n  2  blue" in told
    assert told.count("the choices have the numbers 1 to 2, of which you choose one") == 2
