"""A turn taken apart again into the order in which it came.

A turn keeps its text, its thinking and its calls, each in one piece, since that is what everybody but its maker reads.
The maker wants back what it sealed at the very place where it stood: a signature after the thinking that it signs, an
encrypted thought before the call that it led to. The rule that must never break: a seal goes to the model that made
it and to nobody else, and never beside words that are not the ones it was made for.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.messages import Call, ModelMessage, Sealed
from cellwright.models.model import TextPart, ThinkingPart
from cellwright.text.masking import OPENING

Piece = TextPart | ThinkingPart | Call | Sealed


def pieces(turn: ModelMessage) -> Iterator[Piece]:
    """The pieces of a turn. Before a seal stands what it belongs to: first text, then calls, then thinking."""
    text = thinking = calls = 0
    for seal in turn.sealed:
        yield from _text(turn.text[text : seal.text])
        yield from turn.calls[calls : seal.calls]
        yield from _thinking(turn.thinking[thinking : seal.thinking])
        yield seal
        text, thinking, calls = seal.text, seal.thinking, seal.calls
    yield from _thinking(turn.thinking[thinking:])
    yield from _text(turn.text[text:])
    yield from turn.calls[calls:]


def own_pieces(turn: ModelMessage, maker: str) -> Iterator[Piece]:
    """The same without the seals of other models, and without any if a secret was masked in what they were made for."""
    masked = OPENING in turn.thinking
    for piece in pieces(turn):
        if not isinstance(piece, Sealed) or (piece.maker == maker and not masked and OPENING not in piece.data):
            yield piece


def _text(text: str) -> Iterator[TextPart]:
    if text:
        yield TextPart(text)


def _thinking(text: str) -> Iterator[ThinkingPart]:
    if text:
        yield ThinkingPart(text)
