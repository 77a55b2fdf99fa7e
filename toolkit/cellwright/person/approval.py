"""Asking a person, and the answers there are.

When permission says *ask*, the run waits for an approver. It shows the exact effect of the call and gives one of a
closed set of answers: allow once, grant it for longer, deny with or without a reason that the model reads, edit the
arguments, or that nobody could be asked, which is not the same as a no. What runs is what was shown: the arguments are
frozen when the question is made. An approver that raises, or answers nonsense, denies.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.errors import UsageError
from cellwright.messages import JsonObject, told
from cellwright.permission.grant import Grant
from cellwright.person.question import Question, goes_with_others, question_text
from cellwright.person.typed_line import typed_line
from cellwright.spelling import Spelling
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_all
from cellwright.views.inquiry import Inquiry, NoReply, Reply, inquiry_text, read_reply
from cellwright.waiting.hearing import Unheard, heard
from cellwright.waiting.threads import in_thread


class Allow(Struct, frozen=True, metaclass=Spelling):
    """Run it, this once."""

    also: tuple[Question, ...] = ()
    """Calls that wait behind it and may run too, each if it is still what is shown here when its turn comes."""


class Deny(Struct, frozen=True, metaclass=Spelling):
    """Don't run it. The model reads the reason."""

    reason: str = ""


class Edit(Struct, frozen=True, metaclass=Spelling):
    """Run it with these arguments instead. They are checked like any others, and not asked about again."""

    args: JsonObject


class Choose(Struct, frozen=True, metaclass=Spelling):
    """Run it with these of its operations alone, by number from 1. They are checked like edited arguments."""

    kept: tuple[int, ...]


class Unavailable(Struct, frozen=True, metaclass=Spelling):
    """Nobody could be asked, or nobody answered in time."""

    reason: str


Answer = Allow | Grant | Deny | Edit | Choose | Unavailable
Prepared = TypeVar("Prepared")


class Approver(Protocol):
    """Someone who answers questions, one at a time. Cancelled when the run stops waiting."""

    async def ask(self, question: Question) -> Answer:
        """The person's answer."""


class DenyAll:
    """No one is there to ask."""

    async def ask(self, question: Question) -> Answer:
        """Always `Unavailable`."""
        return Unavailable("no one is there to approve it; run with an approver, or allow the tool by a rule")

    async def reply(self, inquiry: Inquiry) -> NoReply:
        """Always `NoReply`."""
        return NoReply("no one is there to ask")


class AllowAll:
    """Says yes to everything; for tests and for scripts whose caller has decided."""

    async def ask(self, question: Question) -> Answer:
        """Always `Allow`."""
        return Allow()

    async def reply(self, inquiry: Inquiry) -> NoReply:
        """Always `NoReply`: a yes is no answer to a question."""
        return NoReply("no one is there to answer; the calls are all allowed beforehand")


class ScriptedApprover:
    """Gives prepared answers in order, then `Unavailable`. `questions` keeps what was asked.

    `replies` are those to the questions of tools, in an order of their own; `inquiries` keeps these.

    Raises:
        UsageError: for an answer or a reply that is none.
    """

    def __init__(
        self,
        answers: Iterable[Answer | Callable[[Question], Answer]] = (),
        replies: Iterable[Reply | NoReply | Callable[[Inquiry], Reply | NoReply]] = (),
    ) -> None:
        self._answers = _prepared("answer", answers, Answer, "[Allow(), Deny('why')]")
        self._replies = _prepared("reply", replies, Reply | NoReply, "replies=[Reply(('red',))]")
        self.questions: list[Question] = []
        self.inquiries: list[Inquiry] = []

    async def ask(self, question: Question) -> Answer:
        """The next answer of the script; a function in it gets the question."""
        self.questions.append(question)
        if len(self.questions) > len(self._answers):
            known = quantity(len(self._answers), "answer")
            return Unavailable(f"the script has {known}, this is question {len(self.questions)}")
        answer = self._answers[len(self.questions) - 1]
        return answer(question) if callable(answer) else answer

    async def reply(self, inquiry: Inquiry) -> Reply | NoReply:
        """The next reply of the script; a function in it gets the inquiry."""
        self.inquiries.append(inquiry)
        if len(self.inquiries) > len(self._replies):
            known = quantity(len(self._replies), "reply", "replies")
            return NoReply(f"the script has {known}, this is question {len(self.inquiries)}")
        reply = self._replies[len(self.inquiries) - 1]
        return reply(inquiry) if callable(reply) else reply


def _prepared(kind: str, given: Iterable[Prepared], kinds: Any, example: str) -> list[Prepared]:  # noqa: ANN401 (a union)
    """What was prepared, once it is sure that each is of its kind, or a function that will give it."""
    way = f"write ScriptedApprover({example})"
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise UsageError(f"{given!r:.80} is no list; {way}")
    prepared = list(given)
    for each in prepared:
        if isinstance(each, type) or not (isinstance(each, kinds) or callable(each)):
            raise UsageError(f"{each!r:.80} is no {kind}; {way}")
    return prepared


async def asked(approver: Approver, question: Question) -> Answer:
    """What an approver answers, whatever it does.

    Raises:
        KeyboardInterrupt: from the keyboard.
    """
    said = await heard(approver.ask, question)
    match said:
        case Unheard(asyncio.CancelledError()):
            return Unavailable("the approver stopped asking")
        case Unheard(error):
            return Unavailable(f"the approver failed ({told(error)})")
        case Grant():
            offered = said.scope in question.scopes and said.rules in [offer.rules for offer in question.offers]
            return said if offered else Unavailable("the approver granted what was not offered")
        case Choose(kept=kept):
            are_there = kept and set(kept) <= set(range(1, len(question.operations) + 1))
            return said if are_there else Unavailable("the approver chose operations that the call does not have")
        case Allow() | Deny() | Edit() | Unavailable():
            return said
    return Unavailable(f"the approver gave no answer but {type(said).__name__}")


class ConsoleApprover:
    """Asks on the terminal. `read` gives a line for a prompt, unless a test says otherwise one of standard input."""

    def __init__(self, read: Callable[[str], str] | None = None) -> None:
        self._read = read or typed_line

    async def ask(self, question: Question) -> Answer:
        """Prints the question and reads the answer in a thread, so that the event loop goes on."""
        also = tuple(filter(goes_with_others, await question.waiting())) if goes_with_others(question) else ()
        try:
            answer: Answer = await in_thread(lambda: self._converse(question, also))
        except EOFError:
            return Unavailable("standard input is closed, so nobody could answer")
        return answer

    async def reply(self, inquiry: Inquiry) -> Reply | NoReply:
        """Prints the choices and reads a number or a line of words."""
        reply: Reply | NoReply = await in_thread(lambda: self._replied(inquiry))
        return reply

    def _replied(self, inquiry: Inquiry) -> Reply | NoReply:
        print(inquiry_text(inquiry), file=sys.stderr)
        number = "numbers with commas, " if inquiry.multiple else "a number, " if inquiry.choices else ""
        while True:
            try:
                line = self._read(f"{number}your own words, or nothing for no answer: ")
            except EOFError:
                return NoReply("standard input is closed, so nobody could answer")
            reply = read_reply(line, inquiry)
            if reply is not None:
                return reply
            several = "" if inquiry.multiple else ", of which you choose one"
            print(f"the choices have the numbers 1 to {len(inquiry.choices)}{several}", file=sys.stderr)

    def _converse(self, question: Question, also: tuple[Question, ...]) -> Answer:
        print(question_text(question), file=sys.stderr)
        more = f"[t]his and {quantity(len(also), 'more call')}, " if also else ""
        granting = more + ("[s]ome of it, " if question.operations else "") + ("[g]rant, " if question.offers else "")
        while True:
            line = self._read(f"[a]llow once, {granting}[d]eny, deny with a [r]eason, [e]dit arguments? ").strip()
            match line.lower():
                case "a" | "allow":
                    return Allow()
                case "t" | "this" if also:
                    if self._are_wanted(also):
                        return Allow(also)
                case "g" | "grant" if question.offers:
                    grant = self._granted(question)
                    if grant is not None:
                        return grant
                case "s" | "some" if question.operations:
                    chosen = self._chosen(question)
                    if chosen is not None:
                        return chosen
                case "d" | "deny":
                    return Deny()
                case "r" | "reason":
                    return Deny(self._read("reason: ").strip())
                case "e" | "edit":
                    edited = self._edited(question)
                    if edited is not None:
                        return Edit(edited)
                case _:
                    _tell_unread(line, "one of the keys in brackets, then Enter")

    def _are_wanted(self, also: tuple[Question, ...]) -> bool:
        for number, question in enumerate(also, 2):
            print(f"{number}. {question_text(question)}", file=sys.stderr)
        wanted = self._read("run the call above and exactly these? [y]es or no: ")
        return wanted.strip().lower() in ("y", "yes")

    def _chosen(self, question: Question) -> Choose | None:
        for number, line in enumerate(question.operations, 1):
            print(f"  {number}  {mark_all(line)}", file=sys.stderr)
        numbers = self._read("which of them may be done? their numbers, with commas: ").replace(",", " ").split()
        if not numbers or not all(number.isdecimal() for number in numbers):
            _tell_unread(" ".join(numbers), "numbers, such as: 1, 2")
            return None
        kept = tuple(sorted(set(map(int, numbers))))
        without = question.only(kept) if question.only and kept[-1] <= len(question.operations) and kept[0] else ""
        if isinstance(without, str):
            print(mark_all(without) or f"they have the numbers 1 to {len(question.operations)}", file=sys.stderr)
            return None
        print(question_text(without), file=sys.stderr)
        return Choose(kept) if self._read("run exactly this? [y]es or no: ").strip().lower() in ("y", "yes") else None

    def _granted(self, question: Question) -> Grant | None:
        offers, scopes = dict(enumerate(question.offers, 1)), {scope[0]: scope for scope in question.scopes}
        for number, offer in offers.items():
            print(f"  {number}  {mark_all(offer.title)}: {mark_all(', '.join(offer.rules))}", file=sys.stderr)
        chosen = self._read("which of these rules? its number: ").strip()
        if not chosen.isdecimal() or int(chosen) not in offers:
            _tell_unread(chosen, f"a number from 1 to {len(offers)}")
            return None
        lasting = " or ".join(f"[{scope[0]}]{scope[1:]}" for scope in question.scopes)
        said = self._read(f"for how long? the {lasting}: ").strip()
        scope = scopes.get(said.lower()[:1])
        if scope is None:
            _tell_unread(said, f"one of: {lasting}")
            return None
        return Grant(scope, offers[int(chosen)].rules)

    def _edited(self, question: Question) -> JsonObject | None:
        try:
            args = parse_json(self._read("arguments as one line of JSON: "))
        except ArgumentsError as error:
            print(mark_all(str(error)), file=sys.stderr)
            return None
        problem = question.check(args) if isinstance(args, dict) else "arguments must be a JSON object"
        if problem or not isinstance(args, dict):
            print(mark_all(problem or ""), file=sys.stderr)
            return None
        return args


def _tell_unread(line: str, wanted: str) -> None:
    """Says of a line why the question comes again."""
    said = f"'{mark_all(line[:40])}' is no answer here" if line else "nothing was typed"
    print(f"{said}; type {wanted}", file=sys.stderr)
