"""One run: a request on its way to an answer, and the ReAct loop that takes it there.

Reason, act, observe, stop: the model gives a turn, the calls in it are run, their results join the conversation, and
so on until a turn makes no calls. The loop is `_go` below; everything else is how to watch it, steer it and stop it.
The rule that must never break: the loop ends for one of the named reasons, with the log closed and each call answered.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import suppress
from typing import Any, Literal

from cellwright.codec import to_json
from cellwright.errors import LogError, ModelError, UsageError
from cellwright.events import Event, Log
from cellwright.hook_stages import notify, screen
from cellwright.hooks import Occasion
from cellwright.ledger import Ledger
from cellwright.messages import (
    Conversation,
    Message,
    ModelMessage,
    ToolMessage,
    Usage,
    UserMessage,
    clean_text,
    told,
)
from cellwright.model import BrokenTurn, Model, Part, Request, TextPart, ThinkingPart, read_turn
from cellwright.passage import Setup
from cellwright.pipeline import not_started, run_call
from cellwright.result import Result
from cellwright.scheduler import run_calls
from cellwright.spill import Spill
from cellwright.trace import Trace, trace_of

StopReason = Literal["answered", "max_steps", "repetition", "cancelled", "model_error"]
"""Why a run ended: with an answer, at its step limit, because the model repeated a failing call, because it was
stopped, or because the model failed."""

_numbers = itertools.count(1)


class Run:
    """A run that has been started. Await it for its end; it never raises for what happens inside it."""

    def __init__(self, prompt: str, model: Model, system: str, max_steps: int, before: Conversation = ()) -> None:
        self.id = f"run-{next(_numbers)}"
        self.prompt = clean_text(prompt)
        self.model = model
        self.stop_reason: StopReason | None = None
        self.error = ""
        """What went wrong, if the model failed, or if the run was stopped because its log could not be written."""
        self.answer = ""
        self.usage = Usage()
        self.steps = 0
        self.ledger = Ledger()
        """What the model has seen of files; a run that goes on from this one knows it, too."""
        self.spill = Spill()
        """The long results; a run that goes on from this one can read them, too."""
        self._system = clean_text(system)
        self._max_steps = max_steps
        self._messages: list[Message] = list(before)
        self._taken = {call.id for message in before if isinstance(message, ModelMessage) for call in message.calls}
        self._said: list[str] = []
        self._results: dict[str, Result] = {}
        self._log: Log | None = None
        self._task: asyncio.Task[None] | None = None
        self._waiting: Callable[[Run], Awaitable[None]] = Run.wait

    def begin(self, setup: Setup, wait: Callable[[Run], Awaitable[None]] | None = None) -> None:
        """Starts the loop as a task of the running event loop; `wait` is how code that awaits the run waits."""
        self._log = setup.log
        self.ledger, self.spill = setup.env.ledger, setup.env.spill
        self._waiting = wait or Run.wait
        self._task = asyncio.get_running_loop().create_task(self._whole(setup), name=self.id)

    @property
    def events(self) -> tuple[Event, ...]:
        """The log so far."""
        return tuple(self._log.events) if self._log else ()

    @property
    def conversation(self) -> Conversation:
        """The messages so far."""
        return tuple(self._messages)

    @property
    def results(self) -> tuple[Result, ...]:
        """The results so far, in the order of the calls."""
        return tuple(self._results.values())

    @property
    def is_done(self) -> bool:
        """Whether the run has ended."""
        return self._task is not None and self._task.done()

    def cancel(self) -> None:
        """Stops the run, from any thread; every call still gets its result. Twice stops waiting for a tool to end.

        It comes after the task's first step, since a task that is cancelled before it never runs at all.
        """
        if self._task and not self._task.done():
            with suppress(RuntimeError):  # the event loop is closed, and the run with it
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    def steer(self, text: str) -> None:
        """Says something to the model while the run is going; it reads it before its next turn.

        Raises:
            UsageError: if the run has ended.
        """
        if self.is_done:
            raise UsageError(f"{self.id} has ended and can't hear {text[:40]!r}; use agent.start(..., after=run)")
        self._said.append(clean_text(text))

    def result(self, call_id: str) -> Result:
        """The result of a call.

        Raises:
            KeyError: if there is no such call, or it is still on its way.
        """
        return self._results[call_id]

    def trace(self, call_id: str) -> Trace:
        """The way of a call: the stages it passed, who decided what, and the time in each.

        Raises:
            KeyError: if there is no such call, or it is still on its way.
        """
        return trace_of(self.events, call_id)

    async def wait(self) -> None:
        """Until the run has ended. Cancelling the waiting does not stop the run."""
        if self._task:
            await asyncio.wait({self._task})

    def __await__(self) -> Generator[Any, None, Run]:
        return self._awaited().__await__()

    async def _awaited(self) -> Run:
        """Cancelling an awaited run stops it, and waits for its clean end."""
        try:
            await self._waiting(self)
        except asyncio.CancelledError:
            self.cancel()
            await self.wait()
            raise
        return self

    def __repr__(self) -> str:
        state = self.stop_reason or "running"
        return f"<Run {self.id}: {state}, {self.steps} steps, {len(self._results)} calls>"

    async def _whole(self, setup: Setup) -> None:
        log = setup.log
        log.record(
            "run_started",
            run=self.id,
            prompt=self.prompt,
            model=self.model.name,
            mode=setup.policy.mode,
            tools=setup.registry.digest,
            cwd=str(setup.env.cwd),
        )
        try:
            self.stop_reason = await self._go(setup)
        except (asyncio.CancelledError, KeyboardInterrupt):
            self.stop_reason = "cancelled"
        except LogError as error:
            self.stop_reason, self.error = "cancelled", str(error)
        except GeneratorExit:  # the event loop is gone
            raise
        except BaseException as error:  # a `SystemExit` that escaped would end the event loop
            self.stop_reason = "model_error"
            self.error = log.masking.text(clean_text(str(error)) if isinstance(error, ModelError) else told(error))
        await self._notify_end(setup)
        log.record(
            "run_ended",
            stop_reason=self.stop_reason,
            answer=self.answer,
            usage=self.usage,
            error=self.error,
            steps=self.steps,
        )
        log.close()

    async def _go(self, setup: Setup) -> StopReason:
        await notify(Occasion("run_start", setup.env.cwd, setup.policy.mode, self.prompt), setup)
        if not await self._hear(self.prompt, setup):
            return "cancelled"
        while self.steps < self._max_steps:
            if setup.log.broken:
                raise LogError(setup.log.broken)
            if not await self._hear_more(setup):
                return "cancelled"
            turn = await self._turn(setup)
            self.steps += 1
            if not turn.calls:
                self.answer = turn.text
                if self._said:
                    continue
                return "answered"
            results = await run_calls(turn.calls, setup)
            self._observe(results)
            stops = [result.stops_run for result in results if result.stops_run]
            if stops:
                self.error = next((why for why in stops if why not in ("cancelled", "interrupted")), "")
                return "cancelled"
            if setup.repetition.is_hopeless:
                return "repetition"
        return "max_steps"

    async def _turn(self, setup: Setup) -> ModelMessage:
        registry, log = setup.registry, setup.log
        log.record("turn_started", turn=self.steps + 1)
        request = Request(self._system, self.conversation, registry.definitions(), registry.definitions_json())
        try:
            turn = await read_turn(self.model, request, self._taken, lambda part: _tell(log, part))
        except BrokenTurn as broken:
            if broken.message.text or broken.message.calls:
                self._keep(broken.message, log)
            for call in broken.message.calls:
                self._observe([await run_call(call, setup, not_started(call))])
            raise ModelError(str(broken)) from None
        if self._task and self._task.cancelling():  # the model kept the cancellation to itself
            raise asyncio.CancelledError
        self._keep(turn, log)
        return turn

    def _keep(self, turn: ModelMessage, log: Log) -> None:
        self.usage += turn.usage
        self._messages.append(turn)
        log.record("message", turn=self.steps + 1, **to_json(turn))
        if turn.stop == "length":
            log.record("note", text="the model's reply was cut off at its length limit")

    def _observe(self, results: Sequence[Result]) -> None:
        for result in results:
            self._results[result.call.id] = result
            self._messages.append(
                ToolMessage(result.call.id, result.call.name, result.content, result.ok, result.images)
            )
        notes = [result.context for result in results if result.context]
        if notes:
            self._messages.append(UserMessage("\n".join(notes)))

    async def _hear(self, text: str, setup: Setup) -> bool:
        """Takes what the person said into the conversation, unless a hook keeps it from the model."""
        screened = await screen(text, setup)
        if screened.blocked:
            self.error = screened.blocked
            return False
        self._messages += [UserMessage(said) for said in (text, *screened.context)]
        return True

    async def _hear_more(self, setup: Setup) -> bool:
        while self._said:
            text = self._said.pop(0)
            setup.log.record("steered", text=text)
            if not await self._hear(text, setup):
                return False
        return True

    async def _notify_end(self, setup: Setup) -> None:
        """Its hooks watch; however often the run is stopped meanwhile, its end is still written down."""
        env, mode, reason = setup.env, setup.policy.mode, self.stop_reason or ""
        with suppress(asyncio.CancelledError, KeyboardInterrupt):
            await notify(Occasion("run_end", env.cwd, mode, self.prompt, stop_reason=reason, answer=self.answer), setup)


def _tell(log: Log, part: Part) -> None:
    match part:
        case TextPart(text=text):
            log.record("text", text=text)
        case ThinkingPart(text=text):
            log.record("thinking", text=text)
