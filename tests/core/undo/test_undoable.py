import pytest

from cellwright.undo.undoable import Undoable

from ..changing import changed, changing, tree


def test_a_run_has_the_words_and_they_mean_what_they_say(tmp_path):
    run = changed(tmp_path, changing("write", "1"), changing("write", "2"))
    first, second = (effect.call_id for effect in run.effects)
    run.undo(second)
    assert list(tree(tmp_path)) == ["1"]
    run.redo(second)
    assert [effect.call_id for effect in run.undo_to(first).undone] == [second, first]
    assert [effect.is_undone for effect in run.effects] == [True, True]
    assert tree(tmp_path) == {}


def test_what_has_no_log_can_undo_nothing():
    with pytest.raises(NotImplementedError):
        Undoable().undo("call_1")
