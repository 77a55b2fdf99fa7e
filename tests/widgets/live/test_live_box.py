import asyncio
from functools import partial

from cellwright import Agent, ScriptedModel
from cellwright.runs.company import Company
from cellwright.runs.run import Run
from cellwright_widgets.chat.hosted_agent import HostedAgent
from cellwright_widgets.live.live_box import LiveBox

from ..chatting import WRITE, button, until, widgets_of


async def asking(folder, boxes, press):
    def host(run):
        boxes.append(LiveBox(run, "Run", lambda: True))
        boxes[0].on_question.append(partial(boxes.append, "asked"))
        return Company(boxes[0].approver, (boxes[0].transcript,), Run.wait, boxes[0].shelf)

    run = HostedAgent(Agent(ScriptedModel([WRITE, "Done."]), ["write_file"], cwd=folder), host).start("Write.")
    await until(lambda: button(boxes[0], "Deny"))
    press(boxes[0])
    await run.wait()
    return run


def test_the_questions_of_a_run_stand_under_it_and_are_told_of(tmp_path):
    boxes = []
    run = asyncio.run(asking(tmp_path, boxes, lambda box: button(box, "Deny").click()))
    assert (run.results[0].error_type, boxes[1]) == ("approval_denied", "asked")


def test_stop_ends_the_run_that_is_shown(tmp_path):
    run = asyncio.run(asking(tmp_path, [], lambda box: [stop() for stop in box.transcript.on_stop]))
    assert run.stop_reason == "cancelled"


def test_its_widgets_are_freed_and_what_it_showed_can_still_be_read(tmp_path):
    boxes = []
    asyncio.run(asking(tmp_path, boxes, lambda box: button(box, "Deny").click()))
    box, inner = boxes[0], list(widgets_of(boxes[0]))[:3]
    assert "You: Write." in repr(box)
    box.discard()
    assert [widget.comm for widget in inner] == [None] * 3
