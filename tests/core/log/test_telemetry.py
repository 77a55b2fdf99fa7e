import asyncio
import json
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from cellwright import Allow, Deny, ScriptedModel, Turn
from cellwright.catalogue import load
from cellwright.code_mode.code_mode import CodeMode
from cellwright.log.telemetry import SpanObserver
from cellwright.messages import Usage

from ..scene import act, agent_of, calling, echo, plain, play

SECRET = "tulip-and-lark"


class Watch:
    """What a run was seen to do: its finished spans."""

    def __init__(self, **options):
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.observer = SpanObserver(self.provider, **options)

    @property
    def spans(self):
        return self.exporter.get_finished_spans()

    def named(self, name):
        return [span for span in self.spans if span.name == name]

    def tree(self):
        """Names under the name of their parent, in the order in which they began."""
        names = {span.context.span_id: span.name for span in self.spans}
        begun = sorted(self.spans, key=lambda span: span.start_time)
        return [(names.get(span.parent.span_id) if span.parent else None, span.name) for span in begun]


def watched(turns, tools=(), answers=(), watch=None, **conditions):
    watch = watch or Watch()
    run = play(turns, tools, answers, observers=[watch.observer], **conditions)
    return run, watch


def raising(error, name="t", **facts):
    def fails(args, env):
        raise error

    return plain(fails, name, **facts)


def test_a_run_is_a_span_with_its_turns_and_calls_under_it():
    _, watch = watched([calling(("echo", {"text": "a"})), "done"], [echo])
    assert watch.tree() == [
        (None, "invoke_agent"),
        ("invoke_agent", "chat scripted"),
        ("invoke_agent", "execute_tool echo"),
        ("invoke_agent", "chat scripted"),
    ]


def test_a_run_and_its_turns_have_the_attributes_of_the_conventions():
    turns = [calling(("echo", {"text": "a"}), usage=Usage(7, 3, 2)), Turn("done", usage=Usage(10, 1))]
    _, watch = watched(turns, [echo])
    (run,) = watch.named("invoke_agent")
    turn = min(watch.named("chat scripted"), key=lambda span: span.start_time)
    assert (run.kind, turn.kind) == (SpanKind.INTERNAL, SpanKind.CLIENT)
    assert run.attributes["gen_ai.usage.input_tokens"] == 17
    assert (run.attributes["cellwright.stop_reason"], run.status.status_code) == ("answered", StatusCode.UNSET)
    assert dict(turn.attributes) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "_OTHER",
        "gen_ai.request.model": "scripted",
        "gen_ai.response.finish_reasons": ("tool_calls",),
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.usage.cache_read.input_tokens": 2,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "cellwright.turn": 1,
    }


def test_a_call_has_the_attributes_of_the_conventions():
    _, watch = watched([calling(("echo", {"text": "a"})), "done"], [echo])
    (call,) = watch.named("execute_tool echo")
    assert {name: call.attributes[name] for name in call.attributes if name.startswith("gen_ai")} == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "echo",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.type": "function",
    }


def test_a_model_with_a_provider_in_its_name_is_told_in_two_parts():
    watch = Watch()
    agent = agent_of(["done"], [], observers=[watch.observer])
    agent.model = ScriptedModel(["done"], name="ollama:qwen3:8b")
    agent.run_sync("go")
    (turn,) = watch.named("chat qwen3:8b")
    assert turn.attributes["gen_ai.provider.name"] == "ollama"


def test_the_stages_are_events_with_their_seconds_and_who_decided():
    _, watch = watched([calling("t"), "done"], [plain(lambda args, env: 1, "t", read_only=False)], [Allow()])
    (call,) = watch.named("execute_tool t")
    stages = {event.attributes["cellwright.stage"]: event for event in call.events}
    assert list(stages)[:3] == ["look_up", "read", "validate"]
    assert all(event.attributes["cellwright.seconds"] >= 0 for event in call.events)
    permit = stages["permit"].attributes
    assert (permit["cellwright.decision"], permit["cellwright.decided_by"]) == ("ask", "default")
    assert stages["approve"].attributes["cellwright.answer"] == "allow"
    assert call.start_time <= stages["look_up"].timestamp <= stages["execute"].timestamp


FAILURES = [
    (raising(ConnectionError(SECRET)), [], "connection"),
    (plain(lambda args, env: 1, "t", read_only=False), [Deny(SECRET)], "approval_denied"),
    (plain(lambda args, env: object(), "t"), [], "invalid_output"),
]


@pytest.mark.parametrize(("tool", "answers", "kind"), FAILURES, ids=[kind for *_, kind in FAILURES])
def test_a_failed_call_is_an_error_of_its_kind(tool, answers, kind):
    _, watch = watched([calling("t"), "done"], [tool], answers)
    (call,) = watch.named("execute_tool t")
    assert (call.attributes["error.type"], call.status.status_code) == (kind, StatusCode.ERROR)
    assert call.status.description is None


def test_a_tool_that_the_model_made_up_lends_its_name_to_no_span():
    _, watch = watched([calling("read_tulip", f"{SECRET} " * 20), "done"])
    calls = watch.named("execute_tool _OTHER")
    assert [call.attributes["error.type"] for call in calls] == ["unknown_tool", "unknown_tool"]
    assert "tulip" not in whole(watch)


def whole(watch):
    return "\n".join(span.to_json() for span in watch.spans)


def spoken(watch, answers=()):
    turns = [calling(("echo", {"text": SECRET}), "t", text=SECRET, thinking=SECRET), SECRET]
    return watched(turns, [echo, raising(ValueError(SECRET))], watch=watch, answers=answers)


def test_no_text_argument_or_value_is_in_a_span():
    _, watch = spoken(Watch())
    assert len(watch.spans) == 5
    assert SECRET not in whole(watch)


def test_who_asks_for_the_content_gets_it_as_masked_as_in_the_log():
    _, watch = spoken(Watch(content=True))
    (run,), (call,) = watch.named("invoke_agent"), watch.named("execute_tool echo")
    assert json.loads(run.attributes["gen_ai.input.messages"])[0]["parts"] == [{"type": "text", "content": "go"}]
    assert json.loads(call.attributes["gen_ai.tool.call.arguments"]) == {"text": SECRET}
    assert call.attributes["gen_ai.tool.call.result"] == SECRET
    masked = Watch(content=True)
    watched([calling(("echo", {"text": SECRET})), SECRET], [echo], watch=masked, secrets={"FLOWERS": SECRET})
    assert SECRET not in whole(masked)
    assert "FLOWERS" in whole(masked)


def test_runs_that_go_on_at_once_keep_their_spans_apart():
    watch = Watch()

    def going(text):
        return agent_of([calling(("echo", {"text": text})), "done"], [echo], observers=[watch.observer])

    async def both():
        await asyncio.gather(going("a").start("go").wait(), going("b").start("go").wait())

    asyncio.run(both())
    traces = {}
    for span in watch.spans:
        traces.setdefault(span.context.trace_id, []).append(span.name)
    wanted = ["chat scripted", "chat scripted", "execute_tool echo", "invoke_agent"]
    assert [sorted(names) for names in traces.values()] == [wanted, wanted]


def test_two_runs_of_one_task_are_beside_each_other():
    watch = Watch()

    async def one_after_the_other():
        agent = agent_of(["one", "two"], [], observers=[watch.observer])
        await agent.run("go")
        await agent.run("go")

    asyncio.run(one_after_the_other())
    assert [span.parent for span in watch.named("invoke_agent")] == [None, None]


def test_a_run_that_starts_under_a_span_hangs_under_it():
    watch = Watch()

    async def inside():
        with watch.provider.get_tracer("mine").start_as_current_span("my own"):
            await act(agent_of(["done"], [], observers=[watch.observer]))
        assert not trace.get_current_span().get_span_context().is_valid

    asyncio.run(inside())
    assert ("my own", "invoke_agent") in watch.tree()


def test_a_run_that_a_tool_starts_hangs_under_the_tools_call():
    watch = Watch()

    async def delegate(args, env):
        return (await agent_of(["inner"], [], observers=[watch.observer]).run("go")).answer

    watched([calling("delegate"), calling(("echo", {"text": "a"})), "done"], [plain(delegate), echo], watch=watch)
    assert watch.tree()[2:5] == [
        ("invoke_agent", "execute_tool delegate"),
        ("execute_tool delegate", "invoke_agent"),
        ("invoke_agent", "chat scripted"),
    ]
    assert watch.tree()[-2:] == [("invoke_agent", "execute_tool echo"), ("invoke_agent", "chat scripted")]


def test_sub_agents_hang_under_the_calls_that_started_them():
    def prepared(conversation):
        asked = conversation[0].text
        return calling(("echo", {"text": asked})) if len(conversation) == 1 else f"heard {asked}"

    handing = calling(*[("agent", {"task": name, "prompt": name}) for name in ("north", "south")])
    _, watch = watched([handing, *[prepared] * 4, "done"], [load("agent"), echo])
    calls = {span.context.span_id for span in watch.named("execute_tool agent")}
    runs = [span for span in watch.named("invoke_agent") if span.parent]
    echoed = [span.parent.span_id for span in watch.named("execute_tool echo")]
    assert {run.parent.span_id for run in runs} == calls
    assert sorted(echoed) == sorted(run.context.span_id for run in runs)


def test_a_call_that_code_makes_hangs_under_the_call_that_runs_the_code():
    turns = [calling(("run_code", {"code": "await tools.echo('a')"})), "done"]
    _, watch = watched(turns, CodeMode([echo]), [Allow()])
    assert ("execute_tool run_code", "execute_tool echo") in watch.tree()


@pytest.mark.parametrize("safe", [True, False], ids=["overlapping", "alone"])
def test_what_a_tool_traces_itself_hangs_under_its_call(safe):
    watch = Watch()
    mine = watch.provider.get_tracer("mine")

    def work(name):
        def traced(args, env):
            mine.start_span(f"work {name}").end()

        return plain(traced, name, concurrency_safe=safe)

    watched([calling("a", "b"), "done"], [work("a"), work("b")], watch=watch)
    assert {("execute_tool a", "work a"), ("execute_tool b", "work b")} <= set(watch.tree())


def test_a_cancelled_run_leaves_no_span_open():
    watch = Watch()

    async def cancelled():
        started = asyncio.Event()

        async def hang(args, env):
            started.set()
            await asyncio.Event().wait()

        async def cancel(run):
            await started.wait()
            run.cancel()

        await act(agent_of([calling("hang"), "never"], [plain(hang)], observers=[watch.observer]), cancel)

    asyncio.run(cancelled())
    (run,), (call,) = watch.named("invoke_agent"), watch.named("execute_tool hang")
    assert (run.attributes["cellwright.stop_reason"], run.status.status_code) == ("cancelled", StatusCode.UNSET)
    assert call.attributes["error.type"] == "cancelled"
    assert len(watch.named("chat scripted")) == 1


@pytest.mark.parametrize("calls", [[], [("echo", {"text": "a"})]], ids=["a text", "calls"])
def test_a_stream_that_broke_off_is_a_failed_turn_and_a_failed_run(calls):
    _, watch = watched([Turn("half", calls=calls, breaks_off=True)], [echo])
    (run,), (turn,) = watch.named("invoke_agent"), watch.named("chat scripted")
    assert (run.attributes["error.type"], turn.attributes["error.type"]) == ("model_error", "model_error")


class BrokenProcessor(SpanProcessor):
    def on_start(self, span, parent_context=None):
        raise RuntimeError("on start")

    def on_end(self, span):
        raise RuntimeError("on end")


class BrokenExporter(SpanExporter):
    def export(self, spans):
        raise RuntimeError("no network")


@pytest.mark.parametrize(
    "broken", [BrokenProcessor(), SimpleSpanProcessor(BrokenExporter())], ids=["processor", "exporter"]
)
def test_a_broken_exporter_changes_nothing_about_the_run(broken, capsys, caplog):
    watch, turns = Watch(), [calling(("echo", {"text": "a"})), "done"]
    watch.provider.add_span_processor(broken)
    run, _ = watched(turns, [echo], watch=watch)
    assert (run.answer, run.results[0].content) == ("done", "a")
    assert [event.kind for event in run.events] == [event.kind for event in play(turns, [echo]).events]


def test_without_the_package_the_error_is_the_line_to_run():
    code = "import sys; sys.modules['opentelemetry'] = None\nimport cellwright.log.telemetry as t\nt.SpanObserver()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith("run: pip install 'cellwright[otel]'")
