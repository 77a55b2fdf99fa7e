"""How much of what a run may use is used: steps, tokens, money, time, and how full the model's window is.

Each is a number that is read, and where there is a limit a bar beside it. The rule that must never break: what is not
known is not drawn; a bar stands only where there is a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cellwright.context.context_window import ContextWindow
from cellwright.log.events import Event
from cellwright.runs.budget import RESOURCES, Resource, Spending, amount
from cellwright_widgets.drawing.node import Element, Node, element, spaced

NOTCHES = 20
"""Steps in which a bar grows."""
FULL = 0.9
"""From this part on a bar warns."""
NAMES: dict[Resource, str] = {"steps": "steps", "tokens": "tokens", "money": "cost", "seconds": "time"}


def draw_budget(spending: Spending, used_window: int, window: ContextWindow | None) -> Element:
    """The bar of a run; `used_window` is what the model was sent last, in tokens."""
    gauges = [gauge for resource in RESOURCES for gauge in _resource(spending, resource)]
    if used_window:
        most = window.tokens if window else None
        of = f" of {most:,}" if most else ""
        gauges.append(_gauge("context", f"{used_window:,}{of} tokens", used_window, most))
    return element("div", "cw cw-budget", *spaced(*gauges))


def window_used(events: Sequence[Event]) -> int:
    """Tokens of the conversation as the model counted them last, its answer among them; 0 if it never did."""
    for event in reversed(events):
        if event.kind == "message" and isinstance(event.data.get("usage"), dict):
            usage = event.data["usage"]
            return int(usage.get("input_tokens", 0)) + int(usage.get("output_tokens", 0))
    return 0


def _resource(spending: Spending, resource: Resource) -> Iterator[Element]:
    used, limit = getattr(spending, resource), getattr(spending.budget, resource)
    if resource == "money" and used is None:
        return
    if resource == "seconds":
        used = float(int(used))
    is_unit = resource in ("steps", "tokens")  # the name of the gauge says it
    told = [f"{n:,}" if is_unit else amount(resource, n) for n in (used, limit) if n is not None]
    yield _gauge(NAMES[resource], " of ".join(told), used, limit)


def _gauge(name: str, told: str, used: float, limit: float | None) -> Element:
    return element("span", "cw-meter", *spaced(element("span", "cw-meter-name", name), told), *_bar(used, limit))


def _bar(used: float, limit: float | None) -> Iterator[Node]:
    if not limit:
        return
    part = min(1.0, used / limit)
    warns = " cw-meter-full" if part >= FULL else ""
    fill = element("span", f"cw-meter-fill cw-notch-{round(part * NOTCHES)}{warns}")
    yield element("span", "cw-meter-bar", fill, attrs={"aria-hidden": "true"})
