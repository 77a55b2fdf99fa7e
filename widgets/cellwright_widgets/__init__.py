"""The Jupyter views of Cellwright: the same agent, shown live in a notebook and asking by buttons."""

try:
    import anywidget as _anywidget  # noqa: F401 (imported to see whether it is there)
    import ipywidgets as _ipywidgets  # noqa: F401 (the same)
except ImportError as _missing:
    raise ImportError("the views need ipywidgets and anywidget; run: pip install 'cellwright[widgets]'") from _missing

from typing import Any as _Any

from cellwright_widgets.agent import Agent
from cellwright_widgets.inspector.inspector import Inspector
from cellwright_widgets.live.live_view import Interrupted
from cellwright_widgets.live.shown import show
from cellwright_widgets.live.transcript import Transcript
from cellwright_widgets.questions.approval_card import ApprovalCard
from cellwright_widgets.undo_panel import UndoPanel

__all__ = [
    "Agent",
    "ApprovalCard",
    "Inspector",
    "Interrupted",
    "Transcript",
    "UndoPanel",
    "load_ipython_extension",
    "show",
]


def load_ipython_extension(ipython: _Any) -> None:  # noqa: ANN401 (IPython is untyped here)
    """What `%load_ext cellwright_widgets` calls: brings the `%%agent` magic."""
    from cellwright_widgets.chat.magic import AgentMagic

    ipython.register_magics(AgentMagic)
