import argparse

import pytest

from cellwright import Allow, Deny
from cellwright.console.fork_options import add_fork, otherwise
from cellwright.errors import UsageError
from cellwright.sessions.fork import Otherwise


def said(*arguments):
    parser = argparse.ArgumentParser()
    add_fork(parser.add_subparsers())
    return otherwise(parser.parse_args(["fork", "monday", "--at", "2", *arguments]))


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ((), Otherwise()),
        (("--args", '{"n": 1}', "--call", "call_1"), Otherwise("call_1", args={"n": 1})),
        (("--result", ""), Otherwise(result="")),
        (("--allow",), Otherwise(decision=Allow())),
        (("--deny",), Otherwise(decision=Deny())),
        (("--deny", "not now"), Otherwise(decision=Deny("not now"))),
    ],
)
def test_the_options_are_the_words_of_a_fork(arguments, wanted):
    assert said(*arguments) == wanted


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--args", "{"), "--args is no JSON"),
        (("--args", "[1]"), "is no JSON object; write it as"),
        (("--allow", "--deny"), "two answers to one question"),
        (("--deny", "--result", "x"), "changes decision and result; give one of"),
    ],
)
def test_what_can_not_be_read_is_said(arguments, words):
    with pytest.raises(UsageError, match=words):
        said(*arguments)
