"""One executed cell as a front end holds it: outputs so far, comm messages, reply.

The kernel only sends facts ("this display changed", "clear before the next output"). What the person sees is what
is left after all of them were applied, and that is what a test wants to compare. So they are applied here, the way
JupyterLab applies them: consecutive stream texts join, `clear_output(wait=True)` waits, a display id is updated
wherever it is shown.
"""

from dataclasses import dataclass, field
from typing import Any

OUTPUT_TYPES = ("stream", "display_data", "execute_result", "error", "clear_output")


@dataclass
class CellRun:
    """A cell that was sent to the kernel. It may be queued, running, or done; outputs can come even after that."""

    code: str
    msg_id: str
    cell_id: str
    outputs: list[dict[str, Any]] = field(default_factory=list)
    """nbformat outputs, without `execution_count`."""
    comm_messages: list[dict[str, Any]] = field(default_factory=list)
    """Whole Jupyter messages: comm_open, comm_msg and comm_close that name this cell as their parent."""
    reply: dict[str, Any] | None = None
    """Content of the execute_reply."""
    idle: bool = False
    """The kernel said that it has published everything this cell made while it ran."""
    _by_display_id: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _clear_before_next: bool = False

    @property
    def done(self) -> bool:
        """Both halves of the end have arrived: the reply and the idle status."""
        return self.idle and self.reply is not None

    @property
    def status(self) -> str:
        """`running` (or still queued), `ok`, `error` or `aborted`."""
        return "running" if self.reply is None else self.reply["status"]

    @property
    def error(self) -> dict[str, Any] | None:
        """The error output (`ename`, `evalue`, `traceback`), if there is one."""
        return next((output for output in self.outputs if output["output_type"] == "error"), None)

    @property
    def stdout(self) -> str:
        return self._stream("stdout")

    @property
    def stderr(self) -> str:
        return self._stream("stderr")

    @property
    def text(self) -> str:
        """Everything below the cell as plain text, top to bottom."""
        return "\n".join(_plain(output).rstrip("\n") for output in self.outputs)

    def receive(self, msg_type: str, content: dict[str, Any]) -> None:
        """Apply one output message."""
        if msg_type == "clear_output":
            self._clear_before_next = content["wait"]
            if not content["wait"]:
                self.outputs.clear()
            return
        if self._clear_before_next:
            self.outputs.clear()
            self._clear_before_next = False
        if msg_type == "stream" and self._joins_last_stream(content["name"]):
            self.outputs[-1]["text"] += content["text"]
            return
        output = _as_output(msg_type, content)
        self.outputs.append(output)
        display_id = content.get("transient", {}).get("display_id")
        if display_id:
            self._by_display_id.setdefault(display_id, []).append(output)

    def update_display(self, content: dict[str, Any]) -> None:
        """Apply new data to every output of this cell that has the message's display id."""
        for output in self._by_display_id.get(content.get("transient", {}).get("display_id"), ()):
            output.update(data=content["data"], metadata=content["metadata"])

    def _joins_last_stream(self, name: str) -> bool:
        return bool(self.outputs) and self.outputs[-1].get("name") == name

    def _stream(self, name: str) -> str:
        return "".join(output["text"] for output in self.outputs if output.get("name") == name)


def _as_output(msg_type: str, content: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in content.items() if key not in ("transient", "execution_count")}
    return {"output_type": msg_type, **kept}


def _plain(output: dict[str, Any]) -> str:
    match output["output_type"]:
        case "stream":
            return output["text"]
        case "error":
            return f"{output['ename']}: {output['evalue']}"
        case _:
            return output["data"].get("text/plain", "")
