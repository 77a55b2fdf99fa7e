import asyncio
import json
import time

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from cellwright import Agent, ScriptedModel, Session, UsageError
from cellwright_widgets import Inspector
from cellwright_widgets.drawing.node import to_html

from ..inspected import busy_run, hostile_log, look
from ..page import Page, assert_harmless
from ..run_events import call_events, whole_run


class Wire(Inspector):
    """An inspector whose messages are kept instead of sent."""

    def send(self, content, buffers=None):
        self.__dict__.setdefault("sent", []).append(content)

    def ask(self, **content):
        """What a page says; what it is answered."""
        self.__dict__["sent"] = []
        self._handle_custom_msg(content, [])
        return self.sent


@pytest.fixture(scope="module")
def busy():
    return busy_run()


def test_a_page_that_asks_is_shown_lines_and_bars(busy):
    (told,) = Wire(busy).ask(since=[])
    assert (told["over"], told["part"], told["parts"]) == (True, 0, 1)
    assert len(told["rows"]) == 14
    assert [mark[1] for mark in told["marks"]] == ["step 1", "step 2", "step 3", "step 4"]
    assert {bar[0] for bar in told["spans"]} == {"model", "you", "tools", "agent-1"}


def test_whoever_has_all_is_told_nothing_more(busy):
    wire = Wire(busy)
    (told,) = wire.ask(since=[])
    (more,) = wire.ask(since=told["known"])
    assert (more["rows"], more["spans"], more["marks"], more["known"]) == ([], [], [], told["known"])


def test_each_line_opens_to_a_sheet_and_no_other_message_brings_one(busy):
    wire = Wire(busy)
    for _, key, _ in wire.ask(since=[])[0]["rows"]:
        (sheet,) = wire.ask(open=key)
        assert sheet["sheet"] == key
        assert Page(to_html(sheet["node"])).text


def test_a_thousand_calls_come_in_a_moment_in_few_messages_that_stay_small():
    facts = [fact for number in range(1_000) for fact in call_events(f"c{number}", content="x" * 10_000)]
    wire = Wire(whole_run(*facts))
    started = time.thread_time()
    told = wire.ask(since=[])
    assert time.thread_time() - started < 5
    assert [message["part"] for message in told] == list(range(6))
    assert max(len(json.dumps(message)) for message in told) < 250_000
    assert sum(len(message["rows"]) for message in told) == 1_002
    assert sum(len(message["spans"]) for message in told) == 1_002


def test_a_run_that_goes_on_is_followed_and_its_record_is_written_anew():
    async def story():
        agent = Agent(ScriptedModel(["Done."]), [look])
        run = agent.start("go")
        wire = Wire(run)
        (before,) = wire.ask(since=[])
        await run.wait()
        (after,) = wire.ask(since=before["known"])
        return before, after

    before, after = asyncio.run(story())
    assert (before["over"], after["over"]) == (False, True)
    assert len(after["rows"]) == 1


@pytest.mark.parametrize(
    "content",
    [{"since": "x"}, {"since": [None, "a", -5, 10**9]}, {"open": 7}, {"open": "../x"}, {"open": ""}, {}, {"x": 1}],
)
def test_a_page_can_say_anything(content, busy):
    wire = Wire(busy)
    wire.ask(**content)
    assert len(wire.ask(since=[])[0]["rows"]) == 14


def test_a_log_is_taken_apart_with_the_sub_agents_beside_it(tmp_path):
    log = tmp_path / "run.jsonl"
    busy_run(log)
    for subject in (log, str(log), Session.load(log), Session.load(log).last):
        (told,) = Wire(subject).ask(since=[])
        assert {bar[0] for bar in told["spans"]} == {"model", "you", "tools", "agent-1"}


def test_hostile_texts_are_sent_as_text():
    wire = Wire(hostile_log(), "<script>")
    (told,) = wire.ask(since=[])
    assert_harmless(Page(to_html(told["head"])))
    for _, key, node in told["rows"]:
        assert_harmless(Page(to_html(node)))
        assert_harmless(Page(to_html(wire.ask(open=key)[0]["node"])))
    assert_harmless(Page(wire.record()["text/html"].split("</style>", 1)[1]))


def test_the_record_reads_without_a_kernel(busy):
    record = Wire(busy).record()
    page = Page(record["text/html"])
    for words in ("answered", "4 steps in", "Step 2", "write", "denied by you", "agent-1: Look below."):
        assert words in page.text
    for words in ("tools", "write  text: b  [denied (approval_denied)]", "Step 2"):
        assert words in record["text/plain"]


def test_the_record_of_a_long_run_is_bounded_and_counts_the_rest():
    facts = [fact for number in range(2_000) for fact in call_events(f"c{number}")]
    record = Wire(whole_run(*facts)).record()
    assert len(record["text/html"]) < 400_000
    assert "1,702 more lines" in record["text/html"]
    assert "1,702 more lines" in record["text/plain"]


@pytest.fixture
def publisher():
    """What a shell of this process publishes with; afterwards there is no shell any more."""
    shell = InteractiveShell.instance()
    shell.display_pub = CapturingDisplayPublisher()
    yield shell.display_pub
    InteractiveShell.clear_instance()


def test_it_is_displayed_as_its_record_over_which_a_page_draws(publisher, busy):
    wire = Wire(busy)
    wire._ipython_display_()
    (output,) = publisher.outputs
    assert set(output["data"]) == {"text/html", "text/plain"}
    assert f'data-place="{wire.place}"' in output["data"]["text/html"]


@pytest.mark.parametrize("subject", [7, None, "", [1, 2], object()])
def test_what_has_no_events_is_refused_with_what_to_give(subject):
    with pytest.raises(UsageError, match="give Inspector a run"):
        Inspector(subject)


def test_a_log_is_taken_apart_by_its_path_or_as_a_session(tmp_path):
    path = tmp_path / "run.jsonl"
    Agent(ScriptedModel(["Done."]), [look], log=path).run_sync("go")
    for subject in (path, str(path), Session.load(path)):
        assert [row[2][2][0][2] for row in Wire(subject).ask(since=[])[0]["rows"]] == [["Step 1"]]
