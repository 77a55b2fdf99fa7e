import asyncio
import json
import time

import pytest

from cellwright import UsageError
from cellwright.log.events import Event, Recorder, line_of
from cellwright.log.log_file import line_text
from cellwright.sessions.replay import replay
from cellwright.sessions.session import Session

from ..scene import calling, echo, play


def test_the_same_events_come_again_byte_for_byte(tmp_path):
    path, watch = tmp_path / "log", Recorder()
    play([calling(("echo", {"text": "é\u2028"})), "done"], [echo], log=path)
    asyncio.run(replay(Session.load(path).last.events, [watch]))
    lines = path.read_text(encoding="utf-8").split("\n")[1:-1]
    assert [line_text(line_of(event)) for event in watch.events] == lines


def test_a_replay_goes_at_the_pace_that_is_asked_for():
    events = [Event(n, n * 10.0, "note", {"text": str(n)}) for n in range(1, 4)]
    began = time.perf_counter()
    asyncio.run(replay(events, [Recorder()], speed=1000))
    assert time.perf_counter() - began >= 0.018
    for speed in (0, -1, float("nan")):
        with pytest.raises(UsageError, match="is no pace; give a number above 0"):
            asyncio.run(replay(events, [], speed=speed))


def test_a_replay_is_json_like_the_log_itself():
    assert json.loads(line_text(line_of(Event(1, 1.0, "note", {"text": "x"}))))["optional"] is True
