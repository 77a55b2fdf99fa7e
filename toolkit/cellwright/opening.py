"""The first facts of a run: what it was asked, by which model and under which conditions it works, what it knows.

They are written once, before anything happens, so that the log of a run is all that is needed to tell it again. What
the model is shown of tools is not among them: that is known when the first turn begins. The rule that must never break:
the first event of a log is `run_started`.
"""

from __future__ import annotations

from cellwright.loop import Reasoner
from cellwright.messages import Conversation
from cellwright.passage import Setup
from cellwright.saved_message import saved


def write_start(run: str, prompt: str, reasoner: Reasoner, earlier: tuple[str, Conversation], setup: Setup) -> None:
    """Writes down how a run begins; `earlier` is the run that it goes on from, if it has a name, and what was said."""
    log = setup.log
    log.record(
        "run_started",
        run=run,
        prompt=prompt,
        model=reasoner.model.name,
        mode=setup.policy.mode,
        tools=setup.listing().digest,
        cwd=str(setup.env.cwd),
    )
    log.record("system", text=reasoner.system)
    name, messages = earlier
    if messages:
        log.record("earlier", run=name, messages=[saved(message) for message in messages])
    for remark in setup.remarks:
        log.record("note", text=remark)
