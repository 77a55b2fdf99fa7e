"""A question that a model puts to the person, and what the person says.

It is not an approval: nothing waits to run, and there is no right answer to deny by default. The person may choose,
answer in their own words, or not at all, and a run in which nobody can be asked must hear that at once. A question is
its own view: open while it waits, with the answer in it afterwards. The rule that must never break: a reply holds
nothing but choices that were shown and words that the person wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import ToolError
from cellwright.spelling import Spelling
from cellwright.text.visible_text import mark_all

MAX_WORDS = 20_000
"""Characters of an answer in own words that are kept."""


class Reply(Struct, frozen=True, metaclass=Spelling):
    """What the person chose, and what they wrote."""

    chosen: tuple[str, ...] = ()
    text: str = ""


class NoReply(Struct, frozen=True, metaclass=Spelling):
    """There is no answer: nobody could be asked, or the person would not say."""

    reason: str
    declined: bool = False
    """Whether the person was asked, and chose to give no answer."""


class Inquiry(Struct, frozen=True):
    """A question with choices, or without any. `Inquiry.of` is the way to make one that is checked."""

    question: str
    choices: tuple[tuple[str, str], ...] = ()
    """Each choice, and what it means; that may be empty."""
    multiple: bool = False
    """Whether several can be chosen."""
    asker: str = ""
    """The sub-agent that asks; empty for the run itself."""
    state: Literal["open", "answered", "unanswered"] = "open"
    chosen: tuple[str, ...] = ()
    text: str = ""
    """The answer in own words; of a question without an answer, why there is none."""
    kind: Literal["question"] = "question"

    @classmethod
    def of(cls, question: str, choices: Sequence[tuple[str, str]] = (), multiple: bool = False) -> Inquiry:
        """A question with these choices, each in one line.

        Raises:
            ToolError: `invalid_arguments` for a question or choice without words, or a choice that is there twice.
        """
        if not question.strip():
            raise ToolError("invalid_arguments", "the question has no words; say what you want to know")
        shown = tuple((_one_line(label), _one_line(meaning)) for label, meaning in choices)
        labels = [label for label, _ in shown]
        for number, label in enumerate(labels, 1):
            if not label:
                raise ToolError("invalid_arguments", f"choice {number} has no words")
            if label in labels[: number - 1]:
                raise ToolError("invalid_arguments", f"the choice {label[:80]!r} is there twice; each is there once")
        if multiple and not shown:
            raise ToolError("invalid_arguments", "multiple is for a question with choices, and there are none")
        return cls(question, shown, multiple)

    @property
    def labels(self) -> tuple[str, ...]:
        """What can be chosen."""
        return tuple(label for label, _ in self.choices)

    def fits(self, reply: Reply) -> bool:
        """Whether a reply answers this question."""
        chosen = reply.chosen
        known = set(chosen) <= set(self.labels) and len(set(chosen)) == len(chosen)
        return known and (len(chosen) <= 1 or self.multiple) and bool(chosen or reply.text.strip())

    def answered(self, said: Reply | NoReply) -> Inquiry:
        """The question with its answer in it."""
        if isinstance(said, NoReply):
            return replace(self, state="unanswered", text=said.reason)
        return replace(self, state="answered", chosen=said.chosen, text=said.text)


@runtime_checkable
class Respondent(Protocol):
    """Someone who can be put a question. Cancelled when the run stops waiting."""

    async def reply(self, inquiry: Inquiry) -> Reply | NoReply:
        """The person's answer."""


def inquiry_text(inquiry: Inquiry) -> str:
    """The question as plain text with its choices numbered, and its answer if there is one; nothing hidden."""
    asker = f"{mark_all(inquiry.asker)} asks: " if inquiry.asker else ""
    lines = [asker + mark_all(inquiry.question)]
    for number, (label, meaning) in enumerate(inquiry.choices, 1):
        sign = "*" if label in inquiry.chosen else " "
        lines.append(f" {sign}{number}  {mark_all(label)}" + (f": {mark_all(meaning)}" if meaning else ""))
    if inquiry.state == "unanswered":
        lines.append(f"no answer: {mark_all(inquiry.text)}")
    elif inquiry.text:
        lines.append(f"answer: {mark_all(inquiry.text)}")
    return "\n".join(lines)


def read_reply(line: str, inquiry: Inquiry) -> Reply | NoReply | None:
    """What a line says that was typed as an answer: numbers of choices, other words; None if it can't be meant."""
    line = line.strip()
    if not line:
        return NoReply("the person gave no answer", declined=True)
    if not inquiry.choices or not re.fullmatch(r"\d+([\s,;]+\d+)*[\s,;]*", line, re.ASCII):
        return Reply(text=line[:MAX_WORDS])
    numbers = dict.fromkeys(int(number[:9]) for number in re.findall(r"\d+", line))
    if not all(1 <= number <= len(inquiry.choices) for number in numbers):
        return None
    reply = Reply(tuple(inquiry.labels[number - 1] for number in sorted(numbers)))
    return reply if inquiry.fits(reply) else None


def _one_line(text: str) -> str:
    return " ".join(text.split())
