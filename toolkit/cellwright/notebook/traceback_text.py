"""A kernel's traceback, short enough to be read.

IPython prints five lines of source around every frame, colours them, and goes down into the libraries; a model needs
the way through its own code, the line that failed, and what the error says. Of frames in libraries the last of a row
is enough. The rule that must never break: the last line is the error's name and value, whatever the kernel sent as its
traceback.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from cellwright.calls.limits import cut
from cellwright.text.console_text import clean_console, condense
from cellwright.text.quantity import quantity

MAX_LINES = 24
"""Lines of a traceback that are shown; of a longer one the first and the last."""
MAX_VALUE = 2_000
"""Characters of an error's own text."""

_PLACE = re.compile(r"\s*(File |Cell In|Input In|~?[/\w.<>\-]+\.py[: ]|During handling|The above exception)")
_LIBRARY = re.compile(r"\s*File .*(/(site|dist)-packages/|/lib/python\d|\.(pyx|pxi|pxd):|<frozen )")
_NO_SOURCE = "Could not get source, probably due dynamically evaluated source code."
_ARROW = re.compile(r"-+> ?\d+")
_HEADER = re.compile(r"-{20,}|.*Traceback \(most recent call last\):?")


def traceback_text(ename: str, evalue: str, traceback: list[str]) -> str:
    """Places and failing lines, then `Name: value`."""
    name, value = condense(clean_console(ename)), cut(condense(clean_console(evalue)), MAX_VALUE)[0]
    last = f"{name}: {value}" if value else name
    cleaned = [line.rstrip() for line in clean_console("\n".join(traceback)).split("\n")]
    lines = [line for line in cleaned if line and not _HEADER.fullmatch(line)]
    shown = _way(lines, name)
    if len(shown) > MAX_LINES:
        half = MAX_LINES // 2
        shown = [*shown[:half], f"[{len(shown) - 2 * half} lines left out]", *shown[-half:]]
    return "\n".join([*(line[:500] for line in (*shown, *_notes(lines, last))), last])


def _notes(lines: list[str], last: str) -> list[str]:
    """What was added to the error with `add_note`, which stands behind its text."""
    said = [line.rstrip() for line in last.split("\n") if line.strip()]
    for index in range(len(lines) - len(said), -1, -1):
        if lines[index : index + len(said)] == said:
            return [f"note: {line}" for line in lines[index + len(said) :][:MAX_LINES]]
    return []


def _way(lines: list[str], name: str) -> list[str]:
    """The lines worth keeping: of IPython's frames the place and the arrow, of other tracebacks all but the end."""
    error = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].startswith(name)), len(lines))
    before = lines[:error]
    if not any(_ARROW.match(line) for line in before):
        return before
    causes = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit)\b")
    kept = [line for line in before if _PLACE.match(line) or _ARROW.match(line) or causes.match(line)]
    return _shortened(_frames(line for line in kept if _NO_SOURCE not in line))


def _frames(lines: Iterable[str]) -> list[tuple[str, ...]]:
    """Each frame with its lines; what stands between two frames is by itself."""
    frames: list[tuple[str, ...]] = []
    for line in lines:
        if _ARROW.match(line) and frames:
            frames[-1] = (*frames[-1], line)
        else:
            frames.append((line,))
    return frames


def _shortened(frames: list[tuple[str, ...]]) -> list[str]:
    """The frames with those in libraries left out but for the last of a row, and repeated ones counted."""
    lines: list[str] = []
    for is_library, row in groupby(frames, key=lambda frame: bool(_LIBRARY.match(frame[0]))):
        found = list(row)
        if is_library and len(found) > 1:
            lines += [f"[{quantity(len(found) - 1, 'frame')} in libraries left out]", *found[-1]]
            continue
        for frame, same in groupby(found):
            times = len(list(same))
            lines += [*frame, f"[the frame above {times - 1:,} more times]"] if times > 2 else frame * times
    return lines
