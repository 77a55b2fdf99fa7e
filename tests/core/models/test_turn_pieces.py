from cellwright.messages import Call, ModelMessage, Sealed
from cellwright.models.model import TextPart, ThinkingPart
from cellwright.models.turn_pieces import own_pieces, pieces
from cellwright.text.masking import mark

A, B = Call("a", "t", "{}"), Call("b", "t", "{}")


def test_a_turn_without_seals_is_thinking_then_text_then_calls():
    assert list(pieces(ModelMessage("x", (A,), "hm"))) == [ThinkingPart("hm"), TextPart("x"), A]


def test_each_seal_stands_where_it_stood():
    first, second, third = Sealed("m", "1", 0, 2, 0), Sealed("m", "2", 1, 4, 0), Sealed("m", "3", 1, 4, 1)
    turn = ModelMessage("xy", (A, B), "hmso", sealed=(first, second, third))
    expected = [ThinkingPart("hm"), first, TextPart("x"), ThinkingPart("so"), second, A, third, TextPart("y"), B]
    assert list(pieces(turn)) == expected


def test_a_seal_is_for_its_maker_alone():
    turn = ModelMessage("x", (), "hm", sealed=(Sealed("m", "1", 0, 2),))
    assert list(own_pieces(turn, "n")) == [ThinkingPart("hm"), TextPart("x")]
    assert len(list(own_pieces(turn, "m"))) == 3


def test_a_seal_does_not_go_back_beside_words_that_were_masked():
    words, data = ModelMessage("", (), mark("KEY"), sealed=(Sealed("m", "1"),)), Sealed("m", mark("KEY"))
    assert list(own_pieces(words, "m")) == [ThinkingPart(mark("KEY"))]
    assert list(own_pieces(ModelMessage("", sealed=(data,)), "m")) == []
