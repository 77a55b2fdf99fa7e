import asyncio
import contextvars

import pytest

from cellwright.waiting.eager import begun

PLACE = contextvars.ContextVar("PLACE", default="outside")


def test_the_first_step_is_made_before_anything_else_goes_on():
    async def scene():
        order = []

        async def work():
            order.append("begun")
            await asyncio.sleep(0)
            order.append("ended")
            return "value"

        task = begun(work())
        order.append("after")
        return await task, order

    assert asyncio.run(scene()) == ("value", ["begun", "after", "ended"])


async def value():
    return "value"


async def late_value():
    await asyncio.sleep(0)
    return "value"


async def error_as_value():
    return OSError("boom")


async def failure():
    raise OSError("boom")


async def late_failure():
    await asyncio.sleep(0)
    raise OSError("boom")


@pytest.mark.parametrize("work", [value, late_value, error_as_value, failure, late_failure])
def test_the_task_ends_as_any_task_would(work):
    async def scene():
        mine, eager = [asyncio.create_task(work()), begun(work())]
        await asyncio.wait([mine, eager])
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return [repr(task.exception() or task.result()) for task in (mine, eager)]

    mine, eager = asyncio.run(scene())
    assert mine == eager


def test_in_every_step_the_task_is_its_own_and_who_begins_it_stays_itself():
    async def scene():
        async def work():
            tasks = [asyncio.current_task()]
            await asyncio.sleep(0)
            return [*tasks, asyncio.current_task()]

        me, task = asyncio.current_task(), begun(work())
        assert asyncio.current_task() is me
        assert await task == [task, task]
        assert asyncio.current_task() is me

    asyncio.run(scene())


def test_what_it_sets_in_its_context_is_its_own_in_every_step():
    async def scene():
        async def work():
            seen = [PLACE.get()]
            PLACE.set("inside")
            await asyncio.sleep(0)
            return [*seen, PLACE.get()]

        PLACE.set("around")
        task = begun(work())
        return await task, PLACE.get()

    assert asyncio.run(scene()) == (["around", "inside"], "around")


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_it_can_be_stopped_at_any_time_and_hears_of_it_where_it_waits(turns):
    async def scene():
        heard = []

        async def work():
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                heard.append("stopped")
                await asyncio.sleep(0)
                heard.append("cleaned up")
                raise

        task = begun(work())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled(), heard

    assert asyncio.run(scene()) == (True, ["stopped", "cleaned up"])


def test_time_limits_and_groups_that_begin_in_the_first_step_hold():
    async def scene():
        async def limited():
            try:
                async with asyncio.timeout(0.01):
                    await asyncio.Event().wait()
            except TimeoutError:
                return "in time"

        async def grouped():
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(late_value()) for _ in range(2)]
            return [task.result() for task in tasks]

        return await begun(limited()), await begun(grouped())

    assert asyncio.run(scene()) == ("in time", ["value", "value"])


def test_one_that_begins_another_gets_its_own_back():
    async def scene():
        async def inner():
            return asyncio.current_task()

        async def outer():
            me, task = asyncio.current_task(), begun(inner())
            assert asyncio.current_task() is me
            return await task is task

        return await begun(outer())

    assert asyncio.run(scene()) is True
