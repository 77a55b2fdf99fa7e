"""Events of small runs, for the tests of the views."""

from typing import Any

from cellwright.log.events import Event, Kind


def events(*facts: tuple[Kind, dict[str, Any]]) -> list[Event]:
    """Events numbered and timed one second apart."""
    return [Event(number, 1_000.0 + number, kind, data) for number, (kind, data) in enumerate(facts, 1)]


def call_events(call: str = "c1", name: str = "read_file", ok: bool = True, **result: Any) -> list[tuple[Kind, Any]]:
    """One call from start to end, allowed because it only reads."""
    outcome = {"ok": ok, "content": "text for the model", "view": None, "error_type": None, "metadata": {}, **result}
    return [
        ("call", {"id": call, "name": name, "arguments": '{"path": "a.py"}'}),
        ("arguments", {"id": call, "args": {"path": "a.py"}, "repairs": [], "by": "model"}),
        ("decision", {"id": call, "decision": "allow", "by": "trait", "reason": "read-only"}),
        ("executing", {"id": call}),
        ("result", {"id": call, "name": name, "value": None, **outcome}),
    ]


def whole_run(*calls: tuple[Kind, Any], answer: str = "All good.") -> list[Event]:
    """A run of one turn with these calls and an answer."""
    usage = {"input_tokens": 10, "output_tokens": 5, "cached_tokens": 0}
    return events(
        ("run_started", {"run": "r1", "prompt": "Look at a.py", "model": "scripted", "mode": "default"}),
        ("turn_started", {"turn": 1}),
        ("message", {"turn": 1, "text": "", "thinking": "", "calls": [], "stop": "calls", "usage": usage}),
        *calls,
        ("turn_started", {"turn": 2}),
        ("message", {"turn": 2, "text": answer, "thinking": "", "calls": [], "stop": "end", "usage": usage}),
        ("run_ended", {"stop_reason": "answered", "answer": answer, "usage": usage, "error": None}),
    )
