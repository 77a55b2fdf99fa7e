"""What the model got of a result, beside what the person sees."""

import pytest

from cellwright.views.view import Group, Picture, as_json
from cellwright_widgets.cards.call_card import draw_call
from cellwright_widgets.cards.story import Story
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless
from ..run_events import call_events, events

MASK = "⟨masked: GITHUB_TOKEN⟩"


def side(**result) -> str:
    """The model's side of a card, as HTML."""
    story = Story()
    for event in events(*call_events(**result)):
        story.add(event)
    return to_html(draw_call(story.items[0])[2][1][2][0])


def test_the_switch_names_both_sides_and_the_text_is_exact():
    html = side(content="a\n  b  \n")
    assert "what I see | what the model saw · 8 characters, about 2 tokens" in Page(html).text
    assert "a\n  b  \n" in Page(html).text
    assert "Tokens are estimated: 4 characters each" in Page(html).text


def test_what_was_cut_is_told_with_the_way_to_read_it():
    spilled = {"path": ".cellwright/runs/r/c1.txt", "call_id": "c1"}
    text = Page(side(metadata={"characters_left_out": 900, "spilled": spilled})).text
    assert "900 characters were left out of what the model saw; the whole text is in .cellwright/runs/r/c1.txt" in text
    assert "it can read on with read_result" in text
    assert (
        "the rest was not kept: no room"
        in Page(side(metadata={"characters_left_out": 9, "not_spilled": "no room"})).text
    )


def test_a_mask_is_counted_and_set_off_from_the_text():
    html = side(content=f"key={MASK};\nx", metadata={"masked": {"GITHUB_TOKEN": 2}})
    assert f'<span class="cw-mask">{MASK}</span>' in html
    assert "Masked, for the model and for you: GITHUB_TOKEN (2 times)." in Page(html).text
    assert f"key={MASK};\nx" in Page(html).text


def test_a_picture_that_the_person_sees_too_is_named_and_another_one_is_drawn():
    images = [{"media_type": "image/png", "data": data} for data in ("AAAA", "BBBB")]
    view = as_json(Group("", (Picture("image/png", "AAAA"),)))
    page = Page(side(images=images, view=view))
    assert [attrs["src"] for tag, attrs in page.elements if tag == "img"] == ["data:image/png;base64,BBBB"]
    assert "2 pictures went with it, for a model that can see: about 1,600 tokens each." in page.text
    assert "Picture 1: image/png, 3 bytes. The one you see." in page.text


def test_a_failure_and_a_note_for_the_next_turn_are_told():
    assert "marked as an error" in Page(side(ok=False, error_type="timeout")).text
    assert "With it came a note for its next turn:restarted" in Page(side(context="restarted")).text


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_of_it_acts(text):
    images = [{"media_type": text, "data": text}]
    metadata = {"masked": {text: text}, "characters_left_out": 3, "spilled": {"path": text, "call_id": text}}
    assert_harmless(Page(side(content=f"{text}⟨masked: {text}⟩", images=images, context=text, metadata=metadata)))


@pytest.mark.parametrize("images", ["x", [1], [{}], None, [{"data": 3}]])
def test_damaged_pictures_do_no_harm(images):
    assert "what the model saw" in Page(side(images=images)).text


def test_a_call_that_has_no_result_yet_has_no_other_side():
    story = Story()
    for event in events(*call_events()[:-1]):
        story.add(event)
    assert "what the model saw" not in to_text(draw_call(story.items[0]))
