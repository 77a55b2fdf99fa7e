import json
import zlib

from cellwright_widgets.live.parcel import SMALL, packed

from ..page import HOSTILE


def test_many_cards_alike_are_packed_to_a_tenth():
    cards = [[number, ["div", {"class": "cw-call"}, [f"number {number}", *"abcdefgh" * 20]]] for number in range(100)]
    parcel = packed(cards)
    assert parcel is not None
    assert len(parcel) < len(json.dumps(cards)) / 10
    assert json.loads(zlib.decompress(parcel)) == cards


def test_it_is_to_the_letter_whatever_the_text_is():
    texts = ["x" * SMALL, "\ud83d", "\ude00 alone", "\0", "Grüße 😀", *HOSTILE]
    assert json.loads(zlib.decompress(packed(texts) or b"")) == texts


def test_a_few_words_go_as_they_are():
    assert packed([[1, None, "word "]]) is None
