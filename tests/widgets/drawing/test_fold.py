from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import TAIL, bounded, clipped_line, folded_rows
from cellwright_widgets.drawing.node import to_text

SMALL = Brush(str, lines=20, line=50, characters=100)


def test_few_rows_are_one_block():
    assert len(folded_rows(["a\n"] * 30, SMALL, "")) == 1


def test_many_rows_keep_head_and_tail_in_sight():
    rows = [f"{number}\n" for number in range(100)]
    head, middle, tail = folded_rows(rows, SMALL, "")
    assert to_text(head).split()[-1] == "11"
    assert to_text(middle).startswith("80 more lines12\n")
    assert to_text(tail).split() == [str(number) for number in range(100 - TAIL, 100)]


def test_no_character_is_lost_in_a_clipped_line():
    line = "".join(map(str, range(60)))
    assert to_text(clipped_line(line, SMALL)).replace("⟨70 more characters⟩", "") == line


def test_a_bound_is_said():
    shown, rest = bounded("x" * 150, SMALL)
    assert len(shown) == 100
    assert "50 more characters" in to_text(rest[0])
