"""A real kernel, driven the way JupyterLab drives it: cells, outputs, clicks, interrupts. No browser needed.

Use it from any test in this repository by a relative import (pytest's importlib mode makes `tests` a namespace
package, so nothing has to be on `sys.path` and no `__init__.py` is needed):

    from .driver import KernelDriver            # in tests/kernel
    from ..kernel.driver import KernelDriver    # in tests/widgets, tests/core, ...

    with KernelDriver() as kernel:
        run = kernel.start("display(button); await pressed.wait()")   # returns while the cell waits
        kernel.wait_widget("Approve")
        kernel.click("Approve")
        assert kernel.wait_idle(run).status == "ok"

In tests/kernel the fixture `kernel` is such a driver, and `matrix_kernel` is one for each ipykernel in `matrix.py`.

The one rule: a test waits for conditions (`wait_until`, `wait_widget`, `wait_idle`), never for time. Messages are
only read during these calls, in the calling thread.
"""

import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager

from .cell_run import OUTPUT_TYPES, CellRun
from .widget_mirror import TARGET, WidgetMirror, WidgetModel

WAIT = 30.0
"""Seconds that any wait may take before it fails: long, because a machine that runs tests may be slow."""


class KernelDiedError(RuntimeError):
    """The kernel process ended while a test waited for it."""


class KernelDriver:
    """One kernel and what a front end knows of it. A context manager: the kernel lives inside the `with`."""

    def __init__(
        self,
        python: str | Path = sys.executable,
        folder: str | Path | None = None,
        *,
        cell_ids: bool = True,
        subshells: bool = True,
        env: Mapping[str, str] | None = None,
    ):
        """`cell_ids=False`: a front end that does not say which cell runs. `subshells=False`: JupyterLab with its
        setting `commsOverSubshells` disabled (by default clicks go to a subshell wherever the kernel has them)."""
        self.python, self.folder, self.extra_env = str(python), folder, dict(env or {})
        self.cell_ids, self.subshells = cell_ids, subshells
        self.runs: dict[str, CellRun] = {}
        self.widgets = WidgetMirror()
        self.idle_parents: list[str] = []
        """The type of each message that the kernel has said to be done with."""
        self.log_console: list[dict[str, Any]] = []
        """Outputs that belong to no cell (made in a click handler): JupyterLab hides them in its log console."""

    # Life

    def __enter__(self) -> "KernelDriver":
        self._home = tempfile.TemporaryDirectory(prefix="kernel-driver-", ignore_cleanup_errors=True)
        self._log = (Path(self._home.name) / "kernel.log").open("wb")
        self.manager = KernelManager(kernel_name="driven", kernel_spec_manager=_OneKernelSpec(self.python))
        self.manager.connection_file = str(Path(self._home.name) / "kernel.json")
        try:
            self._launch()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the kernel; no process, socket or file is left."""
        if hasattr(self, "client"):
            self.client.stop_channels()
        if self.manager.has_kernel:
            self.manager.shutdown_kernel()
        self._log.close()
        self._home.cleanup()

    def interrupt(self) -> None:
        """What the stop button does: SIGINT to the kernel process."""
        self.manager.interrupt_kernel()

    def restart(self) -> None:
        """A new process in place of the old one; outputs stay, variables and widgets are gone."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(restart=True)
        self._launch()

    def _launch(self) -> None:
        folder = self.folder or self._home.name
        env = {**os.environ, "IPYTHONDIR": str(Path(self._home.name) / "ipython"), **self.extra_env}
        self.manager.start_kernel(cwd=str(folder), env=env, stdout=self._log, stderr=self._log)
        self.client = self.manager.blocking_client()
        self.client.start_channels(stdin=False, hb=False)
        self.client.wait_for_ready(timeout=2 * WAIT)
        self.widgets = WidgetMirror()
        self._replies: dict[str, dict[str, Any]] = {}
        self.__dict__.pop("_subshell_id", None)  # the old process's subshell is gone with it
        features = self._request(self.client.shell_channel, "kernel_info_request").get("supported_features", ())
        self.has_subshells = "kernel subshells" in features

    # Cells

    def start(self, code: str, cell_id: str | None = None) -> CellRun:
        """Send a cell and return at once. Give the `cell_id` of an earlier run to run "the same cell" again."""
        run = CellRun(code, msg_id="", cell_id=cell_id or uuid.uuid4().hex[:8])
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
        metadata = {"cellId": run.cell_id} if self.cell_ids else {}
        run.msg_id = self._send(self.client.shell_channel, "execute_request", content, metadata=metadata)
        self.runs[run.msg_id] = run
        return run

    def run(self, code: str, timeout: float = WAIT) -> CellRun:
        """Run a cell to its end; errors are in the result, not raised."""
        return self.wait_idle(self.start(code), timeout)

    def wait_idle(self, run: CellRun, timeout: float = WAIT) -> CellRun:
        """Wait until that cell has ended."""
        self.wait_until(lambda: run.done, f"the end of the cell {run.code!r}", timeout)
        return run

    def wait_output(self, run: CellRun, text: str, timeout: float = WAIT) -> CellRun:
        """Wait until that text stands below that cell, ended or not."""
        self.wait_until(lambda: text in run.text, f"the output {text!r} of the cell {run.code!r}", timeout)
        return run

    # Widgets

    def widget_models(self) -> dict[str, WidgetModel]:
        """Every live widget by comm id, with what has arrived until now."""
        self._read(0)
        return self.widgets.live()

    def wait_widget(
        self,
        description: str | None = None,
        model_name: str | None = "ButtonModel",
        timeout: float = WAIT,
        **traits: Any,
    ) -> str:
        """Wait for a live widget and return its comm id; the newest if several match.

        `wait_widget(model_name="AnyModel", _anywidget_id="my_module.MyWidget")` finds an anywidget.
        """
        wanted = traits if description is None else {"description": description, **traits}
        self.wait_until(lambda: self.widgets.newest(model_name, wanted), f"a {model_name} with {wanted}", timeout)
        return self.widgets.newest(model_name, wanted).comm_id

    def is_shown(self, comm_id: str) -> bool:
        """Whether a cell displays that widget now, by itself or inside another one."""
        self._read(0)
        outputs = [output for run in self.runs.values() for output in run.outputs]
        views = (output.get("data", {}).get("application/vnd.jupyter.widget-view+json") for output in outputs)
        return any(comm_id in self.widgets.reachable(view["model_id"]) for view in views if view)

    def click(self, key: str, timeout: float = WAIT) -> None:
        """Press a button, given by description or comm id, once it is there and not disabled."""
        button = self._wait_model(key, timeout)
        self.wait_until(lambda: not button.state.get("disabled"), f"the button {key!r} to be enabled", timeout)
        self.send_custom(button.comm_id, {"event": "click"})

    def submit(self, key: str, timeout: float = WAIT) -> None:
        """Press Enter in a Text, given by description, placeholder or comm id."""
        self.send_custom(self._wait_model(key, timeout).comm_id, {"event": "submit"})

    def set_value(self, key: str, value: Any, timeout: float = WAIT) -> None:
        """Type into (or choose in) a widget, given by description, placeholder or comm id."""
        self.set_state(key, {"value": value}, timeout)

    def set_state(self, key: str, traits: dict[str, Any], timeout: float = WAIT) -> None:
        """Change any traits from the front end's side."""
        model = self._wait_model(key, timeout)
        model.state.update(traits)
        self._send_comm(model.comm_id, {"method": "update", "state": traits, "buffer_paths": []})

    def send_custom(self, comm_id: str, content: Any, buffers: list[bytes] | None = None) -> None:
        """Send a custom message, as an anywidget's `model.send` does."""
        self._send_comm(comm_id, {"method": "custom", "content": content}, buffers)

    def _wait_model(self, key: str, timeout: float) -> WidgetModel:
        self.wait_until(lambda: self.widgets.by_key(key), f"a widget {key!r}", timeout)
        return self.widgets.by_key(key)

    # Messages

    def wait_until(self, condition: Callable[[], Any], what: str, timeout: float = WAIT) -> None:
        """Read messages until the condition holds. `what` completes "Waited in vain for ..."."""
        deadline = time.monotonic() + timeout
        while not condition():
            if self._read(0.1):
                continue
            if not self.manager.is_alive():
                raise KernelDiedError(f"The kernel died; waited for {what}.\n{self._log_tail()}")
            if time.monotonic() > deadline:
                raise TimeoutError(self._report(what, timeout))

    def _read(self, seconds: float) -> bool:
        """Handle what has arrived, waiting at most so long for the first message."""
        channels = (self.client.iopub_channel, self.client.shell_channel, self.client.control_channel)
        poller = zmq.Poller()
        for channel in channels:
            poller.register(channel.socket, zmq.POLLIN)
        if not poller.poll(seconds * 1000):
            return False
        for channel in channels:
            while channel.msg_ready():
                self._receive(channel.get_msg(timeout=0))
        return True

    def _receive(self, message: dict[str, Any]) -> None:
        msg_type, content = message["msg_type"], message["content"]
        parent = message["parent_header"].get("msg_id", "")
        run = self.runs.get(parent)
        if msg_type.endswith("_reply"):
            self._replies[parent] = content
            if run and msg_type == "execute_reply":
                run.reply = content
        elif msg_type.startswith("comm_"):
            self.widgets.receive(message)
            if run:
                run.comm_messages.append(message)
        elif msg_type == "status" and content["execution_state"] == "idle":
            self.idle_parents.append(message["parent_header"].get("msg_type", ""))
            if run:
                run.idle = True
        elif msg_type in (*OUTPUT_TYPES, "update_display_data"):
            self._receive_output(run, msg_type, content)

    def _receive_output(self, run: CellRun | None, msg_type: str, content: dict[str, Any]) -> None:
        for shown in self.runs.values():
            shown.update_display(content)
        if msg_type == "update_display_data":
            return
        if run:
            run.receive(msg_type, content)
        else:
            self.log_console.append({"output_type": msg_type, **content})

    def _send(self, channel: Any, msg_type: str, content: dict[str, Any], **options: Any) -> str:
        session = self.client.session
        message = session.msg(msg_type, content, metadata=options.get("metadata"))
        message["header"].update(options.get("header", {}))
        session.send(channel.socket, message, buffers=options.get("buffers"))
        return message["header"]["msg_id"]

    def _send_comm(self, comm_id: str, data: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        header = {"subshell_id": self._subshell_id} if self.subshells and self.has_subshells else {}
        content = {"comm_id": comm_id, "target_name": TARGET, "data": data}
        self._send(self.client.shell_channel, "comm_msg", content, header=header, buffers=buffers)

    @cached_property
    def _subshell_id(self) -> str:
        """One for all widgets, like JupyterLab's default "per comm target"; made at the first message."""
        return self._request(self.client.control_channel, "create_subshell_request")["subshell_id"]

    def _request(self, channel: Any, msg_type: str) -> dict[str, Any]:
        msg_id = self._send(channel, msg_type, {})
        self.wait_until(lambda: msg_id in self._replies, f"the answer to {msg_type}")
        return self._replies[msg_id]

    # What a failing test shows

    def _report(self, what: str, timeout: float) -> str:
        models = self.widgets.live().values()
        shown = [model.title for model in models if not model.model_name.endswith(("LayoutModel", "StyleModel"))]
        cells = "\n".join(f"[{run.status}] {run.code!r}\n{run.text}" for run in self.runs.values())
        return (
            f"Waited in vain for {what} ({timeout:g} s).\nLive widgets: {', '.join(shown)}\n"
            f"Cells:\n{cells}\nOutputs of no cell: {self.log_console}\nKernel log: {self._log_tail()}"
        )

    def _log_tail(self) -> str:
        return Path(self._log.name).read_text(errors="replace")[-3000:]


class _OneKernelSpec(KernelSpecManager):
    """Knows one kernel: that Python's ipykernel. Kernels installed on the machine play no part."""

    def __init__(self, python: str):
        super().__init__()
        self._argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(argv=self._argv, display_name=kernel_name, language="python")
