"""One call of a client on its way through our stages, and how the person behind the client is asked about it.

A client that can show a form (elicitation) shows ours: the whole question, as it stands on a terminal, and a yes or no.
In the older protocol the server asks while the call goes on; in the newer one the call is answered with the question,
and comes again with the person's answer. So an errand goes on by itself, and is met at its next question or its end.
The rule that must never break: only a plain yes is a yes; a form that is dismissed, or filled with anything else,
leaves the call unapproved.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from cellwright.log.events import Event
from cellwright.person.approval import Allow, Answer, Deny, Unavailable
from cellwright.person.question import Question, question_text
from cellwright.result import Result

if TYPE_CHECKING:
    from mcp.server.session import ServerSession
    from mcp_types import ElicitRequestFormParams, ElicitResult

PATIENCE = 600.0
"""Seconds that a person has for an answer; the client may have forgotten to ask."""
LAST_WORD = 5.0
"""Seconds that a call has to end once it is stopped."""
YES, NO = "allow", "deny"
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "title": "May it run, this once?", "enum": [YES, NO]},
        "reason": {"type": "string", "title": "If not: why, for the model to read"},
    },
    "required": ["answer"],
}


class Errand:
    """A call on its way: its approver and its observer of progress. `session` is the client's latest request."""

    def __init__(self, session: ServerSession, *, can_ask: bool) -> None:
        self.session = session
        self._can_ask = can_ask
        self._task: asyncio.Task[Result] | None = None
        self._question: Question | None = None
        self._asked = asyncio.Event()
        self._answer: asyncio.Future[Answer] | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self._steps = 0

    def begin(self, call: Coroutine[Any, Any, Result], done: Callable[[], None]) -> None:
        """Sets out; `done` is told the end."""
        self._task = asyncio.create_task(call)
        self._task.add_done_callback(lambda _: done())

    async def met(self) -> Result | Question:
        """The next thing that it comes to: a question, or its end."""
        if self._task is None:
            raise LookupError("the call was not begun")
        while not self._task.done():
            if self._question is not None and self._asked.is_set():
                return self._question
            asked = asyncio.ensure_future(self._asked.wait())
            try:
                await asyncio.wait({self._task, asked}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                asked.cancel()
        return self._task.result()

    def reply(self, answer: Answer) -> None:
        """Gives the answer to its question."""
        self._asked.clear()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    async def ask(self, question: Question) -> Answer:
        """Waits for the person behind the client."""
        if not self._can_ask:
            return Unavailable(
                "this client can't ask anybody (no elicitation); allow the tool by a rule, if it may run"
            )
        self._question, self._answer = question, asyncio.get_running_loop().create_future()
        self._asked.set()
        try:
            return await asyncio.wait_for(self._answer, PATIENCE)
        except TimeoutError:
            return Unavailable(f"nobody answered within {PATIENCE:g} s")
        finally:
            self._question = None
            self._asked.clear()

    def on_event(self, event: Event) -> None:
        """Passes progress on to the client."""
        if event.kind == "progress":
            self._steps += 1
            task = asyncio.create_task(self._tell(self._steps, event.data["text"]))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def stop(self) -> None:
        """Stops the call and waits for its result, whoever cancels meanwhile."""
        import anyio

        if self._task is not None:
            self._task.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait({self._task}, timeout=LAST_WORD)

    async def _tell(self, step: int, text: str) -> None:
        with contextlib.suppress(Exception):  # the client may be gone
            await self.session.report_progress(step, None, text)


def form_of(question: Question) -> ElicitRequestFormParams:
    """What the client shows the person."""
    from mcp_types import ElicitRequestFormParams

    return ElicitRequestFormParams(message=question_text(question), requested_schema=FORM)


def answer_of(given: ElicitResult) -> Answer:
    """What the person answered."""
    content = given.content or {}
    reason = content.get("reason")
    match given.action, content.get("answer"):
        case "accept", "allow":
            return Allow()
        case "accept", "deny":
            return Deny(reason if isinstance(reason, str) else "")
        case "decline", _:
            return Deny()
        case "cancel", _:
            return Unavailable("the person dismissed the question")
    return Unavailable(f"the client answered {content.get('answer')!r:.80}, not {YES} or {NO}")
