"""What a run can go on from: a run of this kernel, one of which its log is left, a session, or messages from elsewhere.

The rule that must never break: a run that goes on is gone on from by nobody; its next word is not said yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cellwright.errors import UsageError
from cellwright.messages import Conversation, Message, unanswered_calls
from cellwright.runs.run import Run
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.sessions.standpoint import NOWHERE, Standpoint

Earlier = Run | RecordedRun | Session | Conversation


def recorded(run: Run | RecordedRun | Session) -> RecordedRun:
    """A run as its log tells it so far; of a session, the last one.

    Raises:
        UsageError: if it is neither.
    """
    match run:
        case Session(last=last):
            return last
        case RecordedRun():
            return run
        case Run(standpoint=now):
            return RecordedRun(run.events, now.log, now.path)
    raise UsageError(f"{run!r:.80} is neither a run nor a session; {_way(run)}")


def standpoint(earlier: Earlier | None) -> Standpoint:
    """Where a run begins that goes on from this.

    Raises:
        UsageError: if that is still going on, or neither a run nor messages.
    """
    match earlier:
        case None:
            return NOWHERE
        case Session(last=last):
            return standpoint(last)
        case Run() | RecordedRun():
            if not earlier.is_done or unanswered_calls(earlier.conversation):
                raise UsageError(f"{earlier.id} is still going; await it before you go on from it, or steer it")
            return earlier.standpoint
    if isinstance(earlier, str | Path) or not isinstance(earlier, Iterable):
        raise UsageError(f"after={earlier!r:.80} is neither a run, a session nor messages; {_way(earlier)}")
    for message in earlier:
        if not isinstance(message, Message):
            raise UsageError(
                f"after= takes a run, a session or messages as UserMessage('...'), and {message!r:.80} is none"
            )
    return Standpoint(earlier)


def _way(given: object) -> str:
    """What to write instead; a text is most likely the path of a log."""
    return f"write Session.load({str(given)!r:.80})" if isinstance(given, str | Path) else "give a Run or a Session"
