"""What holds for the models of all providers: one suite, and each provider's own words."""

import asyncio
import base64
import json
from itertools import pairwise

import pytest

from cellwright import Agent, tool
from cellwright.context.context_window import ContextWindow
from cellwright.errors import ModelError
from cellwright.messages import Image, Usage
from cellwright.models.attempts import Patience
from cellwright.models.model import CallPart, Request, TextPart, ThinkingPart
from cellwright.models.reading import Reading
from cellwright.tool import Output

from .shapes import QUICK, SHAPES, Said, many
from .wire_server import Answer, refusing, serving

REQUEST = Request("Be brief.", (), (), b"[]")
HELLO = Said("Hello there.")
TWO = (("id_a", "look", ('{"text"', ': "a"}')), ("id_b", "look", ('{"text": ', '"b"}')))

every_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.provider)


@tool(read_only=True, concurrency_safe=True)
def look(text: str) -> str:
    """Looks at a text."""
    return f"seen {text}"


@tool(read_only=True, concurrency_safe=True)
def tell(text: str) -> str:
    """Tells a long story."""
    return f"{text} " * 700


@tool(read_only=True)
def picture() -> Output:
    """Makes a picture."""
    return Output("a dot", images=(Image("image/png", "iVBORw0KGgo="),))


def read(model, request=REQUEST, tell=lambda part: None):
    """The turn that a model gives, and the error with which it ended."""
    reading = Reading(set(), tell, lambda call: None)

    async def follow():
        try:
            await reading.follow(model, request)
        except ModelError as error:
            return reading.message, str(error)
        return reading.message, ""

    return asyncio.run(follow())


def turn_of(shape, *answers, patience=QUICK, **facts):
    """The turn that a provider's answers make, the error, and what was asked."""
    with serving(*answers) as server:
        message, error = read(shape.model(server, patience, **facts))
    return message, error, server.asked


@every_shape
def test_the_pieces_of_a_turn_come_as_they_are_sent(shape):
    parts = []
    said = Said("Let me look.", "I wonder", "sig", TWO)
    with serving(shape.answer(said)) as server:
        message, error = read(shape.model(server), tell=parts.append)
    assert (message.text, message.thinking, message.stop, error) == ("Let me look.", "I wonder", "calls", "")
    assert [(call.name, json.loads(call.arguments)) for call in message.calls] == [
        ("look", {"text": "a"}),
        ("look", {"text": "b"}),
    ]
    assert message.usage == Usage(*shape.usage)
    kinds = [type(part) for part in parts]
    assert (kinds.count(TextPart) > 1, kinds.count(ThinkingPart) > 1, kinds.count(CallPart) > 1) == (True, True, True)
    assert server.asked[0].path.endswith(shape.path)  # which version of its interface is up to the package


@every_shape
def test_pieces_of_several_calls_that_come_in_turns_are_put_together_rightly(shape):
    message, error, _ = turn_of(shape, shape.answer(Said(calls=TWO, interleaved=True)))
    calls = [(call.id, json.loads(call.arguments)) for call in message.calls]
    assert (calls, error) == ([("id_a", {"text": "a"}), ("id_b", {"text": "b"})], "")


@every_shape
def test_a_call_that_is_whole_is_handed_on_before_the_turn_ends(shape):
    with serving(shape.partial(Said(calls=TWO), then="stall")) as server:
        taken = asyncio.run(first_call(shape.model(server)))
    assert (taken.id, json.loads(taken.arguments)) == ("id_a", {"text": "a"})


async def first_call(model):
    """The first call of a turn that never ends."""
    found = asyncio.get_running_loop().create_future()

    def take(call):
        found.done() or found.set_result(call)

    task = asyncio.create_task(Reading(set(), lambda part: None, take).follow(model, REQUEST))
    call = await asyncio.wait_for(found, 5)
    task.cancel()
    await asyncio.wait({task})
    return call


@every_shape
def test_arguments_that_are_no_json_are_an_error_for_the_model_and_the_run_goes_on(shape):
    broken = Said(calls=(("id_a", "look", ('{"text": ',)),))
    with serving(shape.answer(broken), shape.answer(HELLO)) as server:
        run = Agent(shape.model(server), [look]).run_sync("go")
    assert (run.stop_reason, run.answer, run.results[0].error_type) == ("answered", "Hello there.", "invalid_arguments")
    assert run.conversation[1].calls[0].arguments == shape.broken
    assert len(server.asked) == 2


@every_shape
def test_room_in_a_long_run_parts_no_call_from_its_result_and_no_thought_from_its_seal(shape):
    seals = [base64.b64encode(b"seal-%04d" % turn).decode() for turn in range(10)]
    calls = [tuple((f"id_{turn}{x}", "tell", ('{"te', 'xt": "x"}')) for x in "ab") for turn in range(10)]
    said = [Said("so", f"why {turn}", seals[turn], calls[turn], counted=False) for turn in range(10)]
    with serving(*map(shape.answer, [*said, HELLO])) as server:
        run = Agent(shape.model(server), [tell], window=ContextWindow(3_000)).run_sync("go")
    assert sum(event.kind == "compacted" and event.data["summary"] != "" for event in run.events) > 1
    sealed = {"openai": 0, "google": 2}.get(shape.provider, 1)  # a server of Chat Completions takes its thoughts alone
    found = set()
    for asked in server.asked:
        for turn in range(10):
            marks = f"why {turn}", seals[turn], f"id_{turn}a", f"id_{turn}b"
            found.add(tuple(asked.body.decode().count(f'"{mark}"') for mark in marks))
    assert found == {(0, 0, 0, 0), (1, sealed, 2, 2)}


@every_shape
def test_the_calls_that_came_count_and_not_the_reason_that_is_given(shape):
    message, error, _ = turn_of(shape, shape.answer(Said(calls=TWO, finish=shape.done)))
    assert (len(message.calls), message.stop, error) == (2, "calls", "")


@every_shape
def test_a_turn_that_is_cut_at_its_length_says_so(shape):
    message, error, _ = turn_of(shape, shape.answer(Said("Hel", finish=shape.length)))
    assert (message.text, message.stop, error) == ("Hel", "length", "")


@every_shape
def test_a_turn_whose_tokens_nobody_counted_still_counts(shape):
    message, _, _ = turn_of(shape, shape.answer(Said("Hello there.", counted=False)))
    assert message.usage.output_tokens > 0
    assert message.usage.input_tokens > 0


@every_shape
@pytest.mark.parametrize(
    ("then", "words"), [("end", "ended before the turn did"), ("cut", "")], ids=["clean early end", "cut connection"]
)
def test_a_stream_that_ends_too_early_is_an_error_that_keeps_what_came_and_is_not_asked_for_again(shape, then, words):
    message, error, asked = turn_of(shape, shape.partial(Said("Half of"), then=then), shape.answer(HELLO))
    assert (message.text, message.stop, len(asked)) == ("Half of", "broken", 1)
    assert words in error
    assert "what came of the turn is kept; go on with agent.start(..., after=run)" in error


@every_shape
def test_an_error_in_the_stream_ends_the_turn_and_keeps_what_came(shape):
    message, error, asked = turn_of(shape, shape.error(Said("Half of")), shape.answer(HELLO))
    assert (message.text, message.stop, "Overloaded" in error, len(asked)) == ("Half of", "broken", True, 1)


@every_shape
@pytest.mark.parametrize("trouble", ["error", "end", "cut"])
def test_what_fails_before_anything_came_is_asked_for_again(shape, trouble):
    first = shape.error() if trouble == "error" else Answer(then=trouble)
    message, error, asked = turn_of(shape, first, shape.answer(HELLO))
    assert (message.text, error, len(asked)) == ("Hello there.", "", 2)
    assert asked[0].body == asked[1].body


@every_shape
@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_a_server_that_has_trouble_for_a_moment_is_asked_again(shape, status):
    message, error, asked = turn_of(shape, refusing(status), shape.answer(HELLO))
    assert (message.text, error, len(asked)) == ("Hello there.", "", 2)


@every_shape
def test_a_server_is_not_asked_again_before_the_time_that_it_names(shape):
    first = refusing(429, headers={"retry-after": "0.3"})
    patience = Patience(idle=5, tries=2, pause=0.0)
    with serving(first, shape.answer(HELLO)) as server:
        waits = asyncio.run(timed(shape.model(server, patience)))
    assert (len(server.asked), waits >= 0.29) == (2, True)


async def timed(model):
    loop = asyncio.get_running_loop()
    began = loop.time()
    await Reading(set(), lambda part: None, lambda call: None).follow(model, REQUEST)
    return loop.time() - began


@every_shape
@pytest.mark.parametrize(
    ("answer", "tries", "words"),
    [
        (
            refusing(401, "bad key"),
            1,
            "(401): bad key; the key was refused: set CELLWRIGHT_API_KEY to one that is valid",
        ),
        (refusing(404, "no such model"), 1, "(404): no such model; check the model's name, 'm-1', and the address"),
        (refusing(400, "too odd"), 1, "(400): too odd; the provider does not take this request"),
        (
            refusing(429, "slow down"),
            3,
            "(429) after 3 tries: slow down; the provider limits how much you ask; wait a while",
        ),
        (refusing(429, "no", {"retry-after": "3600"}), 1, "wait 3600 s, then go on with agent.start(..., after=run)"),
        (refusing(500, "oops"), 3, "(500) after 3 tries: oops; the provider has trouble; try again later"),
        (refusing(500, "oops", {"x-should-retry": "false"}), 1, "(500): oops"),
    ],
    ids=["401", "404", "400", "429", "429 for an hour", "500", "500 for good"],
)
def test_a_refusal_is_told_with_what_to_do_next(shape, answer, tries, words):
    message, error, asked = turn_of(shape, answer)
    assert (message.text, len(asked)) == ("", tries)
    assert words in error
    assert "at 127.0.0.1:" in error


@every_shape
def test_a_server_that_is_not_there_is_told_with_its_address(shape):
    with serving(Answer()) as server:
        pass
    _, error = read(shape.model(server))
    assert f"is the server running, and is {server.url}{shape.base} its address?" in error
    assert "after 3 tries" in error


@every_shape
@pytest.mark.parametrize("begun", [True, False])
def test_a_stream_in_which_nothing_more_comes_is_given_up(shape, begun):
    said = [shape.partial(Said("Half of"), then="stall"), Answer(then="stall")]
    message, error, asked = turn_of(shape, said[not begun], patience=Patience(idle=0.3, tries=3, pause=0.01))
    assert (message.text, len(asked)) == ("Half of" if begun else "", 1)
    assert ("what came of the turn is kept" if begun else "nothing came for too long") in error


@every_shape
def test_the_server_sees_that_a_run_was_stopped_in_the_middle_of_a_turn(shape):
    with serving(shape.partial(Said("Half of a"), then="stall")) as server:
        run = Agent(shape.model(server), [look], observers=[Stopping()]).run_sync("go")
        assert server.left.wait(5)
    assert (run.stop_reason, run.conversation[-1].text[:3]) == ("cancelled", "Hal")


class Stopping:
    """An observer that stops the task as soon as the model has said something."""

    def on_event(self, event):
        if event.kind == "text":
            asyncio.current_task().cancel()


@every_shape
def test_the_connection_stays_from_turn_to_turn_and_ends_with_the_run(shape):
    with serving(*many(shape, 2)) as server:
        run = Agent(shape.model(server), [look]).run_sync("go")
        assert server.idle.wait(5)
    assert (run.stop_reason, len(server.asked), server.connections) == ("answered", 3, 1)


@every_shape
def test_what_the_model_sealed_goes_back_to_it_as_it_was(shape):
    said = Said("Let me look.", "I wonder", "c2lnbmVk" * 40, TWO[:1])
    with serving(shape.answer(said), shape.answer(HELLO)) as server:
        run = Agent(shape.model(server), [look]).run_sync("go")
    assert run.conversation[1].sealed
    sent = server.asked[1].body.decode()
    assert "I wonder" in sent
    assert shape.provider == "openai" or said.signature in sent
    assert sent.index("I wonder") < sent.index("id_a")


@every_shape
def test_what_a_model_sealed_is_sent_to_no_other_one(shape):
    said = Said("Let me look.", "I wonder", "c2lnbmVk" * 40)
    with serving(shape.answer(said), shape.answer(HELLO)) as server:
        first = Agent(shape.model(server), [look]).run_sync("go")
    with serving(shape.answer(HELLO)) as other:
        Agent(shape.model(other), [look]).run_sync("go on", after=first)
    sent = other.asked[0].body.decode()
    assert ("Let me look." in sent, "I wonder" in sent, said.signature in sent) == (True, False, False)


@every_shape
def test_a_picture_in_a_result_reaches_the_model(shape):
    said = Said(calls=(("id_a", "picture", ("{}",)), ("id_b", "look", ('{"text": "b"}',))))
    with serving(shape.answer(said), shape.answer(HELLO)) as server:
        Agent(shape.model(server), [picture, look]).run_sync("go")
    sent = server.asked[1].body.decode()
    assert sent.count("iVBORw0KGgo=") == 1
    assert "a dot" in sent


@every_shape
def test_names_and_ids_that_no_provider_takes_do_not_end_the_run(shape):
    odd = Said(calls=(("functions.look:0", "functions.look", ("{}",)), ("i" * 90, "", ("{}",))))
    with serving(shape.answer(odd), shape.answer(HELLO)) as server:
        run = Agent(shape.model(server), [look]).run_sync("go")
    assert [result.error_type for result in run.results] == ["unknown_tool", "unknown_tool"]
    sent = server.asked[1].body.decode()
    assert ("functions.look" in sent.replace("'functions.look'", ""), "i" * 90 in sent) == (False, False)


@every_shape
def test_the_key_is_sent_and_stands_nowhere_else(shape, tmp_path):
    key = "key-of-the-test-1234567890"
    log = tmp_path / "log"
    with serving(refusing(401, f"wrong key {key} given")) as server:
        model = shape.model(server)
        run = Agent(model, [look], log=log).run_sync("go")
    assert [name for name, value in server.asked[0].headers.items() if key in value] != []
    seen = [run.error, repr(model), repr(vars(model)), repr(run), log.read_text(), *map(repr, run.events)]
    assert [text for text in seen if key in text] == []
    assert "⟨masked: CELLWRIGHT_API_KEY⟩" in run.error


def thirty():
    def make(number):
        def act(text: str, deep: dict[str, list[int]] | None = None, zed: int = 3) -> str:
            """Does somethïng."""
            return text

        act.__name__ = f"tool_{number:02}"
        return tool(read_only=True)(act)

    return [make(number) for number in range(29)] + [look]


@every_shape
def test_over_fifty_turns_with_thirty_tools_each_body_begins_with_all_of_the_last(shape):
    with serving(*many(shape, 49)) as server:
        agent = Agent(shape.model(server), thirty())
        run = agent.run_sync("go")
    bodies = [asked.body for asked in server.asked]
    assert (len(bodies), run.steps) == (50, 50)
    for (still, earlier), (same, later) in pairwise(map(shape.halves, bodies)):
        assert (same == still, later.startswith(earlier)) == (True, True)
    definitions = agent.registry.definitions()
    assert shape.schemas(bodies[-1]) == [json.dumps(canonical_form(one)) for one in definitions]


def canonical_form(definition):
    return json.loads(definition.text)["input_schema"]
