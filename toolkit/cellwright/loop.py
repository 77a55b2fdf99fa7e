"""Reason, act, observe, stop: the loop that takes a request to its answer.

The model gives a turn, the calls in it are run, their results join the transcript, and so on until a turn makes no
calls. All that can be long (the turn, the calls) is awaited, so whoever watches the run goes on meanwhile.
The rule that must never break: the loop ends for one of the named reasons, and each call that was made is answered.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from cellwright.alarm import Alarm
from cellwright.codec import to_json
from cellwright.errors import LogError, ModelError
from cellwright.events import Log
from cellwright.hook_stages import screen
from cellwright.messages import ModelMessage
from cellwright.model import BrokenTurn, Model, Part, Request, TextPart, ThinkingPart, read_turn
from cellwright.passage import Setup
from cellwright.pipeline import not_started, run_call
from cellwright.scheduler import run_calls
from cellwright.transcript import Transcript

StopReason = Literal["answered", "budget", "repetition", "cancelled", "model_error"]
"""Why a run ended: with an answer, because its budget was used up, because the model repeated a failing call,
because it was stopped, or because the model failed."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended."""

    stop_reason: StopReason
    error: str = ""
    """What went wrong, if something did."""


@dataclass(frozen=True, slots=True)
class Reasoner:
    """A model, and how it is asked in one run."""

    model: Model
    system: str


async def go(prompt: str, reasoner: Reasoner, transcript: Transcript, setup: Setup) -> Ending:
    """Takes a request to its end.

    Raises:
        ModelError: if the model fails.
        LogError: if the log can't be written any more.
        BudgetSpent: if there is no room for another turn, or the time is over while the model thinks.
        CancelledError: if the run is stopped while the model thinks.
    """
    blocked = await _hear(prompt, transcript, setup)
    while not blocked:
        if setup.log.broken:
            raise LogError(setup.log.broken)
        setup.env.spending.need_room()
        blocked = await _hear_more(transcript, setup)
        if blocked:
            break
        turn = await _turn(reasoner, transcript, setup)
        transcript.steps += 1
        setup.env.spending.add(turn.usage)
        if not turn.calls:
            transcript.answer = turn.text
            if transcript.unheard:
                continue
            return Ending("answered")
        results = await run_calls(turn.calls, setup)
        transcript.observe(results)
        stops = [result.stops_run for result in results if result.stops_run]
        if stops:
            return Ending("cancelled", next((why for why in stops if why not in ("cancelled", "interrupted")), ""))
        if setup.repetition.is_hopeless:
            return Ending("repetition")
    return Ending("cancelled", blocked)


async def _turn(reasoner: Reasoner, transcript: Transcript, setup: Setup) -> ModelMessage:
    log, shown = setup.log, setup.listing()
    log.record("turn_started", turn=transcript.steps + 1)
    setup.surface.tell(log)
    request = Request(reasoner.system, transcript.conversation, shown.definitions, shown.json)
    try:
        with Alarm(setup.env.spending):
            turn = await read_turn(reasoner.model, request, transcript.taken, lambda part: _tell(log, part))
            task = asyncio.current_task()
            if task and task.cancelling():  # the model kept the cancellation to itself
                raise asyncio.CancelledError
    except BrokenTurn as broken:
        if broken.message.text or broken.message.calls:
            _keep(broken.message, transcript, log)
        for call in broken.message.calls:
            transcript.observe([await run_call(call, setup, not_started(call))])
        raise ModelError(str(broken)) from None
    _keep(turn, transcript, log)
    return turn


def _keep(turn: ModelMessage, transcript: Transcript, log: Log) -> None:
    transcript.keep(turn)
    log.record("message", turn=transcript.steps + 1, **to_json(turn))
    if turn.stop == "length":
        log.record("note", text="the model's reply was cut off at its length limit")


async def _hear(text: str, transcript: Transcript, setup: Setup) -> str:
    """Takes what the person said into the conversation, unless a hook keeps it from the model; then says why."""
    screened = await screen(text, setup)
    if not screened.blocked:
        transcript.hear([text, *screened.context])
    return screened.blocked


async def _hear_more(transcript: Transcript, setup: Setup) -> str:
    while transcript.unheard:
        text = transcript.unheard.pop(0)
        setup.log.record("steered", text=text)
        blocked = await _hear(text, transcript, setup)
        if blocked:
            return blocked
    return ""


def _tell(log: Log, part: Part) -> None:
    match part:
        case TextPart(text=text):
            log.record("text", text=text)
        case ThinkingPart(text=text):
            log.record("thinking", text=text)
