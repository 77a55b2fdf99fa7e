"""The client of OpenAI's SDK, as both of its formats use it.

It signs in, keeps connections and takes the stream apart; when to ask again is decided elsewhere, for all providers
alike. The body goes through it as bytes: what was read and kept there must be found again byte for byte.
"""

from __future__ import annotations

from typing import Any

import openai

from cellwright.models.access import Access
from cellwright.models.attempts import Patience
from cellwright.models.loop_client import LoopClient, trusted


def new_client(access: Access, patience: Patience) -> openai.AsyncOpenAI:
    """A client for one event loop."""
    return openai.AsyncOpenAI(
        api_key=access.secret,
        base_url=access.base_url or "https://api.openai.com/v1",
        timeout=openai.Timeout(patience.idle, connect=min(10.0, patience.idle)),
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(trust_env=not access.is_local, verify=trusted()),
    )


class Client:
    """The client of one model, made anew for each event loop."""

    def __init__(self, access: Access, patience: Patience) -> None:
        self._clients = LoopClient(lambda: new_client(access, patience), lambda client: client.close())

    async def opened(self, path: str, content: bytes) -> openai.AsyncStream[Any]:
        """The stream of an answer, whose events are JSON as it came."""
        client = await self._clients.get()
        stream: openai.AsyncStream[Any] = await client.post(
            path,
            content=content,
            options={"headers": {"content-type": "application/json"}},
            cast_to=object,
            stream=True,
            stream_cls=openai.AsyncStream[Any],
        )
        return stream
