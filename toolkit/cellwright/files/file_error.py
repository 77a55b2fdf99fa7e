"""What the system says about a file, as an error that a model can act on.

`[Errno 13]` helps nobody. The same fact said with the path, the reason and what to do next lets a model go on: the
names that are near, whom to ask, what to free. The rule that must never break: an error lists no folder but the one
that the path was judged to lie in.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.text.near_name import similar_names, visible_name


@contextlib.contextmanager
def told_of(path: Path, act: str) -> Iterator[None]:
    """Turns what the system says about a path, while it is read, written or found, into a ToolError."""
    try:
        yield
    except OSError as error:
        raise _system_error(path, act, error) from error
    except ValueError as error:  # a NUL character in the name
        raise ToolError("invalid_path", f"{str(path)!r} can't be a file name: {error}.") from error


def _system_error(path: Path, act: str, error: OSError) -> ToolError:
    if error.errno == errno.ELOOP:
        return ToolError("link_cycle", f"{path} is a link that leads back to itself. Name the real file.")
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return ToolError(
            "not_permitted",
            f"Not permitted to {act} {path} ({error.strerror}). Ask the person to change it, or use another path.",
        )
    if isinstance(error, NotADirectoryError):
        return ToolError("not_found", f"{path} leads through a file, not a folder. Check the path.")
    if isinstance(error, FileNotFoundError):
        close = similar_names(path)
        hint = f" Near it: {', '.join(map(visible_name, close))}." if close else ""
        return ToolError("not_found", f"{path} does not exist.{hint} Look for it with find_files.")
    code = "write_failed" if act in ("write", "move") else "read_failed"
    advice = ADVICE.get(error.errno or 0, "Check the path.")
    return ToolError(code, f"Could not {act} {path}: {error.strerror}. {advice}")


ADVICE = {
    errno.ENOSPC: "The disk is full, nothing was changed. Free some space, or ask the person to; then try again.",
    errno.EDQUOT: "The quota is used up, nothing was changed. Free some space, or ask the person to; then try again.",
    errno.EFBIG: "Files may not grow so large here; nothing was changed. Write less, or in several files.",
}
