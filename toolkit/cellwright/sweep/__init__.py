"""Many runs compared: tasks, the candidates that try them, and the rows that come of it."""

from cellwright.sweep.job import Candidate, Task
from cellwright.sweep.results import Results
from cellwright.sweep.sweeping import sweep

__all__ = ["Candidate", "Results", "Task", "sweep"]
