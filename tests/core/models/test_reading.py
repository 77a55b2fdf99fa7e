import asyncio

import pytest

from cellwright import Agent
from cellwright.errors import ModelError
from cellwright.messages import Call, Sealed, Usage
from cellwright.models.model import CallPart, EndPart, Request, SealedPart, TextPart, ThinkingPart
from cellwright.models.reading import Reading
from cellwright.text.masking import Masking, mark

from ..in_time import in_time
from ..scene import Streams, act, echo

REQUEST = Request("", (), (), b"[]")


class Parts:
    """A model of which one stream is given, for what no script would send."""

    name = "parts"

    def __init__(self, *parts):
        self.parts = parts
        self.closed = False

    async def stream(self, request):
        try:
            for part in self.parts:
                if isinstance(part, BaseException):
                    raise part
                yield part
        finally:
            self.closed = True


def reading(taken=(), tell=lambda part: None, take=lambda call: None):
    return Reading(set(taken), tell, take, Masking().text)


def turn_of(*parts, **how):
    turn = reading(**how)
    asyncio.run(turn.follow(Parts(*parts), REQUEST))
    return turn.message


def early(*parts):
    """The calls that are whole before the end of the turn is certain."""
    calls = []
    turn = turn_of(*parts, take=calls.append)
    assert calls == list(turn.calls[: len(calls)])
    return [(call.id, call.arguments) for call in calls]


def test_what_is_sealed_keeps_its_place_in_the_turn_and_its_maker():
    thinking = [ThinkingPart("hm"), SealedPart("signed"), TextPart("abc"), ThinkingPart("so"), SealedPart("again")]
    turn = turn_of(*thinking, CallPart(0, "a", "t", "{}"), SealedPart("of a"), EndPart())
    assert turn.sealed == (
        Sealed("parts", "signed", 0, 2, 0),
        Sealed("parts", "again", 3, 4, 0),
        Sealed("parts", "of a", 3, 4, 1),
    )


def test_the_pieces_of_a_stream_add_up_to_a_turn():
    told = []
    parts = [ThinkingPart("h"), ThinkingPart("m"), TextPart("a"), TextPart("b"), EndPart("end", Usage(1, 2, 3))]
    turn = turn_of(*parts, tell=told.append)
    assert (turn.text, turn.thinking, turn.calls, turn.stop, turn.usage) == ("ab", "hm", (), "end", Usage(1, 2, 3))
    assert told == parts


CALLS = {
    "pieces of one call": (
        [CallPart(0, "a", "f"), CallPart(0, "", "", '{"x"'), CallPart(0, "", "", ": 1}")],
        [("a", "f", '{"x": 1}')],
    ),
    "two by index": ([CallPart(0, "a", "f", "{}"), CallPart(1, "b", "g", "{}")], [("a", "f", "{}"), ("b", "g", "{}")]),
    "one index, own ids": (
        [CallPart(0, "a", "f", "{}"), CallPart(0, "b", "g", "{}")],
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "one index, no ids": (
        [CallPart(0, "", "f", '{"x": 1}'), CallPart(0, "", "f", '{"x": 2}')],
        [("call_1", "f", '{"x": 1}'), ("call_2", "f", '{"x": 2}')],
    ),
    "the name in each piece": (
        [CallPart(0, "a", "f", '{"x"'), CallPart(0, "a", "f", ": 1}")],
        [("a", "f", '{"x": 1}')],
    ),
    "a name in pieces": (
        [CallPart(0, "a", "get_"), CallPart(0, "", "x"), CallPart(0, "a", "get_x"), CallPart(0, "a", "get_x", "{}")],
        [("a", "get_x", "{}")],
    ),
    "pieces of a name that are alike": (
        [*(CallPart(0, "a", piece) for piece in ("find_", "f", "iles", "", "find_files")), CallPart(0, "", "", "{}")],
        [("a", "find_files", "{}")],
    ),
    "the letters of a name": (
        [*(CallPart(0, "a", letter) for letter in "find_files"), CallPart(0, "a", "find_files", "{}")],
        [("a", "find_files", "{}")],
    ),
    "a name begun by its end": ([CallPart(0, "a", "a"), CallPart(0, "a", "ab", "{}")], [("a", "aab", "{}")]),
    "a name after the arguments": ([CallPart(0, "a", "", "{"), CallPart(0, "a", "f", "}")], [("a", "f", "{}")]),
    "an id that comes late": (
        [
            CallPart(0, "", "f", '{"x"'),
            CallPart(0, "a", "", ": 1"),
            CallPart(0, "a", "", "}"),
            CallPart(0, "b", "g", "{}"),
        ],
        [("call_1", "f", '{"x": 1}'), ("b", "g", "{}")],
    ),
    "interleaved": (
        [CallPart(0, "a", "f", "{"), CallPart(1, "b", "g", "["), CallPart(0, "", "", "}"), CallPart(1, "", "", "]")],
        [("a", "f", "{}"), ("b", "g", "[]")],
    ),
    "doubled ids": (
        [CallPart(0, "a", "f", "{}"), CallPart(1, "a", "f", "{}"), CallPart(2, "a", "f", "{}")],
        [("a", "f", "{}"), ("a-2", "f", "{}"), ("a-3", "f", "{}")],
    ),
    "no name": ([CallPart(0, "a", "", "{}")], [("a", "", "{}")]),
    "surrogates": ([CallPart(0, "a\ud83d", "f\ud83d", '"\ud83d"')], [("a\ufffd", "f\ufffd", '"\ufffd"')]),
}


@pytest.mark.parametrize("kind", CALLS)
def test_calls_are_read_however_a_server_sends_them(kind):
    parts, expected = CALLS[kind]
    turn = turn_of(*parts, EndPart("end"))
    assert [(call.id, call.name, call.arguments) for call in turn.calls] == expected
    assert (turn.stop, all(call.complete for call in turn.calls)) == ("calls", True)


def test_ids_of_earlier_turns_are_not_used_again():
    turn = turn_of(CallPart(0, "a", "f", "{}"), CallPart(1, "", "g", "{}"), EndPart(), taken={"a", "call_3"})
    assert [call.id for call in turn.calls] == ["a-2", "call_4"]


def test_a_cut_off_turn_has_an_incomplete_last_call():
    turn = turn_of(CallPart(0, "a", "f", "{}"), CallPart(1, "b", "g", '{"x": "'), EndPart("length"))
    assert ([call.complete for call in turn.calls], turn.stop) == ([True, False], "length")


def test_calls_that_are_announced_and_do_not_come_are_the_end():
    assert turn_of(TextPart("x"), EndPart("calls")).stop == "end"


BREAKS = [
    ([ConnectionError("lost")], "the model's stream broke off: ConnectionError: lost"),
    ([], "the model's stream ended without its end"),
    ([EndPart(), ValueError("late")], "the model's stream broke off: ValueError: late"),
    ([ValueError("x" * 9_000)], "the model's stream broke off: ValueError: " + "x" * 1_988),
    (
        [ValueError("x" * 1_970 + " ghp_" + "a1" * 20)],
        "the model's stream broke off: ValueError: " + "x" * 1_970 + " " + mark("github token")[:17],
    ),
    (["no part"], "the model's stream broke off: TypeError: 'no part' is no part of a turn"),
]


@pytest.mark.parametrize(("rest", "reason"), BREAKS, ids=range(6))
def test_a_stream_that_breaks_off_keeps_what_came(rest, reason):
    turn = reading()
    with pytest.raises(ModelError) as caught:
        asyncio.run(turn.follow(Parts(TextPart("so far"), CallPart(0, "a", "f", "{}"), *rest), REQUEST))
    assert str(caught.value) == reason
    message = turn.message
    assert (message.text, message.stop) == ("so far", "broken")
    assert message.calls == (Call("a", "f", "{}", complete=False),)


NO_PARTS = [
    TextPart(None),
    ThinkingPart(b""),
    CallPart(1, None, "f"),
    CallPart(1, "b", None),
    CallPart(1, "b", "f", {"x": 1}),
    CallPart("1", "b", "f"),
    EndPart("end", None),
    EndPart("end", Usage("1", 2)),
]


@pytest.mark.parametrize("part", NO_PARTS, ids=repr)
def test_a_part_that_holds_something_else_than_it_should_breaks_the_turn_and_no_call_is_lost(part):
    run = asyncio.run(act(Agent(Streams(("echo", {"text": "hi"}), part), [echo])))
    assert (run.stop_reason, run.error) == (
        "model_error",
        f"the model's stream broke off: TypeError: {part!r} is no part of a turn",
    )
    assert len(run.results) == 1  # `act` holds log and conversation against each other


def test_ids_that_are_secret_or_long_are_replaced_so_that_the_log_tells_the_calls_apart():
    secrets = ["ghp_" + letter * 36 for letter in "AB"]
    parts = [CallPart(at, name, "echo", "{}", True) for at, name in enumerate([*secrets, "i" * 201, "i" * 200])]
    run = asyncio.run(act(Agent(Streams(*parts), [echo])))
    ids = [result.call.id for result in run.results]
    assert ids == ["call_1", "call_2", "call_3", "i" * 200]
    assert [run.trace(each).call_id for each in ids] == ids


def parts_of_a_kind(count):
    """Turns of so many parts, as servers send them that have no ids, one id, one index, a name with each piece."""
    yield [CallPart(at, "same", "f", "{}", True) for at in range(count)]
    yield [CallPart(0, "", "f", "{}", True) for _ in range(count)]
    yield [CallPart(0, f"i{at}", "f", "{") for at in range(count)]
    yield [CallPart(0, "", "f", "1") for _ in range(count)]
    yield [CallPart(0, "a", "f", '{"x": "' + "y" * 100_000), *(CallPart(at, "", "f", "{}") for at in range(1, count))]
    yield [CallPart(0, "", "f", piece) for piece in ['{"x": "', *["yyyyyyyy"] * count, '"}']]


@pytest.mark.parametrize("kind", range(6))
def test_a_turn_of_very_many_parts_is_read_in_bounded_time(kind):
    parts = list(parts_of_a_kind(10_000))[kind]
    in_time(2, lambda _: turn_of(*parts, EndPart()))


@pytest.mark.parametrize("taken", range(1, 20))
def test_an_id_that_comes_again_gets_the_next_number(taken):
    ids = {"x", *(f"x-{number}" for number in range(2, taken + 1))}
    turn = turn_of(CallPart(0, "x", "f", "{}"), EndPart(), taken=ids)
    assert turn.calls[0].id == f"x-{taken + 1}"


EARLY = {
    "the next call begins": ([CallPart(0, "a", "f", '{"x": 1}'), CallPart(1, "b", "g", "{}")], [("a", '{"x": 1}')]),
    "the provider says so": (
        [CallPart(0, "a", "f", "{"), CallPart(0, "", "", "}"), CallPart(0, complete=True)],
        [("a", "{}")],
    ),
    "it says so of what is no JSON": ([CallPart(0, "a", "f", "{", complete=True)], [("a", "{")]),
    "an argument is on its way": ([CallPart(0, "a", "f", '{"x": '), CallPart(1, "b", "g", "{}")], []),
    "announced and not yet written": ([CallPart(0, "a", "f"), CallPart(1, "b", "g"), CallPart(0, "a", "", "{}")], []),
    "no object, which may go on": ([CallPart(0, "a", "f", "1"), CallPart(1, "b", "g"), CallPart(0, "", "", "2")], []),
    "the second before the first": (
        [CallPart(0, "a", "f", "{"), CallPart(1, "b", "g", "{}", complete=True), CallPart(0, "", "", "}", True)],
        [("a", "{}"), ("b", "{}")],
    ),
}


@pytest.mark.parametrize("kind", EARLY)
def test_a_call_is_whole_once_nothing_more_can_come_of_it(kind):
    parts, expected = EARLY[kind]
    assert early(*parts, TextPart("more"), EndPart()) == expected


@pytest.mark.parametrize("late", [CallPart(0, "a", "", " \n"), CallPart(0, complete=True), CallPart(0, "", "", "")])
def test_blanks_after_the_end_of_a_call_are_nothing(late):
    turn = turn_of(CallPart(0, "a", "f", "{}", complete=True), late, EndPart())
    assert turn.calls == (Call("a", "f", "{}"),)


def test_a_piece_after_the_end_of_a_call_is_another_call_and_never_changes_the_first():
    turn = turn_of(CallPart(0, "a", "f", "{}", complete=True), CallPart(0, "a", "", ', "x": 1}'), EndPart())
    assert turn.calls == (Call("a", "f", "{}"), Call("a-2", "", ', "x": 1}'))


def test_a_call_that_was_whole_before_its_turn_was_cut_off_stays_whole():
    parts = [CallPart(0, "a", "f", "{}", complete=True), TextPart("and th")]
    assert [call.complete for call in turn_of(*parts, EndPart("length")).calls] == [True]
    whole_text = [CallPart(0, "a", "f", "{}"), CallPart(1, "b", "f", "{}")]
    assert [call.complete for call in turn_of(*whole_text, EndPart("length")).calls] == [True, False]


def test_a_long_call_in_many_small_pieces_is_put_together():
    pieces = [CallPart(0, "a", "f", '{"x": "'), *[CallPart(0, "", "", "y")] * 50_000, CallPart(0, "", "", '"}')]
    assert len(turn_of(*pieces, EndPart()).calls[0].arguments) == 50_009


def test_a_stream_is_closed_when_its_reader_is_stopped():
    class Slow(Parts):
        async def stream(self, request):
            try:
                yield TextPart("x")
                await asyncio.sleep(60)
            finally:
                self.closed = True

    async def scene(model):
        task = asyncio.create_task(reading().follow(model, REQUEST))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled(), model.closed

    assert asyncio.run(scene(Slow())) == (True, True)


class Parting:
    def __init__(self):
        self.parts = iter([TextPart("x"), EndPart()])

    def __aiter__(self):
        return self

    async def __anext__(self):
        for part in self.parts:
            return part
        raise StopAsyncIteration

    async def aclose(self):
        raise OSError("gone")


def test_a_stream_that_fails_while_it_is_closed_keeps_its_turn():
    class Failing:
        name = "failing"

        def stream(self, request):
            return Parting()

    turn = reading()
    asyncio.run(turn.follow(Failing(), REQUEST))
    assert turn.message.text == "x"


def test_a_stream_that_does_not_let_itself_be_closed_holds_nobody_up():
    class Clings(Parts):
        async def stream(self, request):
            try:
                yield TextPart("x")
                yield "no part"
            finally:
                await asyncio.Event().wait()

    with pytest.raises(ModelError, match="broke off"):
        asyncio.run(asyncio.wait_for(reading().follow(Clings(), REQUEST), 20))
