import asyncio
import random

from cellwright.waiting.lane import Lane


async def travel(lane, log, name, overlaps, gate):
    async with lane.turn(lambda: overlaps):
        log.append(f"+{name}")
        await gate.wait()
    log.append(f"-{name}")


async def turns():
    """Lets everything that can go on go on."""
    for _ in range(10):
        await asyncio.sleep(0)


async def travelled(*travellers, room=10):
    """What has entered before anyone leaves, for travellers such as `a` (overlaps) and `B` (alone), and the whole."""
    lane, log, gate = Lane(room), [], asyncio.Event()
    tasks = [asyncio.create_task(travel(lane, log, name, name.islower(), gate)) for name in travellers]
    await turns()
    before = "".join(log)
    gate.set()
    await asyncio.gather(*tasks)
    return before, "".join(log)


def test_those_that_may_overlap_do_and_the_rest_goes_alone_in_the_order_of_arrival():
    assert asyncio.run(travelled("a", "b", "C", "d")) == ("+a+b", "+a+b-a-b+C-C+d-d")
    assert asyncio.run(travelled("A", "b", "c")) == ("+A", "+A-A+b-b+c-c")


def test_no_more_go_at_once_than_there_is_room():
    before, whole = asyncio.run(travelled("a", "b", "c", room=2))
    assert before == "+a+b" and whole.endswith("+c-c")


def test_whether_one_may_overlap_is_asked_when_its_turn_could_come():
    async def scene():
        lane, asked, gate = Lane(2), [], asyncio.Event()
        alone = asyncio.create_task(travel(lane, [], "A", False, gate))
        await turns()

        async def later():
            async with lane.turn(lambda: asked.append(1) or True):
                pass

        task = asyncio.create_task(later())
        await turns()
        before = list(asked)
        gate.set()
        await asyncio.gather(alone, task)
        return before, asked

    assert asyncio.run(scene()) == ([], [1])


def test_one_that_gives_up_waiting_holds_nobody_up():
    async def scene():
        lane, log, gate = Lane(10), [], asyncio.Event()
        tasks = [asyncio.create_task(travel(lane, log, n, n.islower(), gate)) for n in ("a", "B", "c")]
        await turns()
        tasks[1].cancel()
        await turns()
        before = list(log)
        gate.set()
        await asyncio.wait(tasks)
        return before

    assert asyncio.run(scene()) == ["+a", "+c"]


def test_however_many_give_up_whenever_the_lane_is_free_again():
    async def scene(seed):
        chance, lane, log, gate = random.Random(seed), Lane(3), [], asyncio.Event()
        tasks = []
        for n in range(40):
            tasks.append(asyncio.create_task(travel(lane, log, str(n), chance.random() < 0.6, gate)))
            if chance.random() < 0.5:
                await asyncio.sleep(0)
            if chance.random() < 0.4:
                chance.choice(tasks).cancel()
            gate.set() if chance.random() < 0.5 else gate.clear()
        gate.set()
        await asyncio.wait(tasks)
        async with lane.turn(lambda: False):
            return True

    assert all(asyncio.run(asyncio.wait_for(scene(seed), 5)) for seed in range(40))
