import pytest

from cellwright.errors import ToolError
from cellwright.views.inquiry import Inquiry, NoReply, Reply, inquiry_text, read_reply

ONE = Inquiry.of("Which?", [("red", "warm"), (" dark\n blue ", "")])
SEVERAL = Inquiry.of("Which?", [("a", ""), ("b", ""), ("c", "")], multiple=True)
FREE = Inquiry.of("Why?")


def test_choices_are_one_line_each_and_numbered():
    assert ONE.labels == ("red", "dark blue")
    assert inquiry_text(ONE) == "Which?\n  1  red: warm\n  2  dark blue"


def test_a_question_shows_its_answer_once_it_has_one():
    assert (
        inquiry_text(ONE.answered(Reply(("red",), "or so"))) == "Which?\n *1  red: warm\n  2  dark blue\nanswer: or so"
    )
    assert inquiry_text(FREE.answered(NoReply("nobody"))) == "Why?\nno answer: nobody"


def test_nothing_hides_in_a_question():
    text = inquiry_text(Inquiry("a\u202eb", (("c\u200b", "d" + " " * 300 + "e"),), asker="x\x1b"))
    assert text == "x⟨U+001B⟩ asks: a⟨U+202E⟩b\n  1  c⟨U+200B⟩: d ⟨300 blanks⟩ e"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ((" \n",), "the question has no words"),
        (("q", [("a", ""), (" a ", "x")]), "the choice 'a' is there twice"),
        (("q", [("a", ""), ("\n", "")]), "choice 2 has no words"),
        (("q", [], True), "multiple is for a question with choices"),
    ],
)
def test_a_question_that_is_none_is_refused(facts, words):
    with pytest.raises(ToolError) as caught:
        Inquiry.of(*facts)
    assert (caught.value.code, words in caught.value.message) == ("invalid_arguments", True)


@pytest.mark.parametrize(
    ("inquiry", "reply", "fits"),
    [
        (ONE, Reply(("red",)), True),
        (ONE, Reply((), "green"), True),
        (ONE, Reply(("red",), "but darker"), True),
        (ONE, Reply(("red", "dark blue")), False),
        (ONE, Reply(("green",)), False),
        (ONE, Reply(), False),
        (ONE, Reply((), " \n"), False),
        (SEVERAL, Reply(("a", "c")), True),
        (SEVERAL, Reply(("a", "a")), False),
        (FREE, Reply((), "because"), True),
        (FREE, Reply(("because",)), False),
    ],
)
def test_a_reply_holds_what_was_shown_and_own_words(inquiry, reply, fits):
    assert inquiry.fits(reply) is fits


@pytest.mark.parametrize(
    ("line", "inquiry", "reply"),
    [
        ("2\n", ONE, Reply(("dark blue",))),
        ("red", ONE, Reply((), "red")),
        ("2 of them", ONE, Reply((), "2 of them")),
        ("1,2", ONE, None),
        ("3", ONE, None),
        ("0", ONE, None),
        ("9" * 5_000, ONE, None),
        ("3, 1", SEVERAL, Reply(("a", "c"))),
        ("1 1 2;", SEVERAL, Reply(("a", "b"))),
        ("42", FREE, Reply((), "42")),
        ("٢", ONE, Reply((), "٢")),
    ],
)
def test_a_typed_line_is_numbers_or_own_words(line, inquiry, reply):
    assert read_reply(line, inquiry) == reply


def test_an_empty_line_is_no_answer_and_a_long_one_is_bounded():
    assert read_reply("  ", ONE) == NoReply("the person gave no answer", declined=True)
    assert len(read_reply("x" * 50_000, FREE).text) == 20_000
