"""Putting a question of a tool to the person, in turn with all other questions.

A person reads one thing at a time, so a question waits until the approval before it is given, and the other way round;
while they think, the run's time stands still. What they were asked and what they said is written down. The rule that
must never break: a question ends, with an answer or with the reason why there is none.
"""

from __future__ import annotations

import asyncio

from cellwright.calls.passage import Setup
from cellwright.messages import Call, clean_text, told
from cellwright.person.approval import Approver
from cellwright.views.inquiry import MAX_WORDS, Inquiry, NoReply, Reply, Respondent
from cellwright.views.view import as_json
from cellwright.waiting.hearing import Unheard, heard


async def inquire(call: Call, setup: Setup, inquiry: Inquiry) -> Reply | NoReply:
    """What the person says to a question that a call puts to them."""
    if setup.policy.mode == "dont_ask":
        return NoReply("in mode dont_ask nobody is asked anything")
    shown = setup.log.masking.view(inquiry)
    if not isinstance(shown, Inquiry):
        raise TypeError(f"{type(inquiry).__name__} is no question; give env.ask an Inquiry")
    async with setup.asking:
        setup.log.record("question", id=call.id, name=call.name, view=as_json(shown))
        with setup.env.spending.asking():
            said = await replied(setup.approver, shown)
        kept = {"answer": "reply", "chosen": said.chosen, "text": said.text} if isinstance(said, Reply) else {}
        reason = said.reason if isinstance(said, NoReply) else ""
        setup.log.record("answer", **{"id": call.id, "answer": "no_reply", "reason": reason, **kept})
    return said


async def replied(approver: Approver, inquiry: Inquiry) -> Reply | NoReply:
    """What an approver replies, whatever it does.

    Raises:
        KeyboardInterrupt: from the keyboard.
    """
    if not isinstance(approver, Respondent):
        return NoReply("whoever approves calls here takes no questions")
    said = await heard(approver.reply, inquiry)
    match said:
        case Unheard(asyncio.CancelledError()):
            return NoReply("the question was taken back")
        case Unheard(error):
            return NoReply(f"it could not be asked ({told(error)})")
        case Reply(chosen=tuple(chosen), text=str(text)) if inquiry.fits(said):
            return Reply(chosen, clean_text(text[:MAX_WORDS]))
        case NoReply(reason=str(reason)):
            return NoReply(clean_text(reason), said.declined is True)
    return NoReply("what came was no answer to the question")
