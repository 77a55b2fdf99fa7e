"""What came of a piece of code that ran in a kernel, for the model and for the person.

Code that fails has still put out something, and a kernel that died has left its last words: all of it is told, and
the name of the failure says what became of the variables. The rule that must never break: success is said only of
code that came to its end by itself, without an error.
"""

from __future__ import annotations

from collections.abc import Sequence

from cellwright.errors import ToolError
from cellwright.kernels.child_kernel import Execution
from cellwright.messages import JsonObject
from cellwright.notebook.outputs import outputs_images, outputs_text, outputs_view
from cellwright.tool import Output
from cellwright.views.view import Code, Group, Text

TEXT_CHARS = 30_000
"""Characters of what the code puts out that the model gets."""
IMAGES = 5
FAILURES = {"error": "code_failed", "timeout": "code_timeout", "died": "kernel_died"}
"""The code of the tool's error for each way in which code fails."""
NOTHING = "(the code ran; it printed nothing and its last line has no value)"


class ExecutionReport:
    """Made once the code has ended: what comes in later is not in it. `notes` are told after its outputs; `code` stands
    before them in the view."""

    def __init__(
        self, execution: Execution, title: str = "", notes: Sequence[str] = (), code: Code | None = None
    ) -> None:
        self._status = execution.status
        self._notes = [note for note in (execution.message, *notes) if note]
        self._images = outputs_images(execution.outputs, IMAGES)
        self.output = outputs_text(execution.outputs, TEXT_CHARS)
        """What the code put out, as text."""
        outputs = outputs_view(execution.outputs).views
        self.view = Group(title, (*([code] if code else []), *outputs, *map(Text, self._notes)))

    @property
    def text(self) -> str:
        """The outputs and all notes."""
        return "\n".join(filter(None, (self.output, *self._notes)))

    @property
    def failure(self) -> ToolError | None:
        """The error of code that failed, was ended, or lost its kernel."""
        return None if self._status == "ok" else ToolError(FAILURES[self._status], self.text, self.view)

    def result(self, value: JsonObject, context: str = "", stops_run: str = "") -> Output:
        """What a tool returns for it: the outputs and these values."""
        value = {"output": self.output, **value}
        return Output(value, self.text or NOTHING, self.view, self._images, context, stops_run=stops_run)
