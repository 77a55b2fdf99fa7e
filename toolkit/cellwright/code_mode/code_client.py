"""The object `tools` inside a child kernel: `await tools.read_file(path="a.txt")` gives the tool's value.

This text runs in the child, which need not have Cellwright installed, so it uses nothing but the standard library.
Each call has a connection of its own, which is closed when the code stops waiting: by that alone the other side
learns that a call was given up, that its code was interrupted, or that the whole kernel died.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import os
import socket
import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

PATIENCE = 10.0
"""Seconds within which the other side takes a call."""
OPEN_CALLS = 32
"""Calls that are sent at once; more of them wait here."""
MAX_REQUEST = 10_000_000
"""Characters of a call's arguments."""
MAX_ANSWER = 40_000_000
"""Bytes of one answer."""


class ToolCallError(Exception):
    """A tool call that failed, was denied or was stopped. Its text says why, and what to do instead."""

    def __init__(self, error_type: str, code: str, message: str) -> None:
        super().__init__(message)
        self.error_type = error_type
        """Such as `permission_denied` or `tool_error`."""
        self.code = code
        """The tool's own short name for what went wrong, such as `not_found`; empty if it gave none."""


class Tools:
    """The tools, as attributes and as items. `told` holds for each name its parameters and its docstring."""

    def __init__(self, port: int, token: str, told: Mapping[str, tuple[Sequence[str], str]]) -> None:
        self._port = port
        self._token = token
        self._told = told
        self._rooms: weakref.WeakKeyDictionary[object, asyncio.Semaphore] = weakref.WeakKeyDictionary()

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        if name not in self._told:
            near = difflib.get_close_matches(name, self._told, 3, 0.5)
            raise AttributeError(
                f"there is no tool {name!r}; {'near are' if near else 'there are'}: {near or dir(self)}"
            )
        return self[name]

    def __getitem__(self, name: str) -> Callable[..., Awaitable[Any]]:
        parameters, text = self._told[name]

        async def call(*args: object, **named: object) -> object:
            return await self._call(name, _arguments(name, parameters, args, named))

        call.__name__ = call.__qualname__ = name
        call.__doc__ = text
        return call

    def __dir__(self) -> list[str]:
        return sorted(self._told)

    def __repr__(self) -> str:
        return f"<tools: {', '.join(self._told)}>"

    async def _call(self, name: str, arguments: str) -> object:
        room = self._rooms.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(OPEN_CALLS))
        async with room:
            answer = await self._answer(f"{self._token}\n{name}\n{arguments}\n".encode())
        if not answer["ok"]:
            raise ToolCallError(answer["error_type"], answer["code"], answer["message"])
        return answer["value"]

    async def _answer(self, request: bytes) -> dict[str, Any]:
        try:
            # sent in one go before anything is awaited, so that calls arrive in the order in which they were made
            connection = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
            try:
                connection.sendall(request)
                reader, writer = await asyncio.open_connection(sock=connection, limit=MAX_ANSWER)
            except BaseException:
                connection.close()
                raise
        except OSError as error:
            raise ToolCallError("internal_error", "", f"the run does not take calls any more ({error})") from None
        try:
            line = await reader.readline()
        except (OSError, ValueError):
            line = b""
        finally:
            writer.close()
        if not line.endswith(b"\n"):
            raise ToolCallError("cancelled", "", "the call was cut off before its answer came")
        answer: dict[str, Any] = json.loads(line)
        return answer


def _arguments(name: str, parameters: Sequence[str], args: Sequence[object], named: Mapping[str, object]) -> str:
    """The arguments as JSON on one line."""
    if len(args) > len(parameters):
        raise TypeError(f"{name} takes {len(parameters)} arguments, not {len(args)}: {', '.join(parameters)}")
    given = dict(zip(parameters, args, strict=False))
    twice = sorted(set(given) & set(named))
    if twice:
        raise TypeError(f"{name} got {twice[0]!r} twice")
    text = json.dumps({**given, **named}, default=_plain)
    if len(text) > MAX_REQUEST:
        message = f"the arguments of {name} have {len(text):,} characters, at most {MAX_REQUEST:,} are sent; send less"
        raise ToolCallError("invalid_arguments", "", message)
    return text


def _plain(value: Any) -> object:  # noqa: ANN401 (whatever the code gives)
    """Arrays and their numbers as lists and numbers, paths as text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(
        f"an argument is a {type(value).__name__}, which has no JSON form; pass text, numbers, lists, dicts"
    )
