"""Controls in a drawing: a button, a box to tick, a field, each within the part of the drawing that it changes.

A control says who shall answer when it is pressed, and what they need to know for it, as a small JSON object. The page
sends that back with what was typed or ticked (`press.py`), and the answer is drawn in place of the part around the
control. In a record, which has no kernel behind it, the same drawing stands without its controls. The rule that must
never break: a control is made by our own code alone, and what it sends is no more trusted for that.
"""

from __future__ import annotations

from cellwright.codec import canonical
from cellwright.messages import JsonObject
from cellwright_widgets.drawing.node import Element, Node, element

MAX_PRESS = 4_000
"""Characters that a control may send, beside what was typed; more of it is no control."""


def part(name: str, cls: str, *children: Node) -> Element:
    """A part of a drawing that the answer to its controls replaces. A name stands once in a card; the part that was
    answered stays when the card is drawn anew and would have the same part as before."""
    return element("div", cls, *children, attrs={"data-part": name})


def button(words: str, key: str, press: JsonObject, cls: str = "", hint: str = "", is_off: bool = False) -> Element:
    """A button. `press` holds who answers (`to`) and what they need; `key` names it within its part, so that the focus
    stays on it when the part is drawn anew; `hint` is its name for those who don't see it, where the words are few."""
    attrs = {"data-key": key, "data-press": _written(press)}
    if hint:
        attrs |= {"aria-label": hint, "title": hint}
    return element("button", f"cw-press {cls}".rstrip(), words, attrs=attrs | ({"disabled": ""} if is_off else {}))


def copy_button(words: str, text: str, hint: str = "") -> Element:
    """A button that copies a text; no kernel is asked."""
    named = {"aria-label": hint, "title": hint} if hint else {}
    return element("button", "cw-press", words, attrs={"data-copy": text, **named})


def field(label: str, key: str, press: JsonObject, value: str = "") -> Element:
    """A field for a short text, which is sent with Enter."""
    attrs = {"type": "search", "aria-label": label, "placeholder": label, "value": value}
    return element("input", "cw-field", attrs={**attrs, "data-key": key, "data-press": _written(press)})


def tick(label: str, key: str, press: JsonObject, is_ticked: bool = False) -> Element:
    """A box to tick."""
    attrs = {"type": "checkbox", "aria-label": label, "data-key": key, "data-press": _written(press)}
    return element("input", "cw-tick", attrs=attrs | ({"checked": ""} if is_ticked else {}))


def _written(press: JsonObject) -> str:
    text = canonical(press)
    if not isinstance(press.get("to"), str) or len(text) > MAX_PRESS:
        raise ValueError(f"a control sends who answers it (`to`) and at most {MAX_PRESS:,} characters, not {text[:80]}")
    return text
