import pytest

from cellwright.text.visible_text import is_hidden, mark_all, mark_hidden, mark_spelling

HIDDEN = {
    "right-to-left override": "\u202e",
    "isolate": "\u2066",
    "zero width space": "\u200b",
    "soft hyphen": "\u00ad",
    "tag letter": "\U000e0041",
    "escape": "\x1b",
    "bell": "\x07",
    "backspace": "\b",
    "return": "\r",
    "delete": "\x7f",
    "next line": "\x85",
    "line separator": "\u2028",
    "byte order mark": "\ufeff",
    "hangul filler": "\u3164",
    "braille blank": "\u2800",
    "private use": "\ue000",
}


@pytest.mark.parametrize("char", HIDDEN.values(), ids=HIDDEN)
def test_each_character_that_can_not_be_seen_is_named(char):
    assert is_hidden(char)
    assert mark_hidden(f"a{char}b") == mark_all(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"


@pytest.mark.parametrize(
    "text", ["plain", "tab\tand\nline", "grüße", "日本語", "مرحبا", "a  b", "😀" * 30, "ที่นั่น", "शक्ति", ""]
)
def test_what_can_be_seen_stays_as_it_is(text):
    assert mark_hidden(text) == mark_all(text) == text


def test_a_surrogate_without_its_other_half_is_shown_as_a_replacement():
    assert mark_hidden("a\ud83db") == "a\ufffdb"


def test_a_command_pushed_out_of_sight_is_brought_back():
    assert mark_all("ls" + " " * 300 + "; rm -rf /") == "ls ⟨300 blanks⟩ ; rm -rf /"
    assert mark_all("ls\n" + "\n" * 40 + "rm -rf /") == "ls\n⟨40 empty lines⟩\nrm -rf /"
    assert mark_all("ls" + " " * 5 + "-l") == "ls" + " " * 5 + "-l"


def test_a_long_row_of_hidden_characters_is_counted_and_not_spelt_out():
    assert mark_hidden("ls" + "\u2800" * 400 + "; rm") == "ls⟨400 hidden characters: U+2800⟩; rm"
    assert mark_hidden("ls" + "\u200b\u200c" * 200 + "; rm") == "ls⟨400 hidden characters: U+200B, U+200C⟩; rm"
    assert len(mark_hidden("".join(map(chr, range(0xE000, 0xF000))))) < 200
    assert mark_hidden("ls" + "\u0335" * 400 + "😀; rm") == "ls⟨400 hidden characters: U+0335⟩😀; rm"


def test_tabs_inside_a_line_are_counted_and_indentation_is_not():
    assert mark_all("ls" + "\t" * 200 + "; rm") == "ls ⟨200 blanks⟩ ; rm"
    assert mark_all("\t" * 15 + "x") == "\t" * 15 + "x"


def test_blanks_of_another_kind_are_named_before_an_approval_only():
    assert mark_all("a\u00a0b\u3000c") == "a⟨U+00A0⟩b⟨U+3000⟩c"
    assert mark_hidden("a\u00a0b") == "a\u00a0b"


def test_indentation_is_code_and_stays():
    assert mark_all("if x:\n" + " " * 24 + "y") == "if x:\n" + " " * 24 + "y"


TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "rm")


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (f"nice{TAGS}.", "nice⟨U+E0072⟩⟨U+E006D⟩."),
        ("\U000e0101\U000e0102", "⟨U+E0101⟩⟨U+E0102⟩"),
        ("a" + "\u200b\u200c" * 5 + "b", "a" + "⟨U+200B⟩⟨U+200C⟩" * 5 + "b"),
    ],
)
def test_rows_that_can_spell_a_text_are_named(text, marked):
    assert mark_spelling(text) == marked


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "a\u200bb",
        "\u845b\U000e0100",
        "\u202ea",
    ],
)
def test_a_flag_and_what_writing_has_stay_as_they_are(text):
    assert mark_spelling(text) == text
