from cellwright import Agent, ScriptedModel, Turn
from cellwright.log.requests import requests
from cellwright.runs.budget import Budget
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.inspector.request_view import draw_request

from ..inspected import busy_run, hostile_log, look
from ..page import Page, assert_harmless


def drawn(events):
    return [draw_request(asked) for asked in requests(events)]


def text_of(nodes):
    return " ".join(map(to_text, nodes))


def test_the_first_request_holds_tools_system_prompt_and_prompt():
    text = text_of(drawn(busy_run().events)[0])
    for words in (
        "none of them sent",
        "3 tools",
        "look: Look there.",
        "system prompt",
        "Look before you change",
        "message 1: you",
    ):
        assert words in text
    assert "as before" not in text


def test_what_was_sent_before_is_marked_and_counted():
    run = busy_run()
    first, second, *_ = requests(run.events)
    text = text_of(draw_request(second))
    assert f"the first {first.size:,}" in text
    assert "1 message as before" in text
    assert "→ look" in text.split("1 message as before")[1]
    assert "The first byte that changed" not in text


def test_the_first_byte_that_changed_is_shown_as_it_was_and_as_it_is():
    facts = list(busy_run().events)
    second = [place for place, event in enumerate(facts) if event.kind == "turn_started"][1]
    facts.insert(second, facts[1]._replace(kind="system", data={"text": "You work with the TOOLS"}))
    text = text_of(draw_request(list(requests(facts))[1]))
    assert "The first byte that changed is in system, after 18 characters:" in text
    assert "tools you are given" in text.split("after 18 characters:")[1]


def test_a_long_conversation_is_drawn_small_and_all_of_it_is_counted():
    turns = [Turn(f"n{n}", [("look", {"place": "x" * 3_000})]) for n in range(130)]
    run = Agent(ScriptedModel([*turns, "Done."]), [look], budget=Budget(steps=200)).run_sync("go")
    nodes = draw_request(list(requests(run.events))[-1])
    assert sum(len(to_html(node)) for node in nodes) < 1_000_000
    assert "61 earlier messages; the log holds them" in text_of(nodes)


def test_hostile_texts_stay_text():
    for nodes in drawn(hostile_log()):
        for node in nodes:
            assert_harmless(Page(to_html(node)))
