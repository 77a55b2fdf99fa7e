"""A session: the runs that one file holds, one after another, in whatever kernel they went on.

A kernel ends, is restarted, is killed; what was said and done in it is on disk. `Session.load` reads it, gives each run
the end that it lacks, and says what it mended. `agent.start("...", after=session)` goes on from its last run, and is
written into the same file if the agent names no other. The rule that must never break: what another run is writing is
looked at, and never written into.
The lesson is `notebooks/09_session.ipynb`.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from cellwright.log.log_reading import read_file
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.text.quantity import quantity


class Session(Struct, frozen=True):
    """The runs of a file."""

    path: Path
    runs: tuple[RecordedRun, ...]
    """In the order in which they were written; there is one at least."""
    notes: tuple[str, ...] = ()
    """What was mended: a line that was torn, a run that had no end, calls that had no result."""
    is_going_on: bool = False
    """Whether a run writes into the file at this moment. Then the last run has no end yet, and none can be added."""

    @classmethod
    def load(cls, path: str | Path) -> Session:
        """Reads a file that `log=` or `--log` wrote.

        Raises:
            LogError: if it can't be read, is of another format, or holds something that is not understood.
        """
        path = Path(path).absolute()
        read = read_file(path)
        runs = tuple(RecordedRun(log.events, log.id, path) for log in read.logs)
        return cls(path, runs, read.notes, read.logs[-1].is_going_on)

    @property
    def last(self) -> RecordedRun:
        """The run that was written last."""
        return self.runs[-1]

    def __repr__(self) -> str:
        return f"<Session {self.path}: {quantity(len(self.runs), 'run')}, last {self.last!r}>"
