from cellwright.permission.barred import barred
from cellwright.permission.policy import Policy

from ..scene import plain

LOOK = plain(lambda args, env: None, "look")


def test_without_a_rule_about_paths_nothing_is_barred():
    for policy in (Policy(), Policy(deny={"look", "other(a/*)"}), Policy(allow={"look(a/*)"})):
        assert barred(policy, LOOK) is None


def test_what_a_rule_denies_or_asks_about_is_barred_with_all_in_it():
    bars = barred(Policy(deny={"look(a/*)"}, ask={"look(*.key)"}), LOOK)
    assert [path for path in ("a", "a/b/c", "x/y.key", "ab", "b", "y.keys") if bars(path)] == ["a", "a/b/c", "x/y.key"]
