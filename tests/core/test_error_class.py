import asyncio
import errno
import json
import sqlite3
import subprocess
from pathlib import Path

import pydantic
import pytest

from cellwright import ToolError, UsageError
from cellwright.error_class import error_class

from .scene import calling, kinds_of, plain, play

SECRET = "sk-hunter2"


class ShopError(Exception):
    """Somebody's own, of nothing known."""


class LateShopError(ShopError, TimeoutError):
    """Somebody's own, of a known kind."""


def raised_by(function) -> BaseException:
    try:
        function()
    except BaseException as error:
        return error
    raise AssertionError("it raised nothing")


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


def handled(error: BaseException, context: BaseException) -> BaseException:
    error.__context__ = context
    return error


KINDS = [
    (TimeoutError(SECRET), "timeout"),
    (raised_by(lambda: subprocess.run(["sleep", "5"], timeout=0.01, check=False)), "timeout"),
    (ConnectionResetError(), "connection"),
    (raised_by(lambda: Path("/no/such/file").read_text()), "file_not_found"),
    (OSError(errno.EACCES, SECRET), "permission"),
    (OSError(errno.ENOSPC, SECRET), "disk_full"),
    (OSError(errno.EDQUOT, SECRET), "disk_full"),
    (OSError(SECRET), "system"),
    (OSError([1], SECRET), "system"),
    (MemoryError(), "out_of_memory"),
    (RecursionError(), "recursion"),
    (raised_by(lambda: b"\xff".decode()), "decode"),
    (raised_by(lambda: json.loads("{")), "decode"),
    (raised_by(lambda: pydantic.TypeAdapter(int).validate_python("x")), "validation"),
    (sqlite3.OperationalError(), "database"),
    (TypeError(), "type_error"),
    (KeyError(SECRET), "lookup"),
    (ZeroDivisionError(), "arithmetic"),
    (ModuleNotFoundError(), "import"),
    (SystemExit(3), "exit"),
    (KeyboardInterrupt(), "interrupted"),
    (asyncio.CancelledError(), "cancelled"),
    (UsageError("no"), "usage"),
    (Exception(SECRET), "other"),
]


@pytest.mark.parametrize(("error", "kind"), KINDS, ids=[f"{kind}-{i}" for i, (_, kind) in enumerate(KINDS)])
def test_an_exception_is_of_the_kind_that_it_inherits_from(error, kind):
    assert error_class(error) == kind


def test_a_class_of_ones_own_counts_as_the_nearest_known_class_above_it():
    assert error_class(LateShopError(SECRET)) == "timeout"
    assert error_class(ShopError(SECRET)) == "other"


def test_a_class_whose_name_was_made_from_a_value_does_not_tell_it():
    made = type(f"NotFound_{SECRET}", (Exception,), {"__module__": SECRET})
    assert error_class(made()) == "other"
    assert error_class(type(SECRET, (KeyError,), {})()) == "lookup"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("not_found", "tool:not_found"),
        ("http_404", "tool:http_404"),
        ("no file /data/ann/plan.txt", "tool:other"),
        (SECRET, "tool:other"),
        ("a" * 500, "tool:other"),
        ("", "tool:other"),
        (None, "tool:other"),
    ],
)
def test_a_tools_own_failure_is_told_by_its_code_if_that_is_one(code, kind):
    assert error_class(ToolError(code, SECRET)) == kind


CHAINS = [
    (caused(ShopError(), TimeoutError()), "timeout"),
    (caused(ValueError(), caused(ShopError(), ConnectionError())), "connection"),
    (caused(KeyError(), TimeoutError()), "lookup"),
    (caused(ShopError(), Exception()), "other"),
    (caused(ValueError(), Exception()), "value_error"),
    (handled(ShopError(), TimeoutError()), "other"),
    (caused(ShopError(), ToolError("stale", "")), "tool:stale"),
    (caused(ShopError(), ExceptionGroup("", [TimeoutError()])), "timeout"),
]


@pytest.mark.parametrize(("error", "kind"), CHAINS, ids=range(len(CHAINS)))
def test_a_class_that_says_little_defers_to_what_caused_it(error, kind):
    assert error_class(error) == kind


GROUPS = [
    (ExceptionGroup(SECRET, [TimeoutError(), LateShopError()]), "timeout"),
    (ExceptionGroup(SECRET, [ExceptionGroup("", [KeyError()]), IndexError()]), "lookup"),
    (ExceptionGroup(SECRET, [TimeoutError(), KeyError()]), "several"),
    (BaseExceptionGroup(SECRET, [SystemExit()]), "exit"),
]


@pytest.mark.parametrize(("group", "kind"), GROUPS, ids=range(len(GROUPS)))
def test_a_group_is_of_the_kind_on_which_its_members_agree(group, kind):
    assert error_class(group) == kind


def test_a_chain_that_goes_round_and_a_group_without_end_still_have_a_kind():
    first, second = ShopError(), ShopError()
    caused(first, caused(second, first))
    deep = TimeoutError()
    for _ in range(5_000):
        deep = ExceptionGroup("", [deep])
    assert (error_class(first), error_class(deep)) == ("other", "several")


class HostileType(type):
    """Nothing of its classes can be read."""

    def __getattribute__(cls, name):
        raise RuntimeError(SECRET)


class HostileError(Exception, metaclass=HostileType):
    """Nothing about it can be asked."""

    __cause__ = property(lambda self: 1 / 0)


def test_an_exception_that_can_not_be_looked_at_has_a_kind_all_the_same():
    assert error_class(HostileError()) == "other"


@pytest.mark.parametrize(
    ("error", "kind"), [(ConnectionError(SECRET), "connection"), (ToolError("not_found", "no"), "tool:not_found")]
)
def test_a_failed_call_has_the_kind_in_its_result_and_in_the_log(error, kind):
    def fails(args, env):
        raise error

    run = play([calling("t"), "done"], [plain(fails, "t")])
    (event,) = kinds_of(run, "result")
    assert run.results[0].metadata["error_class"] == event.data["metadata"]["error_class"] == kind


def test_a_call_that_was_refused_raised_nothing_and_has_no_kind():
    run = play([calling("nothing"), "done"])
    assert "error_class" not in run.results[0].metadata
