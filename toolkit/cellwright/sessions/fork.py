"""Where a run is taken up again to go another way, and what of it stays.

A run went wrong at its third step. What if that call had had other arguments, another answer, another result; what if
another model had been asked? All that was before stays as it was recorded: it is copied, not done again, so no tool
runs twice. Of the step itself the turn stays and the results of its other calls, if it is about a call; else the model
is asked anew. The rule that must never break: a call that has a recorded result, and is not the one that is to be
otherwise, is never made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.passage import result_data
from cellwright.codec import canonical, to_json
from cellwright.errors import UsageError
from cellwright.log.events import Event
from cellwright.log.saved_message import turn_of
from cellwright.messages import Call, JsonObject, ModelMessage, clean_text
from cellwright.person.approval import Answer
from cellwright.result import Result
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.standpoint import Standpoint, standpoint_of
from cellwright.spelling import Spelling
from cellwright.views.view import Text

BETWEEN = ("turn_started", "steered", "compacted", "tools", "tools_changed", "run_ended")
"""Events with which a step is over."""


class Otherwise(Struct, frozen=True, metaclass=Spelling):
    """What is to be otherwise with one call of a step: its arguments, the answer of the person, or its result.

    Raises:
        UsageError: if it is more than one of them, or none that there is.
    """

    call: str = ""
    """The id of the call; it may be left out if the step has one."""
    args: JsonObject | None = None
    decision: Answer | None = None
    result: str | None = None
    """What the model reads as its result; nothing is run for it."""

    def __post_init__(self) -> None:
        given = [name for name in ("args", "decision", "result") if getattr(self, name) is not None]
        if len(given) > 1 or (self.call and not given):
            raise UsageError(
                f"a fork at call {self.call or '?'} changes {' and '.join(given) or 'nothing'}; give one of args=, "
                "decision= and result=, or none and no call to ask the model anew"
            )
        kinds: tuple[tuple[str, Any, str], ...] = (
            ("args", dict, 'args={"path": "a.txt"}'),
            ("decision", Answer, "decision=Deny('why')"),
            ("result", str, "result='what the model reads'"),
        )
        for name, kind, example in kinds:
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise UsageError(f"{name}={value!r:.80} can't be otherwise with a call; write Otherwise({example})")

    @property
    def what(self) -> str:
        """Which of them it is; `turn` if the model is asked anew."""
        return next((name for name in ("args", "decision", "result") if getattr(self, name) is not None), "turn")


AS_RECORDED = Otherwise()
"""No call is to be otherwise; the model is asked anew."""


class Fork(Struct, frozen=True):
    """A run up to a step, and how it goes on."""

    prompt: str
    source: JsonObject
    """Whence it comes, for the log: run, log, path, step, call, and what is otherwise."""
    standpoint: Standpoint
    """What the model knew before the step; of what is known beside the conversation also what the step brought."""
    kept: tuple[Event, ...]
    """All that stays, without the first event."""
    results: tuple[Result, ...]
    """Those of the calls that stay."""
    turn: ModelMessage | None = None
    """The turn of the step, if it stays."""
    made: tuple[Call, ...] = ()
    """The calls of it that are made now."""
    decision: Answer | None = None
    """What the person answers about the one that is otherwise."""

    @property
    def steps(self) -> int:
        """The turns that stay."""
        return sum(event.kind == "message" and event.data["stop"] != "broken" for event in self.kept)


def fork_of(run: RecordedRun, step: int, otherwise: Otherwise) -> Fork:
    """The fork of a run at a step.

    Raises:
        UsageError: if there is no such step or call, or nothing that is otherwise.
    """
    if not isinstance(otherwise, Otherwise):
        raise UsageError(f"{otherwise!r:.80} is nothing that is otherwise; write Otherwise(decision=Deny('why'))")
    events = run.events
    started = {event.data["turn"]: place for place, event in enumerate(events) if event.kind == "turn_started"}
    if step not in started:
        there = f"its steps are 1 to {max(started)}" if started else "it has none"
        raise UsageError(f"{run.id} has no step {step!r}; {there}")
    before, rest = events[1 : started[step]], events[started[step] :]
    source = {"run": run.id, "log": run.log, "path": str(run.path) if run.path else None, "step": step}
    source |= {"call": otherwise.call, "otherwise": otherwise.what}
    then = standpoint_of(events[: started[step] + 1], run.log, run.path)
    if otherwise.what == "turn":
        return Fork(run.prompt, source, then, before, _results(run, before))
    return _at_call(run, Fork(run.prompt, source, then, before, ()), rest, otherwise)


def _at_call(run: RecordedRun, fork: Fork, rest: Sequence[Event], otherwise: Otherwise) -> Fork:
    step = _step(rest)
    turn = next((turn_of(event.data) for event in step if event.kind == "message"), None)
    call = _found(turn, otherwise.call, fork.source["step"])
    if turn is None or call is None:
        raise UsageError(f"step {fork.source['step']} of {run.id} has no whole turn; fork it before the step")
    answered = {event.data["id"] for event in step if event.kind == "result"}
    again = {each.id for each in turn.calls if each.id not in answered or each.id == call.id}
    if otherwise.args is not None:
        turn = replace(turn, calls=tuple(_with(each, call.id, otherwise.args) for each in turn.calls))
    kept = [_told(event, turn) for event in _without(step, again)]
    stay = _results(run, (*fork.kept, *kept))
    given: tuple[Result, ...] = ()
    if otherwise.result is not None:
        given = (_given(call, otherwise.result),)
        kept += [Event(0, 0.0, kind, data) for kind, data in _facts(given[0])]
    events = (*fork.kept, *kept)
    there = standpoint_of([run.events[0], *events], run.log, run.path)
    made = tuple(each for each in turn.calls if each.id in again and (each.id != call.id or not given))
    return replace(
        fork,
        source={**fork.source, "call": call.id},
        standpoint=replace(there, conversation=fork.standpoint.conversation),
        kept=events,
        results=(*stay, *given),
        turn=turn,
        made=made,
        decision=otherwise.decision,
    )


def _step(rest: Sequence[Event]) -> list[Event]:
    """The events of the step with which these begin. What it read is left out: it can be read again."""
    end = next((place for place, event in enumerate(rest) if place and event.kind in BETWEEN), len(rest))
    return [event for event in rest[:end] if event.kind != "seen"]


def _found(turn: ModelMessage | None, call_id: str, step: int) -> Call | None:
    calls = turn.calls if turn else ()
    found = [call for call in calls if call.id == call_id] if call_id else list(calls)
    if turn and len(found) != 1:
        there = ", ".join(f"{call.id} ({call.name})" for call in calls) or "none"
        raise UsageError(f"step {step} has not the one call {call_id!r}; its calls are: {there}")
    return found[0] if found else None


def _without(step: Sequence[Event], again: set[str]) -> list[Event]:
    """The events of a step but those of these calls, and of the calls that their code made."""
    gone = set(again)
    for event in step:
        if event.kind == "call" and event.data.get("within") in gone:
            gone.add(event.data["id"])
    return [event for event in step if event.data.get("id") not in gone]


def _told(event: Event, turn: ModelMessage) -> Event:
    return event._replace(data={**event.data, "calls": to_json(turn.calls)}) if event.kind == "message" else event


def _with(call: Call, call_id: str, args: JsonObject) -> Call:
    return replace(call, arguments=canonical(to_json(args)), complete=True) if call.id == call_id else call


def _given(call: Call, content: str) -> Result:
    content = clean_text(content)
    return Result(call, True, content, None, Text(content), metadata={"given_in_fork": True})


def _facts(result: Result) -> list[tuple[Any, JsonObject]]:
    call = result.call
    return [
        ("call", {"id": call.id, "name": call.name, "arguments": call.arguments}),
        ("result", result_data(result)),
    ]


def _results(run: RecordedRun, events: Sequence[Event]) -> tuple[Result, ...]:
    """The recorded results of the calls of the model whose results are among these events."""
    there = {event.data["id"] for event in events if event.kind == "result"}
    inner = {event.data["id"] for event in events if event.kind == "call" and "within" in event.data}
    return tuple(result for result in run.results if result.call.id in there - inner)
