"""What is OpenAI's own; the rules for all providers are in `test_provider_model.py`."""

from cellwright import Agent

from .shapes import RESPONSES, function, item, sse
from .test_provider_model import HELLO, look, turn_of
from .wire_server import Answer, serving

DONE = {"type": "response.completed", "response": {"status": "completed"}}


def events(*inner, end=DONE):
    return Answer(sse(*inner, end, named=True))


def test_a_call_that_comes_whole_is_taken_whole():
    whole = function(("id_a", "look"), '{"text": "a"}')
    message, error, _ = turn_of(
        RESPONSES, events(item("added", 0, function(("id_a", "look"), "")), item("done", 0, whole))
    )
    assert [(call.id, call.arguments) for call in message.calls] == [("id_a", '{"text": "a"}')]
    assert error == ""


def test_thoughts_between_calls_go_back_in_their_order():
    thoughts = [{"type": "reasoning", "id": f"rs_{n}", "encrypted_content": f"E{n}", "summary": []} for n in (0, 2)]
    calls = [function((f"id_{n}", "look"), '{"text": "a"}') for n in (1, 3)]
    items = [thoughts[0], calls[0], thoughts[1], calls[1]]
    inner = [item(what, n, one) for n, one in enumerate(items) for what in ("added", "done")]
    with serving(events(*inner), RESPONSES.answer(HELLO)) as server:
        Agent(RESPONSES.model(server), [look]).run_sync("go")
    sent = server.asked[1].json["input"]
    assert [one.get("id") or one["call_id"] for one in sent[1:5]] == ["rs_0", "id_1", "rs_2", "id_3"]
    assert sent[1] == thoughts[0]


def test_the_phase_of_words_goes_back_with_them():
    words = [
        item("added", 0, {"type": "message", "phase": "commentary", "content": []}),
        {"type": "response.output_text.delta", "output_index": 0, "delta": "I look."},
    ]
    call = item("done", 1, function(("id_a", "look"), '{"text": "a"}'))
    with serving(events(*words, call), RESPONSES.answer(HELLO)) as server:
        Agent(RESPONSES.model(server), [look]).run_sync("go")
    assert server.asked[1].json["input"][1] == {"role": "assistant", "content": "I look.", "phase": "commentary"}


def test_a_response_that_failed_is_told_with_its_reason():
    failed = {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "oops"}}}
    _, error, asked = turn_of(RESPONSES, events(end=failed))
    assert (len(asked), "(500) after 3 tries: oops" in error) == (3, True)


def test_what_a_filter_stopped_is_an_error():
    cut = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
    _, error, _ = turn_of(RESPONSES, events(end={"type": "response.incomplete", "response": cut}))
    assert "filter stopped this turn" in error
