"""A small model on this machine, from a file of weights in the format GGUF: real tokens, with no key and no network.

It is a lesson, not a good agent: it takes the wrong tool and says wrong things with full confidence, and one can watch
it do so. Its server runs in a process of its own and holds each turn to a schema. Give it few tools, and short results.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator

from msgspec.structs import replace

from cellwright.models.access import Access, Key
from cellwright.models.attempts import PATIENCE, Patience
from cellwright.models.local_process import LocalServer
from cellwright.models.local_turn import Turn, messages, schema
from cellwright.models.model import CallPart, EndPart, Part, Request, TextPart
from cellwright.models.openai_chat import Chunks
from cellwright.models.openai_client import Client
from cellwright.models.provider_model import ProviderModel
from cellwright.models.wire import Options, compact

MAX_TOKENS = 512
"""Tokens of a turn at most."""


class LocalModel(ProviderModel):
    """A model that a process on this machine runs."""

    def __init__(self, name: str, server: LocalServer, options: Options, patience: Patience = PATIENCE) -> None:
        super().__init__(Access("local", name, None, Key("")), options, patience)
        self._server = server
        self._client = Client(self.access, patience)

    async def attempt(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the turn."""
        url, key = await self._server.address()
        if self.access.secret != key:
            self.access = replace(self.access, base_url=url, key=Key(key))
            self._client = Client(self.access, self.patience)
        content = self._body(request)
        chunks, turn = Chunks(len(content)), Turn()
        async with await self._client.opened("/chat/completions", content) as stream:
            async for chunk in stream:
                for part in _words(turn, chunks.parts(chunk)):
                    yield part
        ending = [end for end in chunks.end() if isinstance(end, EndPart)]
        for part in turn.end():
            yield part
        yield ending[0]

    def _body(self, request: Request) -> bytes:
        form = {"type": "json_schema", "json_schema": {"name": "turn", "strict": True, "schema": schema(request)}}
        usage = {"include_usage": True}
        head = {"stream": True, "stream_options": usage, "max_tokens": MAX_TOKENS, "temperature": 0, **self.options}
        return compact({**head, "messages": messages(request), "response_format": form}).encode()


def _words(turn: Turn, parts: Iterable[Part]) -> Iterator[TextPart | CallPart]:
    for part in parts:
        if isinstance(part, TextPart):
            yield from turn.add(part.text)
