"""The one shape every outcome of a call has, success or failure.

Whatever happens to a call (it ran, it was denied, it timed out, the tool raised `SystemExit`), the loop, the log,
the widgets and the command line get a `Result`. `content` is what the model reads, `view` what the person sees,
both from the same `value`. The error types are a closed set, so that a reader can handle all of them; a tool's own
failures are `tool_error` with the tool's `code` in the metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct, field

from cellwright.messages import Call, Image, JsonObject, clean_text
from cellwright.views.view import Failure, View

ErrorType = Literal[
    "unknown_tool",
    "invalid_arguments",
    "tool_not_allowed",
    "hook_blocked",
    "guard_denied",
    "permission_denied",
    "approval_denied",
    "approval_unavailable",
    "cancelled_before_start",
    "cancelled",
    "timeout",
    "internal_error",
    "invalid_output",
    "tool_error",
]


class Result(Struct, frozen=True):
    """The outcome of one call."""

    call: Call
    ok: bool
    content: str
    """What the model reads."""
    value: Any = None
    """The tool's value as JSON; None for a failure."""
    view: View | None = None
    """What the person sees."""
    error_type: ErrorType | None = None
    images: tuple[Image, ...] = ()
    context: str = ""
    """A note for the model's next turn."""
    stops_run: str = ""
    """Why the run must end after this call; empty if it goes on."""
    metadata: JsonObject = field(default_factory=dict)
    """Facts about the way of the call: code, error class, decision, repairs, stages with their times, what was cut."""
    context_change: Callable[[Any], Any] | None = None
    """What the call does to the conditions of later ones (`conditions.Change`); only a call that succeeds has one."""

    def as_json(self) -> JsonObject:
        """The result object of the command line."""
        return {
            "ok": self.ok,
            "error_type": self.error_type,
            "content": self.content,
            "value": self.value,
            "metadata": self.metadata,
        }


def failure(
    call: Call, error_type: ErrorType, message: str, *, code: str = "", error_class: str = "", detail: str = ""
) -> Result:
    """The result of a call that did not come to a value; the model reads `message`, the person `detail` too."""
    message = clean_text(message)
    view = Failure(code or error_type, message, clean_text(detail))
    metadata = {name: text for name, text in (("code", code), ("error_class", error_class)) if text}
    return Result(call, False, message, None, view, error_type, metadata=metadata)
