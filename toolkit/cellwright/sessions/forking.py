"""A fork on its way: what stays is put in place, what is otherwise is done, and then the loop goes on as ever.

The call that is to be otherwise passes all stages like any call: guards and deny rules hold, and the answer that was
given for it is the answer to the question about it, which is asked even where no rule would ask. The rule that must
never break: a fork can do nothing that a run could not do.
"""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from cellwright.calls.executor import Executor
from cellwright.calls.passage import Setup
from cellwright.hooks.hook import Ask, Hook, Occasion
from cellwright.person.approval import Answer, Approver
from cellwright.person.question import Question
from cellwright.runs.loop import Ending, Reasoner, settled, turns
from cellwright.runs.transcript import Transcript
from cellwright.sessions.fork import Fork
from cellwright.views.inquiry import Inquiry, NoReply, Reply, Respondent


async def go_from(
    fork: Fork, reasoner: Reasoner, transcript: Transcript, setup: Setup, tasks: asyncio.TaskGroup
) -> Ending:
    """Takes a fork to its end; `transcript` holds the conversation before its step.

    Raises:
        ModelError, LogError, BudgetSpent, CancelledError: as the loop does.
    """
    transcript.results |= {result.call.id: result for result in fork.results}
    transcript.steps = fork.steps
    if fork.turn is not None:
        transcript.taken |= {call.id for call in fork.turn.calls}
        transcript.messages.append(fork.turn)
        executor = Executor(_deciding(fork, setup), tasks)
        made = await executor.finish(fork.made)
        known = transcript.results | {result.call.id: result for result in made}
        ending = settled(fork.turn, [known[call.id] for call in fork.turn.calls], executor, transcript, setup)
        if ending:
            return ending
    return await turns(reasoner, transcript, setup, tasks)


def _deciding(fork: Fork, setup: Setup) -> Setup:
    """The set-up in which the answer about one call is known beforehand."""
    call_id, decision = fork.source["call"], fork.decision
    if decision is None:
        return setup

    def ask(occasion: Occasion) -> Ask | None:
        return Ask("this call is decided otherwise in a fork") if occasion.call_id == call_id else None

    hooks = (*setup.hooks, Hook("before_call", ask, name="fork"))
    return replace(setup, hooks=hooks, approver=Decided(setup.approver, call_id, decision))


class Decided:
    """Gives the answer that is known about one call, and asks another approver about all others."""

    def __init__(self, approver: Approver, call_id: str, answer: Answer) -> None:
        self._approver = approver
        self._call_id = call_id
        self._answer = answer

    async def ask(self, question: Question) -> Answer:
        """The answer."""
        return self._answer if question.call_id == self._call_id else await self._approver.ask(question)

    async def reply(self, inquiry: Inquiry) -> Reply | NoReply:
        """The person's reply to what a tool wants to know."""
        if not isinstance(self._approver, Respondent):
            return NoReply("whoever approves calls here takes no questions")
        return await self._approver.reply(inquiry)
