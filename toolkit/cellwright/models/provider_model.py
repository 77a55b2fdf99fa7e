"""What the models of all providers have in common: a name, an access, and attempts at a turn.

An adapter says how one attempt goes: it puts the request in its provider's words, and makes parts of what comes. When
to ask again, and what a person is told in the end, is the same for all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing

from cellwright.models.access import Access
from cellwright.models.attempts import PATIENCE, Patience, attempts
from cellwright.models.model import Part, Request
from cellwright.models.wire import Options


class ProviderModel(ABC):
    """A model that a server gives the turns of."""

    def __init__(self, access: Access, options: Options, patience: Patience = PATIENCE) -> None:
        self.name = access.name
        self.access = access
        self.options = options
        self.patience = patience

    async def stream(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the next turn, as they come.

        Raises:
            ModelError: if the provider can't give it, with what to do next.
        """
        async with aclosing(attempts(lambda: self.attempt(request), self.access, self.patience)) as parts:
            async for part in parts:
                yield part

    @abstractmethod
    def attempt(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the turn, if all goes well; else any exception."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
