"""`ask_user`: a question to the person, with choices or without.

Some things only the person knows: which of two ways they like, what a word of theirs means. A model that guesses
instead does the wrong work well. It changes nothing, so nobody has to allow it; it takes as long as the person takes.
Where nobody can be asked, the model hears that at once, and goes on by its own judgement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.tool import Opinion, Output, tool
from cellwright.views.inquiry import Inquiry, NoReply, Reply

PATIENCE = 30 * 24 * 3600.0
"""Seconds that a question may stand: as good as for ever."""
MOST = 12
"""Choices of one question; with more, nobody reads them all."""

Label = Annotated[str, Field(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True)
class Option:
    """A choice and what it means."""

    label: Annotated[Label, Field(description="The choice in a few words.")]
    description: Annotated[str, Field(max_length=500, description="What it means, if the label does not say it.")] = ""


def _only_asks(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "allow", "it only asks you"


@tool(check_permission=_only_asks, read_only=True, roles=("main", "sub_agent"), timeout=PATIENCE, origin="built-in")
async def ask_user(
    question: Annotated[str, Field(min_length=1, max_length=4_000)],
    env: Env,
    choices: Annotated[list[Label | Option], Field(max_length=MOST)] | None = None,
    multiple: bool = False,
) -> Output:
    """Ask the person a question, and wait for the answer.

    For what only they can decide or know; not for leave to do something, which is asked for by itself. The person can
    always answer in own words instead of choosing. Errors: no_one_to_ask means that nobody can answer here; go on by
    your own judgement, and say in your answer what you assumed.

    Args:
        question: The question, with all that is needed to answer it.
        choices: The answers that you expect, the one that you would take first.
        multiple: Whether several can be chosen.
    """
    options = [(each, "") if isinstance(each, str) else (each.label, each.description) for each in choices or ()]
    inquiry = Inquiry.of(question, options, multiple)
    said = await env.ask(inquiry)
    view = inquiry.answered(said)
    if isinstance(said, NoReply) and not said.declined:
        message = f"the question was not answered: {said.reason}. Go on by your own judgement, and say what you assumed"
        raise ToolError("no_one_to_ask", message, view)
    if isinstance(said, NoReply):
        return Output({"chosen": [], "text": "", "declined": True}, DECLINED, view)
    return Output({"chosen": list(said.chosen), "text": said.text, "declined": False}, reply_text(said), view)


DECLINED = "The person gave no answer. Go on by your own judgement, and don't ask the same again."


def reply_text(reply: Reply) -> str:
    """What the person said, for the model."""
    chose = f"The person chose: {', '.join(reply.chosen)}" if reply.chosen else ""
    wrote = f"The person wrote: {reply.text}" if reply.text else ""
    return "\n".join(filter(None, (chose, wrote)))
