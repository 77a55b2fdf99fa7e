"""The browser's half of ipywidgets, without a browser: every live model with its state.

A kernel announces a widget by `comm_open`, changes it by `comm_msg` and ends it by `comm_close`. Whoever applies
these in order knows at any moment which buttons exist, what they are called and whether they can be pressed.
"""

from dataclasses import dataclass, field
from typing import Any

TARGET = "jupyter.widget"


@dataclass
class WidgetModel:
    """One widget as the front end knows it."""

    comm_id: str
    state: dict[str, Any]
    custom: list[tuple[Any, list[bytes]]] = field(default_factory=list)
    """Custom messages from the kernel, as (content, buffers), oldest first."""
    closed: bool = False

    @property
    def model_name(self) -> str:
        """`ButtonModel`, `TextModel`, `AnyModel` (every anywidget) ..."""
        return self.state.get("_model_name", "")

    @property
    def title(self) -> str:
        """For a reader: `ButtonModel('Approve')`."""
        return f"{self.model_name}({self.state.get('description', '')!r})"

    def matches(self, model_name: str | None, traits: dict[str, Any]) -> bool:
        """Live, of that model (None: any), and with exactly these trait values."""
        return (
            not self.closed
            and model_name in (None, self.model_name)
            and all(name in self.state and self.state[name] == value for name, value in traits.items())
        )


class WidgetMirror:
    """All models of one kernel, in the order in which they were opened."""

    def __init__(self):
        self.models: dict[str, WidgetModel] = {}

    def receive(self, message: dict[str, Any]) -> None:
        """Apply one comm message; comms of other targets are not widgets and are passed over."""
        content, buffers = message["content"], [bytes(part) for part in message.get("buffers", ())]
        comm_id, data = content["comm_id"], content["data"]
        if message["msg_type"] == "comm_open" and content["target_name"] == TARGET:
            self.models[comm_id] = WidgetModel(comm_id, _with_buffers(data, buffers))
        model = self.models.get(comm_id)
        if model is None:
            return
        if message["msg_type"] == "comm_close":
            model.closed = True
        elif data.get("method") in ("update", "echo_update"):
            model.state.update(_with_buffers(data, buffers))
        elif data.get("method") == "custom":
            model.custom.append((data["content"], buffers))

    def live(self) -> dict[str, WidgetModel]:
        return {comm_id: model for comm_id, model in self.models.items() if not model.closed}

    def newest(self, model_name: str | None, traits: dict[str, Any]) -> WidgetModel | None:
        """The last opened match: after a re-run of a cell that is the one on the screen."""
        matches = (model for model in reversed(self.models.values()) if model.matches(model_name, traits))
        return next(matches, None)

    def by_key(self, key: str) -> WidgetModel | None:
        """By comm id, else the newest live one with that description, else with that placeholder."""
        live = self.live().get(key)
        return live or self.newest(None, {"description": key}) or self.newest(None, {"placeholder": key})

    def reachable(self, comm_id: str) -> set[str]:
        """The model and all models inside it: what is on the screen when this one is displayed."""
        found: set[str] = set()
        waiting = [comm_id]
        while waiting:
            current = waiting.pop()
            if current in found or current not in self.live():
                continue
            found.add(current)
            waiting += _references(self.models[current].state)
        return found


def _with_buffers(data: dict[str, Any], buffers: list[bytes]) -> dict[str, Any]:
    """The state with its binary values, which travel apart from it, put back in their places."""
    state = data["state"]
    for path, value in zip(data.get("buffer_paths", ()), buffers, strict=True):
        holder = state
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = value
    return state


def _references(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value.removeprefix("IPY_MODEL_")] if value.startswith("IPY_MODEL_") else []
    if isinstance(value, dict):
        value = list(value.values())
    return [found for item in value for found in _references(item)] if isinstance(value, list) else []
