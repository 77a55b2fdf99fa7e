"""Spans for OpenTelemetry, made from the events of runs, so that agents show up where other services are watched.

A run is an `invoke_agent` span; under it each turn of the model is a `chat` span and each call an `execute_tool` span,
named as in the GenAI semantic conventions (github.com/open-telemetry/semantic-conventions-genai, in development). A
call's stages are its span's events, with their seconds and what was decided by whom. A run that starts while a span is
current hangs under it: one that a tool starts hangs under the tool's call, and what a tool traces itself does, too.

    Agent(model, observers=[SpanObserver()])

The rule that must never break: no text, argument or value leaves in a span unless `content=True` asks for it. Give the
provider a `BatchSpanProcessor`, as always: an exporter that is slow and not batched holds up what it watches.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from cellwright.log.events import Event
from cellwright.messages import JsonObject

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer, TracerProvider

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
UNKNOWN = "_OTHER"
"""What the conventions call something that has no safe name."""
FINISH_REASONS = {"end": "stop", "calls": "tool_calls", "length": "length"}
GOOD_ENDS = ("answered", "cancelled")
"""Stop reasons that are no failure: the person may stop what they started."""


class SpanObserver:
    """An observer that makes spans; one may watch any number of runs at once.

    `provider` is a tracer provider, None for the one that the process has set. With `content`, the texts of person,
    model and tools go along, masked as they are in the log.

    Raises:
        ImportError: without the package `opentelemetry-api`.
    """

    def __init__(self, provider: TracerProvider | None = None, *, content: bool = False) -> None:
        try:
            from opentelemetry import context, trace
        except ImportError as missing:
            raise ImportError("spans need opentelemetry-api; run: pip install 'cellwright[otel]'") from missing
        self._tracer = trace.get_tracer("cellwright", tracer_provider=provider)
        self._content = content
        self._key = context.create_key("cellwright-run")

    def on_event(self, event: Event) -> None:
        """Begins, ends or notes something in the spans of the run that recorded the event.

        Which run that is stands in OpenTelemetry's own context: it is set in the run's task when the run starts, and
        all that goes on in the run inherits it.
        """
        from opentelemetry import context

        if event.kind == "run_started":
            spans = RunSpans(self._tracer, event, self._content)
            context.attach(context.set_value(self._key, spans, spans.context))
            return
        found = context.get_value(self._key)
        if isinstance(found, RunSpans):
            found.note(event)


class RunSpans:
    """The spans of one run: its own, that of the turn it is in, and those of the calls on their way."""

    def __init__(self, tracer: Tracer, event: Event, content: bool) -> None:
        from opentelemetry.trace import set_span_in_context

        self._tracer = tracer
        self._content = content
        self._model = _model_attributes(event.data["model"])
        self._turn: Turn | None = None
        self._calls: dict[str, CallSpan] = {}
        facts = {
            "gen_ai.operation.name": "invoke_agent",
            **self._model,
            "cellwright.run": event.data["run"],
            "cellwright.mode": event.data["mode"],
            "cellwright.tools": event.data["tools"],
        }
        self._span = tracer.start_span("invoke_agent", attributes=facts, start_time=_nanoseconds(event))
        if content:
            self._span.set_attribute("gen_ai.input.messages", _message("user", event.data["prompt"]))
        self.context = set_span_in_context(self._span)

    def note(self, event: Event) -> None:
        """Takes one event of the run."""
        data = event.data
        match event.kind:
            case "turn_started":
                self._end_turn()
                self._begin_turn(event)
            case "message" if self._turn:
                self._turn.take(event, self._content)
            case "call":
                self._calls[data["id"]] = CallSpan(self._tracer, self._above(data.get("within", "")), event)
            case "arguments" | "decision" | "answer" if data["id"] in self._calls:
                self._calls[data["id"]].take(event, self._content)
            case "executing" if data["id"] in self._calls:
                _make_current(self._calls[data["id"]].span)
            case "result" if data["id"] in self._calls:
                _make_current(self._span)
                self._calls.pop(data["id"]).end(event, self._content)
            case "run_ended":
                self._end(event)

    def _above(self, within: str) -> Context:
        """What a call hangs under: the call whose code made it, else the run."""
        from opentelemetry.trace import set_span_in_context

        return set_span_in_context(self._calls[within].span) if within in self._calls else self.context

    def _begin_turn(self, event: Event) -> None:
        from opentelemetry.trace import SpanKind

        name = f"chat {self._model['gen_ai.request.model']}"
        facts = {"gen_ai.operation.name": "chat", **self._model, "cellwright.turn": event.data["turn"]}
        span = self._tracer.start_span(name, self.context, SpanKind.CLIENT, facts, start_time=_nanoseconds(event))
        self._turn = Turn(span)

    def _end_turn(self, failed_with: str = "") -> None:
        turn, self._turn = self._turn, None
        if turn:
            turn.end(failed_with)

    def _end(self, event: Event) -> None:
        reason = event.data["stop_reason"]
        whole = bool(self._turn and self._turn.ended)
        self._end_turn("" if whole and reason != "model_error" else reason)
        self._span.set_attributes({**_usage(event.data["usage"]), "cellwright.stop_reason": reason})
        if event.data["cost"] is not None:
            self._span.set_attribute("cellwright.cost", event.data["cost"])
        if self._content:
            self._span.set_attribute("gen_ai.output.messages", _message("assistant", event.data["answer"]))
        if reason not in GOOD_ENDS:
            _fail(self._span, reason)
        self._span.end(_nanoseconds(event))


class Turn:
    """The span of a turn. A stream that broke off is known as such only after its message, so it ends a little late."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self.ended: int | None = None
        """When the turn's message came, in nanoseconds; None before."""

    def take(self, event: Event, content: bool) -> None:
        """Notes the message that the turn came to."""
        data, self.ended = event.data, _nanoseconds(event)
        reason = FINISH_REASONS.get(data["stop"], UNKNOWN)
        self._span.set_attributes({**_usage(data["usage"]), "gen_ai.response.finish_reasons": [reason]})
        if content:
            self._span.set_attribute("gen_ai.output.messages", _message("assistant", data["text"], data["calls"]))

    def end(self, failed_with: str) -> None:
        """Ends the span at the time of its message."""
        if failed_with:
            _fail(self._span, failed_with)
        self._span.end(self.ended)


class CallSpan:
    """The span of a call on its way."""

    def __init__(self, tracer: Tracer, context: Context, event: Event) -> None:
        wanted = event.data["name"]
        self._name = wanted if NAME.fullmatch(wanted) else UNKNOWN
        self._started = _nanoseconds(event)
        self._stages: dict[str, dict[str, str]] = {}
        facts = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": self._name,
            "gen_ai.tool.call.id": event.data["id"][:128],
            "gen_ai.tool.type": "function",
        }
        name = f"execute_tool {self._name}"
        self.span = tracer.start_span(name, context, attributes=facts, start_time=self._started)

    def take(self, event: Event, content: bool) -> None:
        """Notes what was decided or answered, and the arguments if they are wanted."""
        data = event.data
        match event.kind:
            case "decision":
                decided = {"cellwright.decision": data["decision"], "cellwright.decided_by": data["by"]}
                self._stages["permit"] = decided
                self.span.set_attributes(decided)
            case "answer":
                stage = "execute" if data["answer"] in ("reply", "no_reply") else "approve"
                self._stages[stage] = {"cellwright.answer": data["answer"]}
            case "arguments" if content:
                self.span.set_attribute("gen_ai.tool.call.arguments", _json(data["args"]))

    def end(self, event: Event, content: bool) -> None:
        """Tells the stages and how it came out."""
        data, at = event.data, self._started
        for stage, seconds in data["metadata"].get("stages", {}).items():
            at += int(seconds * 1e9)
            facts = {"cellwright.stage": stage, "cellwright.seconds": seconds, **self._stages.get(stage, {})}
            self.span.add_event(f"stage {stage}", facts, at)
        if data["error_type"] == "unknown_tool":  # its name is the model's own invention
            self.span.update_name(f"execute_tool {UNKNOWN}")
            self.span.set_attribute("gen_ai.tool.name", UNKNOWN)
        if data["metadata"].get("still_running"):
            self.span.set_attribute("cellwright.still_running", True)
        if content:
            self.span.set_attribute("gen_ai.tool.call.result", data["content"])
        if not data["ok"]:
            _fail(self.span, data["metadata"].get("error_class") or data["error_type"])
        self.span.end(_nanoseconds(event))


def _nanoseconds(event: Event) -> int:
    return int(event.time * 1e9)


def _make_current(span: Span) -> None:
    """What begins from here on, in this task and in those that it starts, hangs under this span."""
    from opentelemetry import context, trace

    context.attach(trace.set_span_in_context(span))


def _fail(span: Span, kind: str) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attribute("error.type", kind)
    span.set_status(StatusCode.ERROR)


def _model_attributes(name: str) -> dict[str, str]:
    """`provider:model` in its two parts; a name without a provider has an unknown one."""
    provider, colon, model = name.partition(":")
    return {
        "gen_ai.provider.name": provider if colon else UNKNOWN,
        "gen_ai.request.model": model if colon else name,
    }


def _usage(usage: JsonObject) -> dict[str, int]:
    return {
        "gen_ai.usage.input_tokens": usage["input_tokens"],
        "gen_ai.usage.output_tokens": usage["output_tokens"],
        "gen_ai.usage.cache_read.input_tokens": usage["cached_tokens"],
        "gen_ai.usage.cache_creation.input_tokens": usage["stored_tokens"],
    }


def _message(role: str, text: str, calls: list[JsonObject] | None = None) -> str:
    """A message as the conventions write it: JSON of a list of one."""
    parts: list[JsonObject] = [{"type": "text", "content": text}] if text else []
    for call in calls or ():
        parts.append({"type": "tool_call", "id": call["id"], "name": call["name"], "arguments": call["arguments"]})
    return _json([{"role": role, "parts": parts}])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
