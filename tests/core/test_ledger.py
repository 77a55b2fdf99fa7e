from pathlib import Path

from cellwright.ledger import Ledger

FILE, OTHER = Path("/w/a.ipynb"), Path("/w/b.ipynb")


def test_what_was_noted_last_is_what_was_seen():
    ledger = Ledger()
    ledger.note(FILE, "one")
    ledger.note(FILE, "two")
    assert (ledger.seen(FILE), ledger.seen(OTHER)) == ("two", None)


def test_a_file_and_its_cells_are_noted_apart():
    ledger = Ledger()
    ledger.note(FILE, "file")
    ledger.note(FILE, "cell", "c1")
    assert (ledger.seen(FILE), ledger.seen(FILE, "c1"), ledger.seen(FILE, "c2")) == ("file", "cell", None)
    ledger.forget(FILE, "c1")
    ledger.forget(OTHER)
    assert (ledger.seen(FILE), ledger.seen(FILE, "c1")) == ("file", None)


def test_what_a_copy_sees_is_its_own():
    ledger = Ledger()
    ledger.note(Path("a"), "1")
    copy = ledger.copy()
    copy.note(Path("a"), "2")
    ledger.note(Path("b"), "1")
    assert (ledger.seen(Path("a")), copy.seen(Path("a")), copy.seen(Path("b"))) == ("1", "2", None)
