import pytest

from cellwright.log.events import Log
from cellwright.undo.effect import CUT_OFF, effects_of

FILE = {"kind": "file", "digest": "0" * 64, "size": 1, "mode": 0o644}
CHANGE = {"path": "a.txt", "before": {"kind": "absent"}, "after": FILE}
FACTS = {"changes": [CHANGE], "folders": ["x"], "lasting": "", "store": "run-1"}


def log_of(*events):
    log = Log()
    log.record("turn_started", turn=1)
    log.record("call", id="c1", name="write", arguments="{}")
    for kind, data in events:
        log.record(kind, id="c1", **data)
    return log.events


def test_an_effect_knows_its_call_and_its_step_and_how_things_stand():
    (effect,) = effects_of(log_of(("effect", FACTS)))
    assert (effect.call_id, effect.tool, effect.number, effect.step) == ("c1", "write", 2, 1)
    assert (effect.paths, effect.folders, effect.store, effect.is_undone) == (("a.txt",), ("x",), "run-1", False)
    assert effect.changes[0].after.digest == "0" * 64
    assert effects_of(log_of(("effect", FACTS), ("undone", {})))[0].is_undone
    assert not effects_of(log_of(("effect", FACTS), ("undone", {}), ("redone", {})))[0].is_undone


NONSENSE = {
    "changes": [{**CHANGE, "after": {"kind": "file", "digest": "x"}}],
    "folders": None,
    "lasting": "",
}


@pytest.mark.parametrize("field", list(NONSENSE))
def test_what_can_not_be_read_is_listed_as_what_can_not_be_undone(field):
    facts = {key: value for key, value in FACTS.items() if key != field or NONSENSE[field]}
    facts |= {field: NONSENSE[field]} if NONSENSE[field] else {}
    (effect,) = effects_of(log_of(("effect", facts)))
    assert (effect.changes, "can't be read" in effect.lasting) == ((), True)


def test_a_call_that_was_cut_off_is_on_the_list_and_one_that_never_ran_is_not():
    cut_off = ("result", {"error_type": "cancelled", "metadata": {}})
    (effect,) = effects_of(log_of(("executing", {}), cut_off))
    assert effect.lasting == CUT_OFF
    assert effects_of(log_of(cut_off)) == ()
    assert effects_of(log_of(("executing", {}), ("result", {"error_type": "", "metadata": {"stages": {}}}))) == ()
