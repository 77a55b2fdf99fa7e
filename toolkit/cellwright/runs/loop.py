"""Reason, act, observe, stop: the loop that takes a request to its answer.

The model gives a turn, the calls in it are run, their results join the transcript, and so on until a turn makes no
calls. A call begins while the model still writes, as soon as it is whole. All that can be long (the turn, the calls) is
awaited, so whoever watches the run goes on meanwhile.
The rule that must never break: the loop ends for one of the named reasons, and each call that was made is answered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from cellwright.calls.execution import TURN
from cellwright.calls.executor import Executor
from cellwright.calls.hook_stages import screen
from cellwright.calls.passage import Setup
from cellwright.codec import fields_of
from cellwright.context.compaction import Compaction
from cellwright.errors import LogError
from cellwright.log.events import Log
from cellwright.messages import ModelMessage
from cellwright.models.model import Model, Part, Request, TextPart, ThinkingPart
from cellwright.models.reading import Reading
from cellwright.result import Result
from cellwright.runs.alarm import Alarm
from cellwright.runs.transcript import Transcript

StopReason = Literal["answered", "budget", "repetition", "cancelled", "model_error"]
"""Why a run ended: with an answer, because its budget was used up, because the model repeated a failing call,
because it was stopped, or because the model failed."""
NO_REASONS = ("", "cancelled", "interrupted")
"""What stops a run without more to be said."""


class Ending(Struct, frozen=True):
    """How a run ended."""

    stop_reason: StopReason
    error: str = ""
    """What went wrong, if something did."""


class Reasoner(Struct, frozen=True):
    """A model, and how it is asked in one run."""

    model: Model
    system: str


async def go(prompt: str, reasoner: Reasoner, transcript: Transcript, setup: Setup, tasks: asyncio.TaskGroup) -> Ending:
    """Takes a request to its end. The calls that go on while the model writes are tasks of that group.

    Raises:
        ModelError: if the model fails.
        LogError: if the log can't be written any more.
        BudgetSpent: if there is no room for another turn, or the time is over while the model thinks.
        CancelledError: if the run is stopped between two turns.
    """
    for note in transcript.mended:
        setup.log.record("note", text=note)
    blocked = await _hear(prompt, transcript, setup)
    return Ending("cancelled", blocked) if blocked else await turns(reasoner, transcript, setup, tasks)


async def turns(reasoner: Reasoner, transcript: Transcript, setup: Setup, tasks: asyncio.TaskGroup) -> Ending:
    """The loop itself, from a conversation to which the model has something to say; it raises what `go` does."""
    compaction = Compaction(reasoner.model, reasoner.system, transcript, setup)
    turned = time.monotonic()
    while True:
        if time.monotonic() - turned > TURN:  # a model and tools that never wait let nothing else go on
            await asyncio.sleep(0)
            turned = time.monotonic()
        if setup.log.broken:
            raise LogError(setup.log.broken)
        if setup.pauses.stops_turn():
            await setup.pauses.before_turn(transcript.steps + 1, setup.log, setup.env.spending)
        setup.env.spending.need_room()
        blocked = await _hear_more(transcript, setup)
        if blocked:
            return Ending("cancelled", blocked)
        await compaction.make_room()
        ending = await _step(reasoner, transcript, setup, Executor(setup, tasks))
        if ending:
            return ending


async def _step(reasoner: Reasoner, transcript: Transcript, setup: Setup, executor: Executor) -> Ending | None:
    """One turn and its calls; how the run ends, if it does. A turn that broke off has its calls closed, too."""
    transcript.hear_asides()
    log, shown = setup.log, setup.listing()
    setup.surface.tell(log)
    log.record("turn_started", turn=transcript.steps + 1)
    request = Request(reasoner.system, transcript.conversation, shown.definitions, shown.json)
    reading = Reading(transcript.taken, lambda part: _tell(log, part), executor.take, log.masking.text)
    broken_by = await _read(reading, executor, reasoner, request, setup)
    turn = reading.message
    if not broken_by:
        setup.env.spending.add(turn.usage)
    if not broken_by or turn.text or turn.calls:
        _keep(turn, transcript, setup)
    transcript.steps += not broken_by
    results = await executor.finish(turn.calls)
    ending = settled(turn, results, executor, transcript, setup)
    if broken_by and not isinstance(broken_by, TimeoutError | asyncio.CancelledError):
        raise broken_by
    return ending


def settled(
    turn: ModelMessage, results: Sequence[Result], executor: Executor, transcript: Transcript, setup: Setup
) -> Ending | None:
    """Takes the results of a turn's calls into the conversation; how the run ends, if it does."""
    transcript.observe(results)
    setup.pauses.note(results)
    learned = setup.env.ledger.news()
    if learned:
        setup.log.record("seen", files=learned)
    if executor.stopped:
        reasons = [result.stops_run for result in results if result.stops_run not in NO_REASONS]
        return Ending("cancelled", reasons[0] if reasons else "")
    if not turn.calls:
        transcript.answer = turn.text
        return None if transcript.unheard else Ending("answered")
    return Ending("repetition") if setup.repetition.is_hopeless else None


async def _read(
    reading: Reading, executor: Executor, reasoner: Reasoner, request: Request, setup: Setup
) -> BaseException | None:
    """Reads a turn; what ended it too early, if something did. Then nothing more of it is begun."""
    try:
        with Alarm(setup.env.spending) as executor.alarm:
            await reading.follow(reasoner.model, request)
            task = asyncio.current_task()
            if task and task.cancelling():  # the model kept the cancellation to itself
                raise asyncio.CancelledError
    except GeneratorExit:  # the event loop is gone
        raise
    except TimeoutError as stopped:  # by one of its results
        return stopped
    except BaseException as error:  # the calls that go on have to be stopped, whatever it is
        executor.cancel()
        return error
    return None


def _keep(turn: ModelMessage, transcript: Transcript, setup: Setup) -> None:
    transcript.keep(turn)
    log = setup.log
    log.record(
        "message",
        turn=transcript.steps + 1,
        **fields_of(turn),
        cost=setup.env.spending.money,
    )
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
