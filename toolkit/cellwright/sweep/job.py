"""What is compared, on what: tasks, candidates, and one run of a sweep.

A task is what a person would ask, in a folder of its own, and how to see whether it was done; a candidate is a model
with its tools, system prompt and conditions. Each run of one by the other is a job, which can be sent to another
process or machine. The rule that must never break: a job holds all that its run needs, and no run sees the files of
another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from cellwright.agent import SYSTEM
from cellwright.errors import UsageError
from cellwright.models.model import Model
from cellwright.permission.decision import Mode
from cellwright.permission.policy import Policy
from cellwright.runs.budget import Budget
from cellwright.spelling import Spelling
from cellwright.tool import Tool

Check = Callable[[Path, str], bool | float]
"""Looks at the folder after the run and at the answer; true or 1.0 for done, something between for a part of it."""
CandidateTools = str | Sequence[Tool | str] | Callable[[], Sequence[Tool | str]]
"""Tools, names of installed tools or presets, or a function that gives them in the process of the run."""
BUDGET = Budget()


class Task(Struct, frozen=True, metaclass=Spelling):
    """Something to be done.

    Raises:
        UsageError: if the prompt is no text, or the folder is not there.
    """

    prompt: str
    name: str = ""
    """What to call it in the results; the prompt's beginning if it has none."""
    folder: str | Path | None = None
    """Each run works in a copy of it; in an empty folder if there is none."""
    check: Check | None = None
    """Says whether it was done; without one there is no score."""

    def __post_init__(self) -> None:
        if not isinstance(self.prompt, str):
            raise UsageError(f"the prompt {self.prompt!r:.80} is no text; write Task('...')")
        if self.folder is not None and not Path(self.folder).is_dir():
            raise UsageError(f"the folder {str(self.folder)!r} of the task {self.label!r} is not there")

    @property
    def label(self) -> str:
        """Its name in the results."""
        return self.name or " ".join(self.prompt.split())[:60]


class Candidate(Struct, frozen=True, metaclass=Spelling):
    """A model, and how it is set up.

    Raises:
        UsageError: if the model is one already made, or none.
    """

    model: str | Callable[[], Model]
    """A name as `model(...)` takes it, or a function that gives a model."""
    name: str = ""
    """What to call it in the results; the model's name if it has none."""
    tools: CandidateTools = "all"
    system: str = SYSTEM
    policy: Policy | Mode = "dont_ask"
    """Nobody is there to be asked: what would ask is denied, unless a mode or rules let it run."""
    budget: Budget = BUDGET

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) and not callable(self.model):
            raise UsageError(
                f"{self.model!r:.80} is no model's name and no function; each run makes its model in a process of its "
                "own, so give a function that makes it: def mine(): return ...; Candidate(mine)"
            )

    @property
    def label(self) -> str:
        """Its name in the results."""
        return self.name or (self.model if isinstance(self.model, str) else getattr(self.model, "__name__", "model"))


class Job(Struct, frozen=True):
    """One run of a task by a candidate."""

    task: Task
    candidate: Candidate
    attempt: int
    """Which of the repeated runs it is, from 1."""
    seconds: float | None = None
    """After so many it is ended from outside, whatever it does; None for never."""

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What tells it from all others of a sweep."""
        return self.task.label, self.candidate.label, self.attempt, self.task.prompt
