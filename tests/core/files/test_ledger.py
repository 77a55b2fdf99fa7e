from pathlib import Path

from cellwright.files.ledger import Ledger

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


def test_a_file_is_known_whole_once_every_line_of_one_version_was_read():
    ledger = Ledger()
    ledger.note_lines(FILE, "one", 1, 3, 10)
    ledger.note_lines(FILE, "one", 6, 10, 10)
    assert (ledger.knows(FILE), ledger.knows_whole(FILE)) == (True, False)
    ledger.note_lines(FILE, "one", 2, 5, 10)
    assert ledger.knows_whole(FILE)
    ledger.note(FILE, "one")
    assert ledger.knows_whole(FILE)
    ledger.note(FILE, "two")
    assert (ledger.knows(FILE), ledger.knows_whole(FILE)) == (True, False)


def test_an_empty_file_is_known_whole_when_it_was_read():
    ledger = Ledger()
    ledger.note_lines(FILE, "one", 1, 0, 0)
    assert ledger.knows_whole(FILE)


def test_what_the_model_wrote_it_knows_as_far_as_it_wrote_or_knew_it():
    ledger = Ledger()
    ledger.note_lines(FILE, "one", 1, 3, 10)
    ledger.note_written(FILE, "two", whole=False)
    assert not ledger.knows_whole(FILE)
    ledger.note_written(FILE, "three", whole=True)
    ledger.note_written(FILE, "four", whole=False)
    assert (ledger.seen(FILE), ledger.knows_whole(FILE)) == ("four", True)
    ledger.forget(FILE)
    assert (ledger.knows(FILE), ledger.knows_whole(FILE)) == (False, False)


def test_a_file_that_is_not_there_is_not_known_and_a_person_knows_all():
    ledger = Ledger()
    ledger.note(FILE, "")
    assert not ledger.knows(FILE)
    assert (Ledger(by_person=True).knows(FILE), Ledger(by_person=True).knows_whole(FILE)) == (True, True)


def test_lines_are_known_by_their_numbers_until_the_file_changes_in_any_way():
    ledger = Ledger()
    ledger.note_lines(FILE, "one", 3, 6, 10)
    assert [ledger.knows_lines(FILE, *lines) for lines in [(3, 6), (4, 4), (2, 4), (6, 7)]] == [
        True,
        True,
        False,
        False,
    ]
    ledger.note_written(FILE, "two", whole=True)
    assert (ledger.knows_whole(FILE), ledger.knows_lines(FILE, 3, 3)) == (True, False)
    ledger.note_lines(FILE, "two", 1, 2, 10)
    assert (ledger.knows_lines(FILE, 1, 2), ledger.copy().knows_lines(FILE, 1, 2)) == (True, True)
    ledger.forget(FILE)
    assert not ledger.knows_lines(FILE, 1, 1)
    assert Ledger(by_person=True).knows_lines(FILE, 1, 9)


def test_what_is_known_of_a_file_moves_with_it():
    ledger = Ledger()
    ledger.note_lines(FILE, "one", 1, 2, 2)
    ledger.note(FILE, "cell", "c1")
    ledger.note(OTHER, "old")
    ledger.note(OTHER, "old cell", "c9")
    ledger.move(FILE, OTHER)
    assert (ledger.seen(OTHER), ledger.seen(OTHER, "c1"), ledger.seen(OTHER, "c9")) == ("one", "cell", None)
    assert (ledger.knows_whole(OTHER), ledger.knows_lines(OTHER, 1, 2)) == (True, True)
    assert (ledger.knows(FILE), ledger.knows_whole(FILE), ledger.knows_lines(FILE, 1, 1)) == (False, False, False)


def test_what_was_learned_is_told_once_and_another_ledger_can_learn_it():
    ledger, other = Ledger(), Ledger()
    ledger.note_lines(FILE, "1", 1, 3, 9)
    ledger.note(FILE, "2", "c1")
    other.learn(ledger.news())
    assert ledger.news() == []
    ledger.note_lines(FILE, "1", 4, 9, 9)
    ledger.move(FILE, OTHER)
    assert [file["path"] for file in ledger.all()] == [str(OTHER)]
    assert (other.seen(FILE), other.seen(FILE, "c1"), other.knows_lines(FILE, 1, 3)) == ("1", "2", True)
    assert (other.knows_whole(FILE), other.knows_lines(FILE, 3, 4)) == (False, False)
    other.learn(ledger.news())
    assert (other.knows(FILE), other.knows_whole(OTHER), other.seen(OTHER, "c1")) == (False, True, "2")
    assert other.all() == ledger.all()
