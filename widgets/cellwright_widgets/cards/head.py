"""The line at the top of a run: model, mode, state, turns, tokens and time, worked out from its events.

The rule that must never break: it needs nothing but the events, and an event that lacks something does no harm.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.runs.price import is_amount

WHY = {"breakpoint": " (breakpoint)", "error": " (a call failed)"}
"""Why a run waits, where it is not the person who just pressed something."""


class Head(Struct, frozen=True):
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
    halts: tuple[str, ...] = ()
    """The places at which it is paused, in words."""
    running: frozenset[str] = frozenset()
    """The calls that run now; the model may be writing meanwhile."""
    run: str = ""
    """What it is called."""

    def after(self, event: Event) -> Head:
        """The head as it is after an event."""
        data, call = event.data, str(event.data.get("id"))
        match event.kind:
            case "run_started":
                mode = str(data.get("mode") or "")
                run, model = str(data.get("run") or ""), str(data.get("model") or "")
                return Head(model, mode, state="thinking", started=event.time, run=run)
            case "system":  # what stands before it in a fork was spent by the run that it comes from
                return replace(self, input_tokens=0, output_tokens=0, cached_tokens=0, cost=None)
            case "turn_started":
                return replace(self, state="thinking", turns=self.turns + 1)
            case "message" | "compacted":
                return replace(
                    self,
                    input_tokens=self.input_tokens + _tokens(data, "input_tokens"),
                    output_tokens=self.output_tokens + _tokens(data, "output_tokens"),
                    cached_tokens=self.cached_tokens + _tokens(data, "cached_tokens"),
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
            case "paused":
                return self._now(halts=(*self.halts, halt_words(data)))
            case "continued":
                place = halt_words(data)
                return self._now(halts=tuple(halt for halt in self.halts if halt != place))
            case "run_ended":
                reason, cost = str(data.get("stop_reason") or ""), _amount(data.get("cost"))
                return replace(self, state=reason, halts=(), ended=event.time, cost=cost)
        return self

    def paused_at(self, halts: tuple[str, ...]) -> Head:
        """The head of a run that waits at these places: they may be those of its sub-agents, too."""
        return self._now(halts=halts) if self.ended is None and halts != self.halts else self

    def _now(
        self,
        asked: frozenset[str] | None = None,
        running: frozenset[str] | None = None,
        halts: tuple[str, ...] | None = None,
    ) -> Head:
        """The head with these calls on their way; what waits for the person is told before what runs."""
        asked = self.asked if asked is None else asked
        running = self.running if running is None else running
        halts = self.halts if halts is None else halts
        state = "asking" if asked else "paused" if halts else "running" if running else "thinking"
        return replace(self, state=state, asked=asked, running=running, halts=halts)


def halt_words(data: JsonObject) -> str:
    """The place at which a run is paused."""
    before = f"step {data.get('turn')}" if data.get("before") == "turn" else str(data.get("name"))
    return f"before {before}{WHY.get(str(data.get('why')), '')}"


def _tokens(data: JsonObject, name: str) -> int:
    usage = data.get("usage")
    given = usage.get(name) if isinstance(usage, dict) else None
    return given if isinstance(given, int) else 0


def _amount(given: object) -> float | None:
    return given if isinstance(given, int | float) and is_amount(given) else None
