"""What one run gives its tools: where they work, whether to stop, whom to tell.

A tool gets everything it needs from its arguments and from here; it reads no globals. So the same tool works in a
notebook, in a script and in a test. The rule that must never break: a path reaches a tool only through `env.path`,
which follows links first and refuses what lies outside the working folder. Where a call was judged, its tool gets the
places that were judged, whatever has become of the links since.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from cellwright.calls.spill import Spill
from cellwright.commands.jobs import Jobs
from cellwright.definition import Definition
from cellwright.errors import ToolError
from cellwright.files.ledger import Ledger
from cellwright.files.milestones import Milestones
from cellwright.files.real_path import real_path
from cellwright.kernels.kernels import Kernels
from cellwright.runs.budget import Spending
from cellwright.runs.crew import Crew, ScriptedCrew
from cellwright.runs.desk import Desk, ScriptedDesk
from cellwright.views.inquiry import Inquiry, NoReply, Reply
from cellwright.views.shelf import Shelf
from cellwright.views.todo_list import TodoList
from cellwright.waiting.stopping import Stopping


def _ignore(text: str) -> None:
    pass


Ask = Callable[[Inquiry], Awaitable[Reply | NoReply]]


async def _no_reply(inquiry: Inquiry) -> NoReply:
    return NoReply("no one is there to ask")


def _nowhere() -> str:
    return "."


def _nobody() -> bool:
    return False


def _nothing() -> None:
    return None


class Env(Struct, frozen=True):
    """The surroundings of one call; `for_call` makes that of the next."""

    cwd: Path
    """The working folder; a real path."""
    ledger: Ledger = field(default_factory=Ledger)
    spill: Spill = field(default_factory=Spill)
    """The long results of this run; without one of the run's own, what is cut is not kept."""
    spending: Spending = field(default_factory=Spending)
    """What this run has used of its budget; a run that a tool starts gets `spending.below()`, and so draws on it."""
    call_id: str = ""
    """Empty until the tool runs."""
    stopping: Stopping = field(default_factory=Stopping)
    """Set when the tool is asked to stop; long work looks at it now and then."""
    progress: Callable[[str], None] = _ignore
    """Says a line about what the tool is doing. Safe from any thread."""
    deferred: Callable[[], tuple[Definition, ...]] = tuple
    """The tools of this run that the model finds by searching, where there are too many to show them all."""

    crew: Crew = field(default_factory=ScriptedCrew)
    """The sub-agents that a tool can give work to; without one of the run's own there are none."""
    judged: Mapping[str, Path] = field(default_factory=dict)
    """Where the paths of this call led when they were judged; they are not followed again."""
    jobs: Jobs = field(default_factory=Jobs)
    """The commands of this run that go on in the background."""
    moved_to: Callable[[], str] = _nowhere
    """Where commands have moved to, relative to the working folder; `env.folder` is where they run."""
    ask: Ask = _no_reply
    """Puts a question to the person and gives what they say; while they think, no timeout goes on."""
    todo: TodoList = field(default_factory=TodoList)
    """The model's list of what there is to do in this run."""
    is_awaited: Callable[[], bool] = _nobody
    """Whether code waits for the run at this moment, such as the cell of a notebook that started it."""
    kernels: Kernels = field(default_factory=Kernels)
    """The child kernels of this run, in which it runs code."""
    bars: Callable[[], Callable[[str], bool] | None] = _nothing
    """Gives what tells whether a rule keeps this tool from a path that it meets on its way; None if no rule does."""
    desk: Desk = field(default_factory=ScriptedDesk)
    """The notebooks that are open before the person; without one of a front end none is."""
    shelf: Shelf = field(default_factory=Shelf)
    """What a front end may ask for beyond the views: without one of its own, nothing is kept."""
    milestones: Milestones = field(default_factory=Milestones)
    """How many lines lie before some places of the huge files that this run has read."""

    def for_call(
        self, call_id: str, stopping: Stopping, progress: Callable[[str], None], ask: Ask | None = None
    ) -> Env:
        """The same surroundings for one call."""
        return replace(self, call_id=call_id, stopping=stopping, progress=progress, ask=ask or self.ask)

    def judging(self, judged: Mapping[str, Path], bars: Callable[[], Callable[[str], bool] | None]) -> Env:
        """The same surroundings with the places to which the paths of a call lead, and the rules that bar others."""
        return replace(self, judged=judged, bars=bars)

    @property
    def folder(self) -> Path:
        """The real folder in which commands run: the working folder, or one in it, as long as that is there."""
        try:
            folder = contained_path(self.moved_to(), self.cwd)
        except ToolError:
            return self.cwd
        return folder if folder.is_dir() else self.cwd

    def path(self, given: str) -> Path:
        """The real path of a path given by the model, inside the working folder.

        Raises:
            ToolError: `invalid_path` for text that is no path, `outside` for one that leaves the working folder.
        """
        return self.judged.get(given) or contained_path(given, self.cwd)

    def shown(self, path: Path) -> str:
        """A path as people and models read it: relative to the working folder, with forward slashes."""
        return path.relative_to(self.cwd).as_posix() if path.is_relative_to(self.cwd) else str(path)


MAX_PATH = 4096
"""Characters that a path may have; no system takes more, and an error that repeats it would fill a model's context."""


def contained_path(given: str, root: Path) -> Path:
    """The real path, links followed, of `given` seen from `root`, provided it lies in `root`.

    Raises:
        ToolError: `invalid_path` or `outside`, saying what would be accepted, or what stops the system on the way.
    """
    if not given.strip() or "\0" in given:
        raise ToolError("invalid_path", f"{given!r} is not a path; give one relative to the working folder")
    if len(given) > MAX_PATH:
        raise ToolError("invalid_path", f"{given[:80]!r}... is no path: it has {len(given):,} characters")
    if (given == "~" or given.startswith("~/")) and not os.path.lexists(root / "~"):
        raise ToolError(
            "invalid_path",
            f"{given!r} begins with ~, which is no home folder here; give a path relative to the working folder, or "
            f"{'./' + given!r} for a folder of that name",
        )
    try:
        real = _followed(given, root)
    except (OSError, ValueError) as error:
        raise ToolError("invalid_path", f"{given!r} can't be followed: {error}") from None
    _require_inside(given, real, root)
    return real


def _followed(given: str, root: Path) -> Path:
    joined = os.path.join(root, given)
    try:
        return Path(os.path.realpath(joined, strict=True))
    except OSError:
        lenient = Path(os.path.realpath(joined))
    _require_inside(given, lenient, root)
    real = real_path(lenient)  # may see through the spelling of a name, and so follow another link
    if os.path.realpath(real) != str(real):  # what comes after a link to itself may be a link that was not followed
        raise ToolError("link_cycle", f"{given!r} leads through a link to itself; name the real file")
    return real


def _require_inside(given: str, real: Path, root: Path) -> None:
    if not real.is_relative_to(root):
        raise ToolError("outside", f"{given!r} is {real}, outside the working folder {root}; use a path inside it")
