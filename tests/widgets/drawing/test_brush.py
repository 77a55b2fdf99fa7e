from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT


def test_an_approval_shows_more_and_counts_blanks():
    padded = "ls" + " " * 50 + "; rm"
    assert APPROVAL.mark(padded) == "ls ⟨50 blanks⟩ ; rm"
    assert TRANSCRIPT.mark(padded) == padded
    assert APPROVAL.lines > TRANSCRIPT.lines
    assert APPROVAL.characters > TRANSCRIPT.characters


def test_both_name_hidden_characters():
    assert APPROVAL.mark("a\u200b") == TRANSCRIPT.mark("a\u200b") == "a⟨U+200B⟩"
