"""What an import costs: a Python that does it, less a Python that does nothing. Paid at each start of a kernel.

Everything is measured as it is after its first import, when its files are compiled; a folder of our own keeps what was
compiled, since a source folder, or an environment that forbids it, would compile ours at each start and no one else's.
"""

import os
import subprocess
import sys
import tempfile

RUNS = 7
MEASURE = """
import os, sys, time
loaded = len(sys.modules)
started = time.process_time()
{statement}
spent = time.process_time() - started
try:
    with open("/proc/self/statm") as file:
        kept = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
except OSError:
    import resource
    kept = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(spent, kept, len(sys.modules) - loaded)
"""


def importing(statement: str, python: str = sys.executable) -> dict[str, float]:
    """Milliseconds of processor time, megabytes and modules of an import, the least of a few."""
    with tempfile.TemporaryDirectory() as compiled:
        _started(statement, python, compiled)
        runs = [_started(statement, python, compiled) for _ in range(RUNS)]
        bare = min(kept for _, kept, _ in (_started("pass", python, compiled) for _ in range(3)))
    spent, kept, modules = (min(column) for column in zip(*runs, strict=True))
    return {"import_ms": spent * 1000, "memory_mb": (kept - bare) / 1e6, "modules": modules}


def _started(statement: str, python: str, compiled: str) -> tuple[float, float, int]:
    command = [python, "-c", MEASURE.format(statement=statement)]
    environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()
    return float(out[-3]), float(out[-2]), int(out[-1])
