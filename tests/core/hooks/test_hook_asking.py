import asyncio
import contextvars
import threading
import time

import pytest

from cellwright import Env
from cellwright.hooks.hook import (
    AddContext,
    Ask,
    Block,
    Change,
    Hook,
    HookAllow,
    HookFailed,
    Occasion,
    Replace,
    StopRun,
)
from cellwright.hooks.hook_asking import asked
from cellwright.text.masking import Masking, mark

MASKED = Masking().text

user: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


def answer_of(function, folder, event="before_call", **facts):
    occasion = Occasion(event, folder, "default", call_id="c1", tool="t")
    return asyncio.run(asyncio.wait_for(asked(Hook(event, function, **facts), occasion, Env(folder), MASKED), 10))


def raising(error):
    def function(occasion):
        raise error

    async def coroutine(occasion):
        raise error

    return function, coroutine


class Odd(BaseException):
    pass


@pytest.mark.parametrize("answer", [None, Block("no"), HookAllow(), Ask(), Change({"a": [1]}), AddContext("note")])
def test_each_answer_comes_from_a_function_a_coroutine_and_a_callable_object(answer, tmp_path):
    async def coroutine(occasion):
        return answer

    class Guard:
        async def __call__(self, occasion):
            return answer

    for function in (lambda occasion: answer, coroutine, Guard(), lambda occasion: coroutine(occasion)):
        assert answer_of(function, tmp_path) == answer


NONSENSE = [
    (True, "it answered bool; at before_call the answers are Block, HookAllow, Ask, Change, AddContext, None"),
    (False, "it answered bool"),
    ("allow", "it answered str"),
    ({"decision": "allow"}, "it answered dict"),
    (HookAllow, "it answered the class HookAllow; at"),
    (Replace("x"), "it answered Replace; at before_call"),
    (StopRun("x"), "it answered StopRun"),
    (Block(3), "it answered Block with a reason that is no text"),
    (AddContext(None), "it answered AddContext with a text that is no text"),
    (Change([1]), "it changed the arguments to what is no object"),
    (Change({"a": print}), "it changed the arguments to what is not JSON: value.a is a"),
]


@pytest.mark.parametrize(("answer", "words"), NONSENSE, ids=range(len(NONSENSE)))
def test_what_is_no_answer_of_the_event_is_a_failure(answer, words, tmp_path):
    found = answer_of(lambda occasion: answer, tmp_path)
    assert isinstance(found, HookFailed)
    assert found.reason.startswith(words)


@pytest.mark.parametrize("event", ["run_start", "run_end", "before_compaction"])
def test_a_hook_that_only_watches_has_no_answer_to_give(event, tmp_path):
    found = answer_of(lambda occasion: Block("no"), tmp_path, event)
    assert found == HookFailed(f"it answered Block; at {event} the answers are None")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("boom"), "ValueError: boom"),
        (ValueError("x" * 5_000), "ValueError: " + "x" * 988),
        (ValueError("x" * 970 + " ghp_" + "a1" * 20), "x " + mark("github token")[:17]),
        (SystemExit(0), "SystemExit: 0"),
        (StopIteration(), "StopIteration"),
        (Odd("odd"), "Odd: odd"),
    ],
)
def test_whatever_a_hook_raises_is_its_failure(error, reason, tmp_path):
    for function in raising(error):
        found = answer_of(function, tmp_path)
        assert isinstance(found, HookFailed)
        assert reason in found.reason


def test_a_hook_that_cancels_itself_has_failed_and_stops_nothing(tmp_path):
    for function in raising(asyncio.CancelledError()):
        assert answer_of(function, tmp_path) == HookFailed("it cancelled itself")


def test_half_letters_in_an_answer_do_no_harm(tmp_path):
    assert answer_of(lambda occasion: Block("a\ud83d"), tmp_path) == Block("a\ufffd")
    assert answer_of(lambda occasion: Change({"a": "\ud83d"}), tmp_path) == Change({"a": "\ufffd"})


async def deaf(occasion):
    for _ in range(6):
        try:
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            continue


async def patient(occasion):
    await asyncio.sleep(60)


@pytest.mark.parametrize("function", [lambda occasion: time.sleep(1), patient, deaf], ids=["sync", "async", "deaf"])
def test_a_hook_has_a_time_limit_and_the_event_loop_goes_on_meanwhile(function, tmp_path):
    async def scene():
        occasion = Occasion("before_call", tmp_path, "default")
        asking = asyncio.create_task(asked(Hook("before_call", function, timeout=0.1), occasion, Env(tmp_path), str))
        started, turns = time.perf_counter(), 0
        while not asking.done():
            await asyncio.sleep(0.005)
            turns += 1
        return asking.result(), time.perf_counter() - started, turns

    answer, seconds, turns = asyncio.run(scene())
    assert answer == HookFailed("it did not answer within 0.1 s")
    assert (seconds < 0.6, turns > 10) == (True, True)


def test_ten_seconds_are_the_limit_unless_the_hook_says_otherwise():
    assert Hook("before_call", patient).timeout == 10.0


def test_stopping_the_run_stops_the_asking(tmp_path):
    async def scene():
        asking = asyncio.create_task(
            asked(Hook("before_call", patient), Occasion("before_call", tmp_path, "default"), Env(tmp_path), str)
        )
        await asyncio.sleep(0.02)
        asking.cancel()
        await asyncio.wait({asking}, timeout=1)
        return asking.cancelled()

    assert asyncio.run(scene())


def test_a_hook_sees_the_context_of_its_own_run_and_leaks_none(tmp_path):
    seen = []

    def look(occasion):
        seen.append((user.get(), threading.current_thread() is threading.main_thread()))
        user.set("leaked")

    async def look_async(occasion):
        await asyncio.to_thread(look, occasion)

    async def one(name, function):
        user.set(name)
        await asked(Hook("before_call", function), Occasion("before_call", tmp_path, "default"), Env(tmp_path), str)
        return user.get()

    async def scene():
        return await asyncio.gather(one("u1", look), one("u2", look), one("u3", look_async))

    assert asyncio.run(scene()) == ["u1", "u2", "u3"]
    assert sorted(seen) == [("u1", False), ("u2", False), ("u3", False)]


def test_a_hook_is_not_asked_about_what_it_does_itself(tmp_path):
    depths = []
    occasion, env = Occasion("before_call", tmp_path, "default"), Env(tmp_path)

    async def nested(occasion):
        depths.append(len(depths))
        inner = await asked(again, occasion, env, str)
        other = await asked(Hook("before_call", lambda occasion: Block("other")), occasion, env, str)
        return Block(f"{inner} {other.reason}")

    again = Hook("before_call", nested)
    assert asyncio.run(asked(again, occasion, env, str)) == Block("None other")
    assert asyncio.run(asked(again, occasion, env, str)) == Block("None other")
    assert depths == [0, 1]
