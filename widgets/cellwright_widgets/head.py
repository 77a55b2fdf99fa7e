"""The line at the top of a run: model, mode, state, turns, tokens and time, worked out from its events.

The rule that must never break: it needs nothing but the events, and an event that lacks something does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cellwright.events import Event
from cellwright.price import is_amount


@dataclass(frozen=True, slots=True)
class Head:
    """The run as a whole."""

    model: str = ""
    mode: str = ""
    state: str = "waiting"
    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    started: float | None = None
    ended: float | None = None
    cost: float | None = None
    """US dollars so far; None if not known."""
    asked: frozenset[str] = frozenset()
    """The calls that the person is asked about."""
    running: frozenset[str] = frozenset()
    """The calls that run now; the model may be writing meanwhile."""

    def after(self, event: Event) -> Head:
        """The head as it is after an event."""
        data, call = event.data, str(event.data.get("id"))
        match event.kind:
            case "run_started":
                mode = str(data.get("mode") or "")
                return Head(str(data.get("model") or ""), mode, state="thinking", started=event.time)
            case "turn_started":
                return replace(self, state="thinking", turns=self.turns + 1)
            case "message" | "compacted":
                usage = data.get("usage") or {}
                return replace(
                    self,
                    input_tokens=self.input_tokens + int(usage.get("input_tokens", 0)),
                    output_tokens=self.output_tokens + int(usage.get("output_tokens", 0)),
                    cached_tokens=self.cached_tokens + int(usage.get("cached_tokens", 0)),
                    cost=_amount(data.get("cost")),
                )
            case "conditions":
                return replace(self, mode=str(data.get("mode") or ""))
            case "question":
                return self._now(asked=self.asked | {call})
            case "answer":
                return self._now(asked=self.asked - {call}, running=self.running | {call})
            case "executing":
                return self._now(running=self.running | {call})
            case "result" if call in self.asked | self.running:
                return self._now(asked=self.asked - {call}, running=self.running - {call})
            case "run_ended":
                reason, cost = str(data.get("stop_reason") or ""), _amount(data.get("cost"))
                return replace(self, state=reason, ended=event.time, cost=cost)
        return self

    def _now(self, asked: frozenset[str] | None = None, running: frozenset[str] | None = None) -> Head:
        """The head with these calls on their way; what waits for the person is told before what runs."""
        asked = self.asked if asked is None else asked
        running = self.running if running is None else running
        state = "asking" if asked else "running" if running else "thinking"
        return replace(self, state=state, asked=asked, running=running)


def _amount(given: object) -> float | None:
    return given if isinstance(given, int | float) and is_amount(given) else None
