"""What a model knows at a point of a run, told again from the events: system prompt, tools, conversation.

A run keeps all this while it goes on, and nobody else needs it until somebody asks afterwards: what exactly was the
model sent there, and what would it be sent if things had gone another way? A history takes the events in their order
and stands, after each, where the run stood. A turn and its results join the conversation when the step is over, in the
order of the calls, whatever order they were written in. The rule that must never break: at each `turn_started` it holds
what the model was sent, secrets apart, which are masked in a log.
"""

from __future__ import annotations

from cellwright.context.shortening import Shortening
from cellwright.definition import listed
from cellwright.log.events import Event
from cellwright.log.saved_message import message_of, result_of, turn_of
from cellwright.messages import Call, JsonObject, Message, ModelMessage, UserMessage

NOT_HEARD = ("block", "failed")
"""What a hook answers that keeps a prompt from the model."""


class History:
    """The state of a run's conversation. Mutable: it grows with each event."""

    def __init__(self) -> None:
        self.system = ""
        self.messages: list[Message] = []
        """The conversation, as far as its steps are over."""
        self.names: tuple[str, ...] = ()
        """The tools that the model is shown."""
        self._texts: dict[str, str] = {}
        self._listed = b"[]"
        self._heard: list[str] = []
        """What was said, and joins the conversation once no hook has kept it away."""
        self._asides: list[str] = []
        """What the model is told before its next turn, or at once where none is to come."""
        self._is_over = False
        self._turn: ModelMessage | None = None
        self._calls: list[Call] = []
        self._results: dict[str, JsonObject] = {}

    @property
    def definitions_json(self) -> bytes:
        """The definitions that the model is shown, as canonical bytes."""
        return self._listed

    def add(self, event: Event) -> None:
        """Takes the next event."""
        data = event.data
        match event.kind:
            case "run_started":
                self._heard = [data["prompt"]]
            case "system":
                self.system = data["text"]
            case "earlier":
                self.messages += [message_of(message) for message in data["messages"]]
            case "tools":
                self._texts |= data["definitions"]
                self.names = tuple(data["names"])
                self._listed = listed(self._texts[name] for name in self.names)
            case "hook" if data["event"] == "user_prompt":
                self._hear_hook(data)
            case "steered":
                self.settle()
                self._heard = [data["text"]]
            case "compacted":
                self.settle()
                self.messages = Shortening(data["put_away"], data["summary"], data["first_kept"]).of(self.messages)
            case "message":
                self._turn = turn_of(data)
            case "call" if "within" not in data:
                self._calls.append(Call(data["id"], data["name"], data["arguments"]))
            case "result":
                self._results[data["id"]] = data
            case "undone" | "redone":
                self._asides.append(data["text"])
                if self._is_over:
                    self._hear_asides()
            case "turn_started" | "run_ended":
                self.settle()
                self._hear_asides()
                self._is_over = event.kind == "run_ended"

    def settle(self) -> None:
        """The step is over: its turn, the results and what was said meanwhile join the conversation."""
        turn = self._turn
        if turn is None and self._calls:  # the process ended before the turn was whole, and its calls had begun
            turn = ModelMessage("", tuple(self._calls), stop="broken")
        if turn is not None:
            done = [(call.id, self._results[call.id]) for call in turn.calls if call.id in self._results]
            self.messages += [turn, *(result_of(call_id, data) for call_id, data in done), *_notes(done)]
        self.messages += [UserMessage(text) for text in self._heard]
        self._heard, self._turn, self._calls, self._results = [], None, [], {}

    def _hear_asides(self) -> None:
        self.messages += [UserMessage(text) for text in self._asides]
        self._asides = []

    def _hear_hook(self, data: JsonObject) -> None:
        if data["answer"] == "add_context":
            self._heard.append(data["reason"])
        elif data["answer"] in NOT_HEARD:
            self._heard = []


def _notes(done: list[tuple[str, JsonObject]]) -> list[Message]:
    notes = [data["context"] for _, data in done if data["context"]]
    return [UserMessage("\n".join(notes))] if notes else []
