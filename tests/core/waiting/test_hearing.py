import asyncio

import pytest

from cellwright.waiting.hearing import Unheard, heard


def saying(act):
    async def say(about):
        await asyncio.sleep(0)
        return act(about)

    return say


def fail(error):
    raise error


def test_what_is_said_is_heard():
    assert asyncio.run(heard(saying(lambda about: f"{about}? yes"), "red")) == "red? yes"


@pytest.mark.parametrize("error", [OSError("gone"), SystemExit(1), asyncio.CancelledError()])
def test_what_asking_raises_is_told_as_a_value(error):
    assert asyncio.run(heard(saying(fail), error)) == Unheard(error)


def test_one_who_raises_before_it_can_be_awaited_is_unheard_too():
    error = OSError("gone")
    assert asyncio.run(heard(fail, error)) == Unheard(error)


def test_an_interrupt_from_the_keyboard_is_raised_and_does_not_end_the_event_loop():
    async def go():
        with pytest.raises(KeyboardInterrupt):
            await heard(saying(fail), KeyboardInterrupt())
        return await heard(saying(str), "still here")

    assert asyncio.run(go()) == "still here"


def test_who_stops_waiting_is_not_held_back_by_who_asks():
    begun, done = asyncio.Event(), []

    async def hold_on(about):
        while not done:
            begun.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue

    async def go():
        waiting = asyncio.create_task(heard(hold_on, None))
        await begun.wait()
        waiting.cancel()
        await asyncio.wait({waiting})
        done.append(True)
        return waiting.cancelled()

    assert asyncio.run(go())
