"""Reading a turn while the model still writes it: which words have come, which calls are whole.

A call need not wait for the end of its turn: it can start once nothing more can come of it. That is so when the
provider says it, or when another call begins and this one is a whole JSON object; a server may send the pieces of
several calls in turns. The last call is whole only at the certain end. The rule that must never break: a call that may
lack a piece is never handed on as whole, and what a call is handed on as is what the turn will say of it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from inspect import isasyncgen

from cellwright.calls.execution import GRACE
from cellwright.errors import ModelError
from cellwright.messages import Call, ModelMessage, Sealed, Stop, Usage, clean_json, clean_text, told
from cellwright.models.model import (
    NO_USAGE,
    CallPart,
    EndPart,
    Model,
    Part,
    Request,
    SealedPart,
    TextPart,
    ThinkingPart,
)

MAX_ERROR = 2_000
"""Characters of an error that are told; a server may send a whole page."""
MAX_ID = 200
"""Characters of a call's id; a longer one is replaced, since each event of the call holds it."""


def _same(text: str) -> str:
    return text


class Reading:
    """One turn, as far as it has been read.

    `taken` holds the ids of all calls of the run so far, `tell` gets each part as it comes, and `take` each call, in
    the order of the turn, as soon as it and all before it are whole. Those that became whole at the end are not told:
    they stand in `message`. An id that `masked` would change is replaced, or the log could not tell two calls apart.
    """

    def __init__(
        self,
        taken: set[str],
        tell: Callable[[Part], None],
        take: Callable[[Call], None],
        masked: Callable[[str], str] = _same,
    ) -> None:
        self._taken = taken
        self._tell = tell
        self._take = take
        self._masked = masked
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._sealed: list[Sealed] = []
        self._maker = ""
        self._blocks: list[_Block] = []
        self._of_index: dict[int, list[_Block]] = {}
        """The calls of each index that may go on, and the last of each."""
        self._of_id: dict[tuple[int, str], _Block] = {}
        self._changed: list[_Block] = []
        """Those that got a piece since they were last looked at."""
        self._handed = 0
        self._end: EndPart | None = None
        self._is_whole = False

    async def follow(self, model: Model, request: Request) -> None:
        """Reads the next turn to its end.

        Raises:
            ModelError: if the stream fails or ends without its end; `message` then holds what had come.
        """
        parts: AsyncIterator[Part] | None = None
        patience: float | None = GRACE
        try:
            self._maker = model.name
            parts = model.stream(request)
            async for part in parts:
                self._add(part)
                self._tell(part)
            patience = None
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"the model's stream broke off: {self._masked(told(error))[:MAX_ERROR]}") from None
        finally:
            await _close(parts, patience)
        if self._end is None:
            raise ModelError("the model's stream ended without its end")
        self._is_whole = True

    @property
    def message(self) -> ModelMessage:
        """The turn as far as it came."""
        end = self._end if self._is_whole else None
        certain = end is not None and end.stop != "length"
        calls = tuple(block.call(certain or block.complete) for block in self._blocks)
        stop: Stop = "calls" if calls else "end"
        if end is None or end.stop == "length":
            stop = "broken" if end is None else "length"
        text, thinking = clean_text("".join(self._texts)), clean_text("".join(self._thoughts))
        return ModelMessage(text, calls, thinking, stop, end.usage if end else NO_USAGE, tuple(self._sealed))

    def _add(self, part: Part) -> None:
        match part:
            case TextPart(text=str(text)):
                self._texts.append(text)
            case ThinkingPart(text=str(text)):
                self._thoughts.append(text)
            case SealedPart(data=str(data), maker=str(maker)):
                self._sealed.append(self._seal(clean_text(data), maker or self._maker))
            case CallPart(index=int(), id=str(), name=str(), arguments=str()):
                self._add_to_call(part)
            case EndPart(usage=Usage(input_tokens=int(), output_tokens=int(), cached_tokens=int())):
                self._end = part
            case _:
                raise TypeError(f"{repr(part)[:200]} is no part of a turn")

    def _seal(self, data: str, maker: str) -> Sealed:
        text, thinking = sum(map(len, self._texts)), sum(map(len, self._thoughts))
        return Sealed(maker, data, text, thinking, len(self._blocks))

    def _add_to_call(self, part: CallPart) -> None:
        block = self._going_on(part)
        if block is None:
            for earlier in self._changed:
                earlier.complete = earlier.complete or earlier.is_object
            self._changed = []
            block = _Block(part, self._new_id(part))
            self._blocks.append(block)
            self._of_index.setdefault(part.index, []).append(block)
            if part.id:
                self._of_id[part.index, part.id] = block
        elif not block.complete:
            block.add(part)
        if self._changed[-1:] != [block]:
            self._changed.append(block)
        while self._handed < len(self._blocks) and self._blocks[self._handed].complete:
            self._handed += 1
            self._take(self._blocks[self._handed - 1].call(True))

    def _going_on(self, part: CallPart) -> _Block | None:
        """The call that a part is a piece of: the last of its id, or of its index; found at once, however many."""
        if part.id:
            named = self._of_id.get((part.index, part.id)) or self._without_id(part)
            return named if named and named.goes_on_with(part) else None
        blocks = self._of_index.get(part.index, [])
        if not blocks or blocks[-1].goes_on_with(part):
            return blocks[-1] if blocks else None
        last = blocks.pop()
        while blocks and blocks[-1].complete:
            blocks.pop()
        found = blocks[-1] if blocks and blocks[-1].goes_on_with(part) else None
        blocks.append(last)
        return found

    def _without_id(self, part: CallPart) -> _Block | None:
        """The call that began without an id, if this piece brings it."""
        last = self._of_index.get(part.index, [])[-1:]
        if part.name or not last or not last[0].lacks_id:
            return None
        last[0].known_as = part.id
        self._of_id[part.index, part.id] = last[0]
        return last[0]

    def _new_id(self, part: CallPart) -> str:
        """An id that is new to the run; a missing one is made from the position, so that a replay agrees."""
        wanted = clean_text(part.id)
        if not wanted or len(wanted) > MAX_ID or self._masked(wanted) != wanted:
            wanted = f"call_{len(self._taken) + 1}"
        unique = _free(wanted, self._taken)
        self._taken.add(unique)
        return unique


def _free(wanted: str, taken: set[str]) -> str:
    """The text, or with a number if it is taken. Some servers give each call the same, so all are not tried in turn."""
    if wanted not in taken:
        return wanted
    low, high = 1, 2
    while f"{wanted}-{high}" in taken:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if f"{wanted}-{middle}" in taken else (low, middle)
    return f"{wanted}-{high}"


CLOSING = {"{": "}", "[": "]", '"': '"'}


class _Block:
    """A call while its pieces come."""

    def __init__(self, part: CallPart, unique_id: str) -> None:
        self.complete = part.complete
        self._first = part
        self.known_as = part.id
        """The id that its pieces have; empty as long as none had one."""
        self._id = unique_id
        self._name = part.name
        self._pieces = [part.arguments]

    def goes_on_with(self, part: CallPart) -> bool:
        """Whether a part is a piece of this call; servers differ, some give all calls one index, some give no ids.

        A new id on an index begins a new call, and so do a name after arguments that are whole and any piece after the
        call's certain end.
        """
        if part.index != self._first.index or (part.id and part.id != self.known_as):
            return False
        if self.complete:
            return not part.arguments.strip() and (bool(part.id) or not part.name)
        return bool(part.id) or not (part.name and self._may_be_whole() and _is_json(self._arguments))

    def add(self, part: CallPart) -> None:
        """Adds a piece. A name comes whole, is said again as a whole, or comes in pieces before the arguments."""
        if part.name != self._name and not (self._name and self._arguments):
            self._name += part.name
        self._pieces.append(part.arguments)
        self.complete = part.complete

    def call(self, complete: bool) -> Call:
        """The call as far as it has come."""
        return Call(self._id, clean_text(self._name), clean_json(self._arguments), complete)

    @property
    def lacks_id(self) -> bool:
        """Whether pieces are missing, and none so far had an id."""
        return not self.known_as and not self.complete and not self.is_object

    @property
    def is_object(self) -> bool:
        """Whether the arguments are a whole JSON object, to which nothing can be added."""
        return self._first_letter == "{" and self._may_be_whole() and _is_json(self._arguments)

    def _may_be_whole(self) -> bool:
        """What can be told from the first and the last letter. Reading all of it at each piece would take too long."""
        last = next((text for text in map(str.rstrip, reversed(self._pieces)) if text), "")[-1:]
        return CLOSING.get(self._first_letter, last) == last

    @property
    def _first_letter(self) -> str:
        return next((text for text in map(str.lstrip, self._pieces) if text), "")[:1]

    @property
    def _arguments(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


async def _close(parts: AsyncIterator[Part] | None, patience: float | None) -> None:
    """A generator that is left half read must be closed by hand, or it stays open until it is collected."""
    if patience is None and isasyncgen(parts):
        return  # it was read to its end
    close = getattr(parts, "aclose", None)
    if close is not None:
        with suppress(Exception):  # the turn is read; what fails after it is of no use to anyone
            if patience is None:
                await close()
                return
            async with asyncio.timeout(patience):
                await close()
