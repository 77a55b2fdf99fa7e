"""An agent: a model, tools, and the conditions under which it may use them.

`agent.start("...")` begins a run and returns at once; `await agent.run("...")` waits for its end. Whom the run asks
and who watches it is its company, one method that a front end overrides; nothing here knows of notebooks or widgets.
The lesson is `notebooks/08_agent.ipynb`.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cellwright.calls.around import Around
from cellwright.calls.conditions import MAX_PARALLEL, Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.catalogue import Tools, registry_of
from cellwright.code_mode.code_mode import CodeMode
from cellwright.context.context_window import ContextWindow, known_window
from cellwright.deferral import THRESHOLD, Threshold
from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.given import (
    given_approver,
    given_budget,
    given_hooks,
    given_list,
    given_model,
    given_observers,
    given_policy,
    given_secrets,
    given_system,
    given_timeout,
)
from cellwright.hooks.hook import Hook
from cellwright.kernels.kernels import Kernels, gateway_of
from cellwright.log.events import Log, Observer
from cellwright.log.log_file import beside, in_made_folder
from cellwright.models.model import Model
from cellwright.permission.decision import Mode
from cellwright.permission.grant import Grants
from cellwright.permission.policy import Policy
from cellwright.person.approval import Approver, ConsoleApprover
from cellwright.runs.budget import Budget, Spending
from cellwright.runs.company import Company, Waiting
from cellwright.runs.earlier import Earlier, recorded, standpoint
from cellwright.runs.instructions import project_instructions
from cellwright.runs.price import Price, known_cost
from cellwright.runs.run import Run
from cellwright.runs.sub_agents import SubAgents
from cellwright.selection import EVERYTHING, Selection
from cellwright.sessions.fork import AS_RECORDED, Fork, Otherwise, fork_of
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.sessions.standpoint import Standpoint
from cellwright.surface import Surface
from cellwright.text.masking import Masking
from cellwright.text.quantity import quantity
from cellwright.undo.snapshots import Snapshots
from cellwright.unknown_names import unknown_names, warn_of
from cellwright.waiting.keyboard import run_until_interrupted

if TYPE_CHECKING:
    from cellwright.kernels.gateway import Gateway

SYSTEM = (
    "You work with the tools you are given, in the person's working folder. Look before you change anything, change "
    "as little as possible, and say plainly what you did and what you could not do. A denied call stays denied: read "
    "the reason and find another way, or ask."
)


DEFAULT_BUDGET = Budget()


class Agent:
    """A model with tools. Each run starts a conversation of its own, or goes on from an earlier run.

    `tools` is a registry, or tools, names of installed tools and presets (`all`, `minimal`, `notebook`, `read_only`);
    in a `CodeMode` the model calls them from code. `selection` says which of them its runs are shown and may call, and
    in which role it works; above `threshold`, the less common ones are not shown until they were found. Secrets of the
    environment are masked wherever they would be shown or kept; `secrets` names more of them. `budget` is what each run
    may use; `price` is that of the model, and `window` how much it can be sent, where that is not known by itself;
    `kernels` is the address of a Jupyter server
    or Kernel Gateway, on which its code then runs (by default CELLWRIGHT_GATEWAY_URL, if that is set); "" for none.

    Raises:
        UsageError: if the model is none, the working folder does not exist, or a rule or mode can't be read.
    """

    def __init__(
        self,
        model: Model,
        tools: Tools | CodeMode = "all",
        *,
        cwd: str | Path = ".",
        policy: Policy | Mode = "default",
        approver: Approver | None = None,
        observers: Sequence[Observer] = (),
        hooks: Sequence[Hook] = (),
        around: Sequence[Around] = (),
        selection: Selection = EVERYTHING,
        threshold: Threshold = THRESHOLD,
        system: str = SYSTEM,
        budget: Budget = DEFAULT_BUDGET,
        price: Price | None = None,
        window: ContextWindow | None = None,
        max_parallel: int = MAX_PARALLEL,
        timeout: float | None = None,
        log: str | Path | None = None,
        secrets: Mapping[str, str] | None = None,
        kernels: Gateway | str | None = None,
    ) -> None:
        self.last_run: Run | None = None
        """The run that was started last, while it goes on and after."""
        self._copied_from: Agent | None = None
        self.model = given_model(model)
        self._take(tools)
        self.cwd = Path(cwd).resolve()
        if not self.cwd.is_dir():
            raise UsageError(f"the working folder {self.cwd} is not there; make it, or give another as cwd=")
        self.policy = given_policy(policy)
        self.selection = selection
        self.threshold = threshold
        self.grants = Grants()
        """What was granted for the session: all runs of this agent."""
        self.system = given_system(system)
        self.budget = given_budget(budget)
        self.price = price
        self.window = window or known_window(self.model.name)
        """How much the model can be sent; None if it is not known."""
        self.max_parallel = Conditions(self.policy, max_parallel=max_parallel).max_parallel
        """Calls that run at once at most; a run that is going is told by `run.set_max_parallel`."""
        self.timeout = given_timeout(timeout)
        self._approver = given_approver(approver)
        self._observers = given_observers(observers)
        self.hooks = given_hooks(hooks)
        self.around = tuple(given_list("around", around))
        self._log_path = Path(log).absolute() if log else None
        self.gateway = gateway_of(kernels)
        self._secrets = given_secrets(secrets, self.gateway.token if self.gateway else "")

    def __repr__(self) -> str:
        tools = quantity(len(self.registry.tools), "tool")
        return f"<Agent: {self.model.name}, {tools}, mode {self.policy.mode}>"

    def start(self, prompt: str, *, after: Earlier | None = None) -> Run:
        """Begins a run in the background of the running event loop.

        `after` goes on from the conversation of a run, with what it has read, from a session, or from messages from
        elsewhere. A run that goes on from one with a log is written behind it, unless the agent has a log of its own.

        Raises:
            UsageError: if no event loop is running, the prompt is no text, the earlier run is still going, `after` is
                none of these, or money is limited for a model whose price is not known.
        """
        _need_loop()
        if not isinstance(prompt, str):
            raise UsageError(f"the prompt {prompt!r:.80} is no text; write agent.start('...')")
        return self._begun(prompt, standpoint(after))

    def fork(
        self,
        run: Run | RecordedRun | Session,
        step: int,
        otherwise: Otherwise = AS_RECORDED,
        *,
        model: Model | None = None,
        tools: Tools | CodeMode | None = None,
    ) -> Run:
        """Begins a run that is another one up to a step: a run of this kernel, or the last of a session.

        What is recorded before the step, and in it beside the call that is to be `otherwise`, stays and is not done
        again. Without that the model is asked anew, this agent's or another `model`, with its tools or other `tools`.

        Raises:
            UsageError: if no event loop is running, there is no such step or call, or no such tool.
        """
        _need_loop()
        if model is not None or tools is not None:
            other = copy.copy(self)
            other._copied_from = self
            other.model = self.model if model is None else given_model(model)
            if tools is not None:
                other._take(tools)
            return other.fork(run, step, otherwise)
        fork = fork_of(recorded(run), step, otherwise)
        return self._begun(fork.prompt, fork.standpoint, fork)

    def _begun(self, prompt: str, earlier: Standpoint, fork: Fork | None = None) -> Run:
        spending = Spending(self.budget, self.price.cost if self.price else known_cost(self.model.name))
        instructions = project_instructions(self.cwd)
        run = Run(prompt, self.model, instructions.after(self.system), earlier, fork)
        company = self.company(run)
        if not (self._observers or company.observers):  # else who watches is told of it by a note
            warn_of(unknown_names(self.policy, self.selection, self.registry, self.hooks))
        waiting = Waiting(company.wait)
        path, masking = self._log_path or earlier.path, Masking.of_environment(self._secrets)
        path = beside(path) if fork and path else path
        log = Log((*self._observers, *company.observers), in_made_folder(path, self.cwd), masking)
        approver = self._approver or company.approver
        crew, surface = SubAgents(run, self._observers), Surface(self.threshold)
        conditions = Conditions(self.policy, self.selection, earlier.found, self.max_parallel, earlier.folder)
        standing = Standing(conditions)
        env = Env(
            self.cwd,
            spending=spending,
            crew=crew,
            deferred=surface.deferred,
            moved_to=lambda: standing.now.folder,
            is_awaited=waiting.is_going_on,
            kernels=Kernels(gateway=self.gateway),
            shelf=company.shelf.of(masking.json),
            desk=company.desk,
        )
        env = earlier.env(env, run.id)
        setup = Setup(self.registry, env, standing, approver, log, self.timeout, surface=surface)
        setup = replace(setup, hooks=self.hooks, around=self.around, window=self.window)
        setup = replace(setup, snapshots=Snapshots(self.cwd, run.id), notes=instructions.notes)
        crew.work_under(setup)
        setup = replace(setup, closing=(crew.stop, env.jobs.close, env.kernels.close), grants=Grants(self.grants))
        if self._code_mode:
            setup = self._code_mode.setup(setup, run.taken)
        if self.gateway:
            self.gateway.look_ahead()
        run.begin(setup, waiting, self._forked)
        self._began(run)
        return run

    def _began(self, run: Run) -> None:
        """Its own copies start runs of it too: forks with another model or other tools, and forks of these."""
        self.last_run = run
        if self._copied_from:
            self._copied_from._began(run)

    def _forked(self, run: Run, step: int, otherwise: Otherwise, model: Model | None, tools: Tools | None) -> Run:
        return self.fork(run, step, otherwise, model=model, tools=tools)

    def _take(self, tools: Tools | CodeMode) -> None:
        self._code_mode = tools if isinstance(tools, CodeMode) else None
        self.registry = registry_of(tools.registry if isinstance(tools, CodeMode) else tools)

    async def run(self, prompt: str, *, after: Earlier | None = None) -> Run:
        """Begins a run and waits for its end."""
        return await self.start(prompt, after=after)

    # What Python calls its coroutine, when it shows one and when it warns: every beginner forgets to await it.
    run.__qualname__ = "Agent.run (needs `await`: run = await agent.run(...))"

    def run_sync(self, prompt: str, *, after: Earlier | None = None) -> Run:
        """The same from a script without an event loop.

        Raises:
            UsageError: where a loop is running already, as in a notebook: use `await agent.run(...)` there.
        """
        if _loop_is_running():
            raise UsageError("an event loop is running here, as in a notebook; write `await agent.run(...)` instead")
        return run_until_interrupted(self.run(prompt, after=after))

    def company(self, run: Run) -> Company:
        """Who is around while this run goes on. A front end overrides this; here it is the person at a terminal."""
        return Company(ConsoleApprover())


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _need_loop() -> None:
    if not _loop_is_running():
        raise UsageError("no event loop is running; in a script use agent.run_sync(...), or asyncio.run(...)")
