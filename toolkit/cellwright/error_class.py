"""What kind of failure an exception is, as a short name that is safe to count and to send away.

The text of an exception says too much for statistics: paths, keys, pieces of a file. Its class name can, too, since
code may make classes as it runs and put a value into their names. So the name given here is one of a closed set, found
by what the exception inherits from; a class of somebody's own counts as the nearest known class above it. A tool's own
failure is told by its code. A class that says little defers to the exception that caused it, and a group is of the
kind of its members if they agree. The rule that must never break: no name is ever made from what an exception holds.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator

from cellwright.errors import ToolError

OTHER = "other"
"""An exception of which nothing is known."""
SEVERAL = "several"
"""A group whose members are of different kinds."""
MOST = 100
"""Exceptions that are looked at in one chain or group."""
CODE = re.compile(r"[a-z][a-z0-9]{0,19}(_[a-z0-9]{1,19}){0,4}")
"""What a tool's code looks like; anything else may be a value."""

KINDS = {
    "builtins.TimeoutError": "timeout",
    "builtins.ConnectionError": "connection",
    "builtins.FileNotFoundError": "file_not_found",
    "builtins.FileExistsError": "file_exists",
    "builtins.IsADirectoryError": "not_a_file",
    "builtins.NotADirectoryError": "not_a_folder",
    "builtins.PermissionError": "permission",
    "builtins.InterruptedError": "interrupted",
    "builtins.MemoryError": "out_of_memory",
    "builtins.RecursionError": "recursion",
    "builtins.UnicodeError": "decode",
    "builtins.EOFError": "end_of_file",
    "builtins.ImportError": "import",
    "builtins.SyntaxError": "syntax",
    "builtins.ArithmeticError": "arithmetic",
    "builtins.LookupError": "lookup",
    "builtins.NameError": "name",
    "builtins.AttributeError": "attribute",
    "builtins.AssertionError": "assertion",
    "builtins.NotImplementedError": "not_implemented",
    "builtins.TypeError": "type_error",
    "builtins.ValueError": "value_error",
    "builtins.OSError": "system",
    "builtins.Warning": "warning",
    "builtins.SystemExit": "exit",
    "builtins.KeyboardInterrupt": "interrupted",
    "asyncio.exceptions.CancelledError": "cancelled",
    "concurrent.futures._base.CancelledError": "cancelled",
    "json.decoder.JSONDecodeError": "decode",
    "subprocess.TimeoutExpired": "timeout",
    "subprocess.CalledProcessError": "command",
    "socket.gaierror": "connection",
    "ssl.SSLError": "connection",
    "sqlite3.Error": "database",
    "pydantic_core._pydantic_core.ValidationError": "validation",
    "jsonschema.exceptions.ValidationError": "validation",
    "requests.exceptions.Timeout": "timeout",
    "requests.exceptions.ConnectionError": "connection",
    "urllib3.exceptions.TimeoutError": "timeout",
    "urllib3.exceptions.HTTPError": "connection",
    "httpx.TimeoutException": "timeout",
    "httpx.TransportError": "connection",
    "aiohttp.client_exceptions.ClientConnectionError": "connection",
    "zmq.error.ZMQError": "connection",
    "cellwright.errors.UsageError": "usage",
}
"""Kinds by the full name of a class, so that no package is imported to know its errors."""
SYSTEM_KINDS = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.ENOMEM: "out_of_memory",
    errno.EROFS: "permission",
    errno.EMFILE: "too_many_files",
    errno.ENFILE: "too_many_files",
    errno.ENAMETOOLONG: "path_too_long",
}
"""Kinds of an `OSError` that has no class of its own, by its number."""
VAGUE = frozenset({OTHER, "system", "value_error"})
"""Kinds that say less than what caused them."""


def error_class(error: BaseException) -> str:
    """The kind of an exception, such as `timeout`, `file_not_found`, `tool:not_unique` or `other`. Never raises."""
    try:
        return _kind(error)
    except Exception:  # the exception's own code runs: a metaclass, a property
        return OTHER


def _kind(error: BaseException) -> str:
    """The first of the exception and its causes that says something; else what the exception itself says."""
    first = ""
    for link in _causes(error):
        kind = _kind_of_group(link) if isinstance(link, BaseExceptionGroup) else _own_kind(link)
        if kind not in VAGUE:
            return kind
        first = first or kind
    return first or OTHER


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and what it was raised from. What merely was being handled then is no cause."""
    for _ in range(MOST):  # a chain may go round in a circle
        if error is None:
            return
        yield error
        error = error.__cause__


def _kind_of_group(group: BaseExceptionGroup[BaseException]) -> str:
    kinds: set[str] = set()
    waiting: list[BaseException] = [group]
    for _ in range(MOST):
        if not waiting or len(kinds) > 1:
            break
        found = waiting.pop()
        if isinstance(found, BaseExceptionGroup):
            waiting.extend(found.exceptions)
        else:
            kinds.add(_own_kind(found))
    return kinds.pop() if len(kinds) == 1 and not waiting else SEVERAL


def _own_kind(error: BaseException) -> str:
    if isinstance(error, ToolError):
        code = error.code
        return f"tool:{code}" if isinstance(code, str) and CODE.fullmatch(code) else "tool:other"
    names = [f"{cls.__module__}.{cls.__qualname__}" for cls in type(error).__mro__]
    kind = next((KINDS[name] for name in names if name in KINDS), OTHER)
    if kind == "system" and isinstance(error, OSError) and isinstance(error.errno, int):
        return SYSTEM_KINDS.get(error.errno, kind)
    return kind
