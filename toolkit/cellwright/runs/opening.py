"""The first facts of a run: what it was asked, by which model and under which conditions it works, what it knows.

They are written once, before anything happens, so that the log of a run is all that is needed to tell it again. What
the model is shown of tools is not among them: that is known when the first turn begins. The rule that must never break:
the first event of a log is `run_started`.
"""

from __future__ import annotations

from cellwright.calls.passage import Setup
from cellwright.log.events import Log
from cellwright.runs.loop import Reasoner
from cellwright.sessions.fork import Fork
from cellwright.sessions.standpoint import Standpoint


def write_start(
    run: str, prompt: str, reasoner: Reasoner, earlier: Standpoint, setup: Setup, fork: Fork | None = None
) -> None:
    """Writes down how a run begins that goes on from an earlier one, from nothing, or as the fork of another.

    What stays of that one is written again, so that this log, too, is all that is needed to tell the run.
    """
    log = setup.log
    whence = {"forked_from": fork.source} if fork else {}
    log.record(
        "run_started",
        run=run,
        prompt=prompt,
        model=reasoner.model.name,
        mode=setup.policy.mode,
        tools=setup.listing().digest,
        cwd=str(setup.env.cwd),
        **whence,
    )
    for event in fork.kept if fork else ():
        log.keep(event.kind, log.masking.own(event.data))
    log.record("system", text=reasoner.system)
    if not fork and (earlier.conversation or earlier.log):
        _write_earlier(earlier, log)
    for remark in setup.remarks:
        log.note(remark)


def _write_earlier(earlier: Standpoint, log: Log) -> None:
    data = log.masking.own(earlier.as_data())
    is_in_file = bool(earlier.log) and earlier.path is not None and earlier.path == log.path
    shorter = {**data, "of": earlier.log, "messages": len(data["messages"])} if is_in_file else None
    log.keep("earlier", data, shorter)
