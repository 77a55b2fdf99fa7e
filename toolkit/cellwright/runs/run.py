"""One run: a request on its way to an answer, as the person holds it in hand.

It is started once, can be watched, steered, stopped and awaited, and is asked for what came of it. The loop itself
stands in `loop.py`. The rule that must never break: a run that began writes down its end, whatever happens in it, and
awaiting it never raises for that.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec.structs import replace

from cellwright.calls.hook_stages import notify
from cellwright.calls.passage import Setup, close_all, close_calls
from cellwright.catalogue import Tools
from cellwright.errors import LogError, ModelError, UsageError
from cellwright.hooks.hook import Occasion
from cellwright.log.events import Event, Log
from cellwright.log.trace import Trace, trace_of
from cellwright.messages import Conversation, Usage, clean_text, told
from cellwright.models.model import Model
from cellwright.permission.decision import Mode
from cellwright.result import Result
from cellwright.runs.budget import BudgetSpent, Spending
from cellwright.runs.loop import Ending, Reasoner, StopReason, go
from cellwright.runs.opening import write_start
from cellwright.runs.steerable import Going, Steerable
from cellwright.runs.transcript import Transcript
from cellwright.sessions.fork import AS_RECORDED, Fork, Otherwise
from cellwright.sessions.forking import go_from
from cellwright.sessions.standpoint import NOWHERE, Standpoint
from cellwright.text.quantity import quantity
from cellwright.undo.undoable import Undoable
from cellwright.undo.undoing import Undoing
from cellwright.views.todo_list import TodoList

Forker = Callable[["Run", int, Otherwise, Model | None, Tools | None], "Run"]
LOOP_GONE = Ending("cancelled", "the event loop ended before the run")
_numbers = itertools.count(1)


class Run(Undoable, Steerable):
    """A run that has been started. Await it for its end; it never raises for what happens inside it."""

    def __init__(
        self, prompt: str, model: Model, system: str, earlier: Standpoint = NOWHERE, fork: Fork | None = None
    ) -> None:
        self.id = f"run-{next(_numbers)}"
        self.prompt = clean_text(prompt)
        self.model = model
        self.stop_reason: StopReason | None = None
        self.error = ""
        """What went wrong, or which budget was used up."""
        self.todo = TodoList()
        """The model's list of what there is to do, which a run that goes on from this one has, too."""
        self.spending = Spending()
        """What the run has used of its budget, with the runs that it started."""
        self.children: list[Run] = []
        """The runs of its sub-agents, in the order in which they were started."""
        self.reasoner = Reasoner(model, clean_text(system))
        self._earlier, self._fork = earlier, fork
        self._transcript = Transcript(earlier.conversation)
        self._log: Log | None = None
        self._setup: Setup | None = None
        self._task: asyncio.Task[None] | None = None
        self._forker: Forker | None = None
        self._waiting: Callable[[Run], Awaitable[None]] = Run.wait

    def begin(
        self, setup: Setup, wait: Callable[[Run], Awaitable[None]] | None = None, forker: Forker | None = None
    ) -> None:
        """Starts the loop as a task of the running event loop; `wait` is how code that awaits the run waits, `forker`
        how a fork of it is started."""
        self._forker = forker
        self._log, self._setup = setup.log, setup
        self.todo, self.spending = setup.env.todo, setup.env.spending
        self._waiting = wait or Run.wait
        self._task = asyncio.get_running_loop().create_task(self._whole(setup), name=self.id)

    @property
    def events(self) -> tuple[Event, ...]:
        """The log so far."""
        return tuple(self._log.events) if self._log else ()

    @property
    def answer(self) -> str:
        """What the model said last, without calling anything."""
        return self._transcript.answer

    @property
    def usage(self) -> Usage:
        """Tokens of all turns so far."""
        return self._transcript.usage

    @property
    def cost(self) -> float | None:
        """US dollars so far, with the runs that it started; None if some price is not known."""
        return self.spending.money

    @property
    def steps(self) -> int:
        """Turns that the model has given so far."""
        return self._transcript.steps

    @property
    def conversation(self) -> Conversation:
        """The messages so far."""
        return tuple(self._transcript.messages)

    @property
    def unheard(self) -> tuple[str, ...]:
        """What was said to it and the model has not read; once it has ended, it never will."""
        return tuple(self._transcript.unheard)

    @property
    def taken(self) -> set[str]:
        """The ids of all calls so far, those of its code included; whoever makes a call adds its id."""
        return self._transcript.taken

    @property
    def results(self) -> tuple[Result, ...]:
        """The results so far, in the order of the calls."""
        return tuple(self._transcript.results.values())

    @property
    def found(self) -> tuple[str, ...]:
        """The deferred tools that the model has found; a run that goes on from this one shows them, too."""
        return self._setup.standing.now.found if self._setup else ()

    @property
    def standpoint(self) -> Standpoint:
        """Where the run stands; what a run that goes on from this one begins with."""
        log, setup = self._log, self._setup
        if log is None or setup is None:
            return Standpoint(self.conversation, self.id)
        env, now = setup.env, setup.standing.now
        known = env.ledger, tuple(env.spill.kept.values()), env.todo.now, env.kernels.names()
        return Standpoint(self.conversation, self.id, log.id, log.path, now.found, now.folder, *known)

    @property
    def mode(self) -> Mode | None:
        """The mode as it is now; None before the run has begun."""
        return self._setup.policy.mode if self._setup else None

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
        self._transcript.unheard.append(clean_text(text))

    def fork(
        self, step: int, otherwise: Otherwise = AS_RECORDED, *, model: Model | None = None, tools: Tools | None = None
    ) -> Run:
        """Starts a run that is this one up to a step, and from there another: with what is otherwise about a call of
        the step, else with the model, or another one, asked anew, and with other `tools` if they are given. Nothing
        that is recorded is done again.

        Raises:
            UsageError: if there is no such step, call or tool, or this is the run of a sub-agent.
        """
        if self._forker is None:
            raise UsageError(f"{self.id} was not started by an agent of yours; write agent.fork(run, {step!r})")
        return self._forker(self, step, otherwise, model, tools)

    def going(self) -> Going | None:
        """The run as it goes on."""
        return (self._setup, self._task) if self._setup and self._task else None

    def undoing(self) -> Undoing:
        """Who takes back what its calls did."""
        if self._setup is None:
            raise UsageError(f"{self.id} has not begun, so there is nothing to undo")
        tell = partial(self._transcript.hear_aside, lambda: self.is_done)
        env = self._setup.env
        return Undoing(self._setup.log, env.cwd, self._setup.snapshots, tell, env.desk)

    def result(self, call_id: str) -> Result:
        """The result of a call.

        Raises:
            KeyError: if there is no such call, or it is still on its way.
        """
        if call_id not in self._transcript.results:
            raise KeyError(f"no result of a call {call_id!r} in this run; run.results has those that there are")
        return self._transcript.results[call_id]

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
        return f"<Run {self.id}: {state}, {quantity(self.steps, 'step')}, {quantity(len(self.results), 'call')}>"

    async def _whole(self, setup: Setup) -> None:
        """The run from its first event to its last; the group sees to it that no task is left when it ends."""
        ending = LOOP_GONE
        async with asyncio.TaskGroup() as tasks:
            with suppress(GeneratorExit):
                ending = await self._ending(setup, tasks)
        self.stop_reason, self.error = ending.stop_reason, ending.error
        if ending is LOOP_GONE:  # nothing can be awaited any more, but written, unless the log's file is gone as well
            with suppress(Exception):
                close_calls(setup.log, "the event loop ended before this call; it may have had effects")
                self._write_end(setup.log)
            return
        await close_all(setup)
        await self._notify_end(setup)
        self._write_end(setup.log)

    def _write_end(self, log: Log) -> None:
        self._transcript.hear_asides()
        log.record(
            "run_ended",
            stop_reason=self.stop_reason,
            answer=self.answer,
            usage=self.usage,
            cost=self.cost,
            error=self.error,
            steps=self.steps,
        )
        log.close()

    async def _ending(self, setup: Setup, tasks: asyncio.TaskGroup) -> Ending:
        """The loop, with each way in which it can end."""
        try:
            sound = replace(self._earlier, conversation=self._transcript.conversation)
            write_start(self.id, self.prompt, self.reasoner, sound, setup, self._fork)
            await notify(Occasion("run_start", setup.env.cwd, setup.policy.mode, self.prompt), setup)
            if self._fork:
                return await go_from(self._fork, self.reasoner, self._transcript, setup, tasks)
            return await go(self.prompt, self.reasoner, self._transcript, setup, tasks)
        except (asyncio.CancelledError, KeyboardInterrupt):
            return Ending("cancelled")
        except LogError as error:
            return Ending("cancelled", str(error))
        except ModelError as error:
            return Ending("model_error", setup.log.masking.text(clean_text(str(error))))
        except BudgetSpent as spent:
            advice = "go on with agent.start(..., after=run), which has it again, or give the agent a larger budget"
            return Ending("budget", f"{spent}; {advice}")
        except GeneratorExit:  # the event loop is gone
            raise
        except BaseException as error:  # a `SystemExit` that escaped would end the event loop
            return Ending("model_error", setup.log.masking.text(told(error)))

    async def _notify_end(self, setup: Setup) -> None:
        """Its hooks watch; however often the run is stopped meanwhile, its end is still written down."""
        env, mode, reason = setup.env, setup.policy.mode, self.stop_reason or ""
        with suppress(asyncio.CancelledError, KeyboardInterrupt):
            await notify(Occasion("run_end", env.cwd, mode, self.prompt, stop_reason=reason, answer=self.answer), setup)
