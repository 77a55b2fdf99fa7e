"""An approver that shows cards in a box and waits for the click.

A handler of a click may run in a thread with an event loop of its own, so it only hands the answer to the loop that
asks. What a tool wants to know is asked in the same way, by a card of another kind. The rule that must never break: an
`await` that nobody could ever answer ends. If no sign of a front end comes in time, the answer is `Unavailable` (or
`NoReply`), which is not a no.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import ipywidgets

from cellwright.person.approval import Answer, Unavailable
from cellwright.person.question import Question
from cellwright.views.inquiry import Inquiry, NoReply, Reply
from cellwright_widgets.questions.approval_card import ApprovalCard
from cellwright_widgets.questions.card import Card
from cellwright_widgets.questions.inquiry_card import InquiryCard

GLANCE = 0.2
"""Seconds between two looks for a sign of a front end."""


class WidgetApprover:
    """Asks by cards in a container: `ApprovalCard`s for leave, `InquiryCard`s for answers.

    `watched` says whether there is a sign of a front end; without one, a question is given up after `patience`
    seconds. `timeout` limits the wait for the person. `on_question` is called when a question is first
    shown, `on_settled` when it no longer waits.
    """

    def __init__(
        self,
        container: ipywidgets.VBox,
        watched: Callable[[], bool],
        patience: float = 20.0,
        timeout: float | None = None,
    ) -> None:
        self.container = container
        self.watched = watched
        self.patience = patience
        self.timeout = timeout
        self.on_question: Callable[[Question | Inquiry], None] | None = None
        self.on_settled: Callable[[], None] | None = None
        self.cards: list[Card] = []
        """The cards that are shown now, the newest last."""

    async def ask(self, question: Question) -> Answer:
        """The person's answer, or why there is none."""
        answer: Answer | str = await self._shown(question, lambda tell: ApprovalCard(question, tell))
        return Unavailable(answer) if isinstance(answer, str) else answer

    async def reply(self, inquiry: Inquiry) -> Reply | NoReply:
        """What the person says to a tool's question, or why there is nothing."""
        said: Reply | NoReply | str = await self._shown(inquiry, lambda tell: InquiryCard(inquiry, tell))
        return NoReply(said) if isinstance(said, str) else said

    async def _shown(self, asked: Question | Inquiry, make: Callable[[Callable[[Any], None]], Card]) -> Any:  # noqa: ANN401 (what the card gives, or why it gives nothing)
        """Shows a card until it is answered, or given up."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Any] = loop.create_future()

        def settle(answer: object) -> None:
            if not answered.done():
                answered.set_result(answer)

        card = make(lambda answer: _tell(loop, settle, answer))
        self._show(card)
        try:
            if self.on_question is not None:
                self.on_question(asked)
            reason = await self._wait(answered, card)
        except BaseException:
            card.close("the run was stopped")
            raise
        finally:
            if self.on_settled is not None:
                self.on_settled()
        if reason:
            card.close(reason)
            return reason
        self._drop(card)
        return answered.result()

    async def _wait(self, answered: asyncio.Future[Any], card: Card) -> str:
        """Until there is an answer; else why it is given up. Meanwhile the card is told what else waits."""
        asked = time.monotonic()
        seen = False
        while True:
            if isinstance(card, ApprovalCard):
                card.tell_waiting(await card.question.waiting())
            await asyncio.wait({answered}, timeout=GLANCE)
            if answered.done():
                return ""
            seen = seen or self.watched()
            waited = time.monotonic() - asked
            if not seen and waited >= self.patience:
                return f"no front end has shown the question within {self.patience:g} seconds"
            if self.timeout is not None and waited >= self.timeout:
                return f"nobody answered within {self.timeout:g} seconds"

    def _show(self, card: Card) -> None:
        """Adds the card; those that no longer wait make room."""
        for old in [old for old in self.cards if not old.is_open]:
            self._drop(old)
        self.cards.append(card)
        self.container.children = (*self.container.children, card.widget)

    def _drop(self, card: Card) -> None:
        self.cards = [other for other in self.cards if other is not card]
        self.container.children = tuple(child for child in self.container.children if child is not card.widget)
        card.discard()


def _tell(loop: asyncio.AbstractEventLoop, settle: Callable[[object], None], answer: object) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(settle, answer)
