"""A job as bytes, for the process that makes its run.

Python sends functions and classes by the names under which a module has them, and what a notebook defines is in no
module that another process could import. So it goes along as code, by `cloudpickle`, which Dask uses, too. The rule
that must never break: what can't be sent is said before any run begins.
"""

from __future__ import annotations

import pickle
from collections import ChainMap
from dataclasses import MISSING
from importlib.util import find_spec
from io import BytesIO
from typing import ClassVar

from cellwright.errors import UsageError
from cellwright.messages import told
from cellwright.sweep.job import Job

MOVE_IT = "make what can't be sent in the function that makes the model or gives the tools, or in the tool itself"
INSTALL = "what a notebook defines, and tools, are sent by a package; run: pip install 'cellwright[sweep]'"


def packed(job: Job) -> bytes:
    """The job for its process.

    Raises:
        UsageError: for what can't be sent.
    """
    sends_code = find_spec("cloudpickle") is not None
    try:
        return _with_code(job) if sends_code else pickle.dumps(job)
    except Exception as error:  # whatever it holds says no in its own way
        which = f"the run of {job.task.label!r} by {job.candidate.label!r} can't be sent to a process"
        raise UsageError(f"{which} ({told(error)}); {MOVE_IT if sends_code else INSTALL}") from None


def _with_code(job: Job) -> bytes:
    from cloudpickle import Pickler

    class Sender(Pickler):  # type: ignore[misc]  # cloudpickle has no types
        # Each field of a data class holds this mark, of which a class that is sent as code would have another one.
        dispatch_table: ClassVar = ChainMap({type(MISSING): lambda mark: "MISSING"}, Pickler.dispatch_table)

    data = BytesIO()
    Sender(data).dump(job)
    return data.getvalue()
