import pytest

from cellwright.permission.shell.variables import is_harmless, is_plain_name
from cellwright.permission.shell.word import HOLE, Word


@pytest.mark.parametrize(("name", "value"), [("CI", "1"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("NO_COLOR", "")])
def test_a_few_variables_are_harmless_before_a_command(name, value):
    assert is_harmless(name, Word.literal(value), alone=False)


@pytest.mark.parametrize(
    ("name", "value"),
    [("PATH", "x"), ("LD_PRELOAD", "x"), ("FOO", "1"), ("foo", "1"), ("TZ", "/etc/x"), ("LANG", "a$"), ("IFS", ",")],
)
def test_any_other_is_not(name, value):
    assert not is_harmless(name, Word.literal(value), alone=False)


def test_a_value_that_is_not_known_is_not_harmless():
    assert not is_harmless("CI", Word.unknown(), alone=False)


@pytest.mark.parametrize(
    ("name", "harmless"),
    [("x", True), ("my_var2", True), ("x+", True), ("http_proxy", False), ("npm_config_x", False), ("PATH", False)],
)
def test_alone_a_variable_in_small_letters_stays_in_the_shell(name, harmless):
    assert is_harmless(name, Word.unknown(), alone=True) is harmless


@pytest.mark.parametrize(
    ("word", "plain"), [("x", True), ("x=1", True), ("PATH", False), ("PATH=x", False), ("a[0]", False), ("-n", False)]
)
def test_a_plain_name_may_be_declared(word, plain):
    assert is_plain_name(Word.literal(word)) is plain


def test_a_value_that_an_array_would_run_is_not_plain():
    assert not is_plain_name(Word.literal("x=($(touch a))"), may_be_array=False)
    unknown = Word(f"x={HOLE}", "x=$y", splits=True)
    assert not is_plain_name(unknown)
    assert is_plain_name(unknown, may_be_array=False)
