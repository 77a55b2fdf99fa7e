"""From a name to the addresses behind it: the seam between the fetcher and the network's names.

It is asked once for each connection, and the connection then goes to what it said: a name that is asked twice may
answer twice, first with a public address for the check and then with another for the connection.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Protocol

from cellwright.errors import ToolError
from cellwright.waiting.threads import in_thread


class Resolver(Protocol):
    """Someone who knows the addresses of a name."""

    async def addresses(self, host: str) -> Sequence[str]:
        """The IP addresses of a host, the preferred one first."""


class SystemResolver:
    """The system's own resolver, with its file of hosts and its servers."""

    async def addresses(self, host: str) -> Sequence[str]:
        """What `getaddrinfo` says, asked in a thread, so that the event loop goes on.

        Raises:
            ToolError: `not_resolved`.
        """
        try:
            found = await in_thread(lambda: socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            raise ToolError("not_resolved", f"no address was found for {host}: {error}; check the name") from None
        return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class ScriptedResolver:
    """Answers from a table, for tests and lessons. `asked` keeps each name that was asked.

    A name with several answers gives one after the other, the last of them for good.
    """

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self.asked: list[str] = []
        self._answers = answers

    async def addresses(self, host: str) -> Sequence[str]:
        """The next answer for the name.

        Raises:
            ToolError: `not_resolved` for a name that is not in the table.
        """
        self.asked.append(host)
        answers = self._answers.get(host)
        if not answers:
            raise ToolError("not_resolved", f"no address was found for {host}; check the name")
        return answers[min(self.asked.count(host), len(answers)) - 1]
