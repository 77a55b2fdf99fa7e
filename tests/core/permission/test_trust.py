import os

import pytest

from cellwright import UsageError
from cellwright.permission.trust import Trust


def test_trust_is_in_a_content_at_a_place(tmp_path):
    trust, path = Trust(tmp_path / "own" / "trusted.json"), tmp_path / "rules"
    assert not trust.holds(path, b"a")
    trust.give(path, b"a")
    trust.give(tmp_path / "other", b"b")
    again = Trust(trust.store)
    assert again.holds(path, b"a")
    assert not again.holds(path, b"a ")
    assert not again.holds(path, b"b")
    assert not again.holds(tmp_path / "third", b"a")
    assert os.listdir(trust.store.parent) == ["trusted.json"]


def test_new_trust_takes_the_place_of_the_old(tmp_path):
    trust, path = Trust(tmp_path / "trusted.json"), tmp_path / "rules"
    trust.give(path, b"a")
    trust.give(path, b"b")
    assert (trust.holds(path, b"a"), trust.holds(path, b"b")) == (False, True)


@pytest.mark.parametrize("text", ["{", "[]", "\xff", "[" * 100_000])
def test_notes_that_can_not_be_read_trust_nothing_and_are_not_overwritten(tmp_path, text):
    trust, path = Trust(tmp_path / "trusted.json"), tmp_path / "rules"
    trust.store.write_text(text, encoding="latin-1")
    assert not trust.holds(path, b"a")
    with pytest.raises(UsageError, match="mend it, or take it away"):
        trust.give(path, b"a")
    assert trust.store.read_text(encoding="latin-1") == text


def test_where_trust_can_not_be_noted_that_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="can't be read"):
        Trust(tmp_path / "file" / "t").give(tmp_path, b"")
