"""What one piece of code puts out in a shell that it shares with the person's cells.

Prints, displays, values and tracebacks of the code go to its own outputs instead of the person's cell; what else runs
in the process, a thread or a cell of the person's, keeps its place. Whose output it is tells a context variable: it is
set for the code alone and follows it through its awaits, which a swapped `sys.stdout` could not. Also what only a
person can answer is answered here: `input` fails with a word, and `exit()` does not end the person's kernel.

The rule that must never break: what the code puts out after its capture ended is not lost, but goes where it would
have gone without it.
"""

from __future__ import annotations

import base64
import builtins
import contextlib
import getpass
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextvars import Context, ContextVar, copy_context
from typing import Any

from cellwright.kernels.cell_outputs import CellOutputs
from cellwright.kernels.kernel_outputs import KernelOutputs
from cellwright.messages import JsonObject, told
from cellwright.views.frame import is_frame

CODE = "code"
"""The id under which the outputs of the code are kept."""
_current: ContextVar[ShellCapture | None] = ContextVar("capture", default=None)
"""The capture of the code that runs in this context; a global would catch what others print while the code awaits."""


class RoutedStream:
    """A stand-in for `sys.stdout` or `sys.stderr`, which hands on what is not of the code.

    There is one of each for the life of the process: a `print` in another thread may still be at work on it when it is
    taken away, and before Python 3.14 it holds on to no stream, so one that was gone by then would crash the process.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.original: Any = getattr(sys, f"__{name}__")
        """Where it hands on."""

    def write(self, text: str) -> int:
        """Prints."""
        capture = _current.get()
        if capture is None or not capture.is_mine:
            return int(self.original.write(text) or 0)
        capture.take("stream", {"name": self._name, "text": text})
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        """Prints each."""
        for line in lines:
            self.write(line)

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Stands in."""
        there = getattr(sys, self._name)
        self.original = self.original if there is self else there
        with _in_place(sys, self._name, self):
            yield

    def flush(self) -> None:
        """Sends what others printed."""
        self.original.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the stream has)
        return getattr(self.original, name)


_streams = tuple(RoutedStream(name) for name in ("stdout", "stderr"))


class ShellCapture:
    """Entered around the code, which runs in its `context`."""

    def __init__(self, shell: Any, source: str, tell: Callable[[str], None]) -> None:  # noqa: ANN401 (IPython is not imported)
        self._shell, self._source, self._tell = shell, source, tell
        self._kept = KernelOutputs()
        self._displays: set[str] = set()
        self._stack = contextlib.ExitStack()
        self._is_open = False
        self.frame: object = None
        """The value of the last line, if it is a data frame: of its rows the outputs hold a few."""
        self.cell: CellOutputs = self._kept.open(CODE)

    def context(self) -> Context:
        """A copy of the context here, in which what runs is the code."""
        made = copy_context()
        made.run(_current.set, self)
        return made

    @property
    def is_mine(self) -> bool:
        """Whether it is the code that runs now."""
        return self._is_open and _current.get() is self

    def __enter__(self) -> ShellCapture:
        self._is_open = True
        shell, enter = self._shell, self._stack.enter_context
        enter(shell.display_trap)  # else it would put the shell's own hook over ours
        for stream in _streams:
            enter(stream.in_place())
        for owner, name, ours in (
            (sys, "displayhook", self._show),
            (shell.display_pub, "publish", self._publish),
            (shell.display_pub, "clear_output", self._clear),
            (shell, "_showtraceback", self._show_traceback),
            (shell, "ask_exit", _stay),
            (builtins, "input", _no_answer),
            (getpass, "getpass", _no_answer),
        ):
            enter(_in_place(owner, name, self._routed(ours, getattr(owner, name))))
        enter(self._own_pages())
        return self

    def __exit__(self, *_: object) -> None:
        self._is_open = False
        self._stack.close()

    def take(self, kind: str, content: JsonObject) -> None:
        """Adds an output, or what changes one."""
        self._kept.take({"parent_header": {"msg_id": CODE}, "msg_type": kind, "content": content})
        if kind == "stream":
            self._tell(content["text"])

    def _routed(self, ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
        def routed(*args: object, **kwargs: object) -> Any:  # noqa: ANN401 (whatever it stands for returns)
            return (ours if self.is_mine else theirs)(*args, **kwargs)

        return routed

    def _show(self, value: object) -> None:
        """The value of the last line."""
        if value is None or _is_silenced(self._shell, self._source):
            return
        self.frame = value if is_frame(value) else None
        data, metadata = self._shell.display_formatter.format(value)
        if data:
            self.take("execute_result", {"data": _told_bytes(data), "metadata": metadata, "execution_count": None})

    def _publish(
        self,
        data: Mapping[str, Any],
        metadata: Mapping[str, Any] | None = None,
        *_: object,
        transient: Mapping[str, Any] | None = None,
        update: bool = False,
        **__: object,
    ) -> None:
        """A display; an update of one that the code has not made itself is shown as a new one."""
        shown = str((transient or {}).get("display_id") or "")
        is_known = shown in self._displays
        if shown:
            self._displays.add(shown)
        kind = "update_display_data" if update and is_known else "display_data"
        self.take(kind, {"data": _told_bytes(data), "metadata": dict(metadata or {}), "transient": transient or {}})

    def _clear(self, wait: bool = False) -> None:
        self.take("clear_output", {"wait": wait})

    def _show_traceback(self, kind: type[BaseException], error: BaseException, lines: list[str]) -> None:
        value = told(error).removeprefix(f"{type(error).__name__}").removeprefix(": ")
        number = f"In[{self._shell.execution_count}]"  # of a cell of the person's, since the code takes none
        shown = [frame.replace(number, "In[run_here]") for frame in lines if not _is_ours(frame)]
        self.take("error", {"ename": getattr(kind, "__name__", str(kind)), "evalue": value, "traceback": shown})

    @contextlib.contextmanager
    def _own_pages(self) -> Iterator[None]:
        """Help that a browser would show in a pager of the person's cell becomes an output."""
        pages = getattr(self._shell, "payload_manager", None)
        before = list(pages.read_payload()) if pages else []
        try:
            yield
        finally:
            if pages:
                ours = [page for page in pages.read_payload() if page not in before]
                pages.clear_payload()
                for page in before:
                    pages.write_payload(page, single=False)
                for page in ours:
                    if page.get("source") == "page":
                        self.take("display_data", {"data": _told_bytes(page.get("data") or {}), "metadata": {}})


def _is_ours(frame: str) -> bool:
    """Whether a frame of a traceback is of what stands around the code: a stand-in, or what interrupts it."""
    places = (os.path.join("cellwright", "kernels", f"{name}.py") for name in ("shell_capture", "interruption"))
    return any(place in frame.split("\n")[0] for place in places)


def _is_silenced(shell: Any, source: str) -> bool:  # noqa: ANN401 (IPython is not imported)
    """Whether the code ends in a semicolon, which in IPython means that its value is not to be shown."""
    ends = getattr(shell.displayhook, "semicolon_at_end_of_expression", None)
    return bool(ends and ends(source))


def _told_bytes(data: Mapping[str, Any]) -> JsonObject:
    """The data with bytes as base64, the way Jupyter sends pictures."""
    return {
        mime: base64.b64encode(value).decode() if isinstance(value, bytes) else value for mime, value in data.items()
    }


@contextlib.contextmanager
def _in_place(owner: Any, name: str, ours: object) -> Iterator[None]:  # noqa: ANN401 (a module or an object of IPython)
    """Puts something in the place of an attribute, and takes it away unless somebody has put another thing there."""
    had = name in vars(owner)
    before = getattr(owner, name)
    setattr(owner, name, ours)
    try:
        yield
    finally:
        if vars(owner).get(name) is ours:
            if had:
                setattr(owner, name, before)
            else:
                delattr(owner, name)


def _no_answer(prompt: object = "", *_: object, **__: object) -> str:
    raise EOFError(f"{str(prompt)!r} can't be answered: nobody sees the question. Put the value into the code")


def _stay() -> None:
    raise SystemExit("exit() and quit() would end the person's kernel and were not obeyed")
