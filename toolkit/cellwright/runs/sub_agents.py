"""The sub-agents of a run: each a run of its own, under the conditions of the one that started it.

A sub-agent has its own conversation, log and ledger, and begins with nothing but its prompt. It is judged by the rules
and the mode of its parent as they are when it calls a tool, without what the person granted to the parent; it can't
start agents itself. Those that work beside the run can ask nobody. The rule that must never break: when a run ends,
its sub-agents have ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.repetition import Repetition
from cellwright.calls.spill import Spill
from cellwright.commands.jobs import Jobs
from cellwright.errors import LogError, ToolError, unknown_name
from cellwright.files.ledger import Ledger
from cellwright.kernels.kernels import Kernels
from cellwright.log.events import Event, Log, Observer
from cellwright.log.log_file import log_of_agent
from cellwright.permission.grant import Grants
from cellwright.person.approval import Answer, Approver, Unavailable
from cellwright.person.question import Question
from cellwright.role import Role
from cellwright.runs.crew import Assignment, Report, ScriptedCrew
from cellwright.runs.run import Run
from cellwright.surface import Surface
from cellwright.undo.snapshots import Snapshots
from cellwright.views.inquiry import Inquiry, NoReply, Reply, Respondent
from cellwright.views.todo_list import TodoList
from cellwright.waiting.outlasting import outlast

AT_ONCE = 8
"""Sub-agents of one run that work at the same time, at most."""
BRIEFING = (
    "You are a sub-agent: another agent gave you this piece of its work, and sees nothing of it but your last answer. "
    "Answer with what was asked for, and with what you could not find out or do."
)


class Member(Struct, frozen=True):
    """A sub-agent and its work."""

    assignment: Assignment
    run: Run


class SubAgents:
    """The crew of one run."""

    def __init__(self, parent: Run, observers: Sequence[Observer] = ()) -> None:
        self._parent = parent
        self._observers = tuple(observers)
        self._members: dict[str, Member] = {}
        self._setup: Setup | None = None

    def work_under(self, setup: Setup) -> None:
        """Takes over the conditions of the parent; before that nobody can be started."""
        self._setup = setup

    def start(self, assignment: Assignment) -> str:
        """Starts a sub-agent, and returns its name.

        Raises:
            ToolError: `too_many_agents`, or `no_agents` if none can be started.
        """
        if self._setup is None:
            raise ToolError("no_agents", "the run has not begun, so it can't start agents")
        busy = [name for name, member in self._members.items() if not member.run.is_done]
        if len(busy) >= AT_ONCE:
            raise ToolError(
                "too_many_agents", f"{AT_ONCE} agents are at work ({', '.join(busy)}); wait for some of them"
            )
        name = f"agent-{len(self._members) + 1}"
        run = self._begun(name, assignment, self._setup)
        self._members[name] = Member(assignment, run)
        self._parent.children.append(run)
        return name

    async def reports(self, names: Iterable[str], timeout: float | None) -> tuple[Report, ...]:
        """The reports of these (of all, if none is named) once they have ended, or after so many seconds.

        Raises:
            ToolError: `not_found` for a name that no sub-agent has.
        """
        chosen = {name: self._member(name) for name in names} or dict(self._members)
        waiting = [asyncio.ensure_future(member.run.wait()) for member in chosen.values()]
        try:
            if waiting:
                await asyncio.wait(waiting, timeout=timeout)
        finally:
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        return tuple(self._report(name, member) for name, member in chosen.items())

    async def stop(self, names: Iterable[str] = ()) -> None:
        """Stops these, or all, and waits until they have ended, also when the waiting is cancelled."""
        runs = [self._member(name).run for name in names] or [member.run for member in self._members.values()]
        for run in runs:
            run.cancel()
        await outlast(
            lambda: all(run.is_done for run in runs), lambda: next(run for run in runs if not run.is_done).wait()
        )

    def _member(self, name: str) -> Member:
        if name not in self._members:
            raise unknown_name("sub-agent", name, *self._members)
        return self._members[name]

    def _begun(self, name: str, assignment: Assignment, setup: Setup) -> Run:
        reasoner = self._parent.reasoner
        run = Run(assignment.prompt, reasoner.model, f"{reasoner.system}\n\n{BRIEFING}")
        surface, spill = Surface(setup.surface.threshold), Spill(setup.env.cwd, run.id)
        role: Role = "background" if assignment.background else "sub_agent"
        standing = Beneath(setup.standing, role)
        env = replace(
            setup.env,
            ledger=Ledger(),
            spill=spill,
            spending=setup.env.spending.below(),
            deferred=surface.deferred,
            crew=ScriptedCrew(),
            jobs=Jobs(),
            moved_to=lambda: standing.now.folder,
            todo=TodoList(),
            kernels=Kernels(gateway=setup.env.kernels.gateway),
        )
        approver: Approver = Unattended(name) if assignment.background else Named(setup.approver, name)
        asking = asyncio.Lock() if assignment.background else setup.asking  # who asks nobody waits for nobody
        try:
            tellers = [Teller(name, assignment.progress)] if assignment.progress else []
            log = Log((*self._observers, *tellers), _log_path(name, setup.log), setup.log.masking)
        except LogError as error:
            raise ToolError("no_agents", str(error)) from None
        below = replace(setup, env=env, standing=standing, approver=approver, log=log, repetition=Repetition())
        below = replace(below, surface=surface, grants=Grants(), asking=asking, snapshots=Snapshots(env.cwd, run.id))
        run.begin(replace(below, closing=(env.jobs.close, env.kernels.close)))
        return run

    def _report(self, name: str, member: Member) -> Report:
        run, log = member.run, member.run.standpoint.path
        calls = tuple((result.call.name, result.error_type or "ok") for result in run.results)
        state, about = run.stop_reason or "running", member.assignment.task
        return Report(name, about, state, run.answer, run.error, run.steps, calls, run.usage, str(log) if log else "")


def _log_path(name: str, above: Log) -> Path | None:
    return log_of_agent(above.path, above.id, name) if above.path else None


class Beneath(Standing):
    """The conditions of a sub-agent: those of its parent as they are now, with the tools of its own role.

    What the parent had found is found here, too, and commands begin in its folder; after that each goes its own way.
    """

    def __init__(self, above: Standing, role: Role) -> None:
        super().__init__(self._lowered(above.now, role))
        self._above = above
        self._role = role
        self._seen = above.now

    @property
    def now(self) -> Conditions:
        """What holds now; worked out anew when the parent's conditions have changed."""
        if self._above.now is not self._seen:
            self._seen = self._above.now
            self._now = replace(self._lowered(self._seen, self._role), found=self._now.found, folder=self._now.folder)
        return self._now

    def become(self, after: Conditions, log: Log, call_id: str = "") -> None:
        """A sub-agent finds tools and changes folders for itself; any other change is noted and not made."""
        if after == replace(self.now, found=after.found, folder=after.folder):
            super().become(after, log, call_id)
            return
        log.record("note", text=f"the conditions stay those of the parent; a sub-agent can't change them ({call_id})")

    @staticmethod
    def _lowered(above: Conditions, role: Role) -> Conditions:
        return replace(above, selection=above.selection.inner(role))


class Teller:
    """An observer that tells the run which waits what its sub-agent calls, and that it waits for the person."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        self._name = name
        self._tell = tell

    def on_event(self, event: Event) -> None:
        """Tells a call, a question or its answer as a line of progress."""
        match event.kind:
            case "call":
                self._tell(f"{self._name}: {event.data['name']}")
            case "question":
                self._tell(f"{self._name} asks about {event.data['name']}")
            case "answer":
                self._tell(f"{self._name} has its answer: {event.data['answer']}")


class Named:
    """Asks the parent's approver, and says who asks."""

    def __init__(self, approver: Approver, name: str) -> None:
        self._approver = approver
        self._name = name

    async def ask(self, question: Question) -> Answer:
        """The person's answer."""
        return await self._approver.ask(replace(question, reason=f"{self._name} asks: {question.reason}"))

    async def reply(self, inquiry: Inquiry) -> Reply | NoReply:
        """The person's reply."""
        if not isinstance(self._approver, Respondent):
            return NoReply("whoever approves calls here takes no questions")
        return await self._approver.reply(replace(inquiry, asker=self._name))


class Unattended:
    """No one is asked for a sub-agent in the background: the person is busy with the run itself."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def ask(self, question: Question) -> Answer:
        """Always `Unavailable`."""
        return Unavailable(f"{self._name} works in the background, where nobody can be asked")
