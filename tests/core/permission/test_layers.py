import pytest

from cellwright import UsageError
from cellwright.permission.layers import Layer, read_rules
from cellwright.permission.rules import Rule


def test_the_rules_of_a_layer_are_all_of_them():
    allow, ask, deny = Rule("a"), Rule("b"), Rule("c")
    assert Layer("x", (allow,), (ask,), (deny,)).rules == (allow, ask, deny)


def test_rules_are_read_once_each_and_sorted():
    assert read_rules("allow", ["b", "a", "b"]) == (Rule("a"), Rule("b"))


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("a", "allow='a' is a text; give the names of tools in a set: allow={'a'}"),
        (3, "allow=3 is no list of rules; write allow=[...] with a text for each rule"),
        ({"a": "b"}, "is no list of rules"),
        (["a b"], "'a b' is no rule"),
        ([3], "3 is no rule"),
    ],
)
def test_what_is_no_collection_of_rules_is_refused(rules, words):
    with pytest.raises(UsageError) as caught:
        read_rules("allow", rules)
    assert words in str(caught.value)


@pytest.mark.parametrize("kind", ["ask", "deny"])
def test_what_restricts_a_tool_does_not_lapse_when_its_server_changes_it(kind):
    with pytest.raises(UsageError, match="would lapse once the tool changes; write mcp__a__b"):
        read_rules(kind, ["mcp__a__b@0123456789ab"])
    assert read_rules("allow", ["mcp__a__b@0123456789ab"])[0].digest == "0123456789ab"
