import asyncio

from cellwright import Agent, ScriptedModel
from cellwright.person.approval import DenyAll
from cellwright.runs.company import Company, Waiting


def test_whether_code_waits_is_known_while_it_does():
    async def scene():
        over = asyncio.Event()
        waiting = Waiting(lambda run: over.wait())
        task = asyncio.create_task(waiting(None))
        before = waiting.is_going_on()
        await asyncio.sleep(0)
        during = waiting.is_going_on()
        over.set()
        await task
        return before, during, waiting.is_going_on()

    assert asyncio.run(scene()) == (False, True, False)


def test_a_front_end_says_who_watches_a_run_and_how_its_end_is_waited_for():
    seen, waited = [], []

    class Watches:
        def on_event(self, event):
            seen.append(event.kind)

    class Hosted(Agent):
        def company(self, run):
            async def wait(run):
                waited.append(run.id)
                await run.wait()

            return Company(DenyAll(), [Watches()], wait)

    run = Hosted(ScriptedModel(["Hi."]), []).run_sync("go")
    assert (seen[0], seen[-1], waited) == ("run_started", "run_ended", [run.id])
