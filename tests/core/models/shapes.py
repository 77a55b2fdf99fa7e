"""A turn in the words of each provider, so that one suite can hold all adapters to the same rules."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from cellwright.models.attempts import Patience
from cellwright.models.naming import model

from .wire_server import Answer, WireServer

QUICK = Patience(idle=5.0, tries=3, pause=0.01)


@dataclass(frozen=True)
class Said:
    """A turn that a server gives."""

    text: str = ""
    thinking: str = ""
    signature: str = ""
    calls: tuple = ()
    """(id, name, pieces of the arguments)"""
    interleaved: bool = False
    counted: bool = True
    finish: str | None = None
    """Another reason for the end than the true one."""


def sse(*events: dict, named: bool = False) -> list[bytes]:
    return [
        (f"event: {event['type']}\n" if named else "").encode() + b"data: " + json.dumps(event).encode() + b"\n\n"
        for event in events
    ]


def order(calls, interleaved):
    """(place of the call, piece) in the order in which they come."""
    pieces = [(place, piece) for place, call in enumerate(calls) for piece in call[2]]
    if interleaved:
        numbered = [(number, place) for place, call in enumerate(calls) for number in range(len(call[2]))]
        pieces = [(place, calls[place][2][number]) for number, place in sorted(numbered)]
    return pieces


def anthropic_events(said: Said) -> list[bytes]:
    counted = {"input_tokens": 10, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 3}
    yield {"type": "message_start", "message": {"usage": counted if said.counted else None}}
    place = 0
    if said.thinking:
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}
        for piece in (said.thinking[:3], said.thinking[3:]):
            yield delta(0, {"type": "thinking_delta", "thinking": piece})
        yield delta(0, {"type": "signature_delta", "signature": said.signature})
        yield {"type": "content_block_stop", "index": 0}
        place = 1
    if said.text:
        yield {"type": "content_block_start", "index": place, "content_block": {"type": "text", "text": ""}}
        for piece in (said.text[:3], said.text[3:]):
            yield delta(place, {"type": "text_delta", "text": piece})
        yield {"type": "ping"}
        yield {"type": "content_block_stop", "index": place}
        place += 1
    if said.interleaved:
        yield from (begin(place + number, call) for number, call in enumerate(said.calls))
        for number, piece in order(said.calls, True):
            yield delta(place + number, {"type": "input_json_delta", "partial_json": piece})
        yield from ({"type": "content_block_stop", "index": place + number} for number in range(len(said.calls)))
    else:
        for number, call in enumerate(said.calls):
            yield begin(place + number, call)
            for piece in call[2]:
                yield delta(place + number, {"type": "input_json_delta", "partial_json": piece})
            yield {"type": "content_block_stop", "index": place + number}
    finish = said.finish or ("tool_use" if said.calls else "end_turn")
    usage = {"output_tokens": 5} if said.counted else None
    yield {"type": "message_delta", "delta": {"stop_reason": finish}, "usage": usage}
    yield {"type": "message_stop"}


def begin(index, call):
    block = {"type": "tool_use", "id": call[0], "name": call[1], "input": {}}
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index, inner):
    return {"type": "content_block_delta", "index": index, "delta": inner}


def chat_events(said: Said):
    yield chat({"role": "assistant", "content": ""})
    for piece in (said.thinking[:3], said.thinking[3:]):
        yield chat({"reasoning_content": piece})
    for piece in (said.text[:3], said.text[3:]):
        yield chat({"content": piece})
    began = set()
    for place, piece in order(said.calls, said.interleaved):
        call = {"index": place, "function": {"arguments": piece}}
        if place not in began:
            call |= {"id": said.calls[place][0], "type": "function"}
            call["function"]["name"] = said.calls[place][1]
        began.add(place)
        yield chat({"tool_calls": [call]})
    finish = said.finish or ("tool_calls" if said.calls else "stop")
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    if said.counted:
        details = {"cached_tokens": 7}
        yield {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": details}}


def chat(inner):
    return {"choices": [{"index": 0, "delta": inner, "finish_reason": None}]}


def responses_events(said: Said):
    yield {"type": "response.created", "response": {"id": "r", "status": "in_progress"}}
    place = 0
    if said.thinking:
        yield item("added", 0, {"type": "reasoning", "id": "rs_1", "summary": []})
        for piece in (said.thinking[:3], said.thinking[3:]):
            yield {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": piece}
        summary = [{"type": "summary_text", "text": said.thinking}]
        yield item(
            "done",
            0,
            {"type": "reasoning", "id": "rs_1", "encrypted_content": said.signature, "summary": summary},
        )
        place = 1
    if said.text:
        yield item("added", place, {"type": "message", "id": "msg_1", "content": []})
        for piece in (said.text[:3], said.text[3:]):
            yield {"type": "response.output_text.delta", "output_index": place, "delta": piece}
        yield item("done", place, {"type": "message", "id": "msg_1", "content": []})
        place += 1
    if said.interleaved:
        yield from (item("added", place + number, function(call, "")) for number, call in enumerate(said.calls))
        yield from (arguments(place + number, piece) for number, piece in order(said.calls, True))
        yield from (
            item("done", place + number, function(call, "".join(call[2]))) for number, call in enumerate(said.calls)
        )
    else:
        for number, call in enumerate(said.calls):
            yield item("added", place + number, function(call, ""))
            yield from (arguments(place + number, piece) for piece in call[2])
            yield item("done", place + number, function(call, "".join(call[2])))
    usage = {"input_tokens": 20, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 7}}
    cut = said.finish == "length"
    response = {"status": "incomplete" if cut else "completed", "usage": usage if said.counted else None}
    if cut:
        response["incomplete_details"] = {"reason": "max_output_tokens"}
    yield {"type": "response.incomplete" if cut else "response.completed", "response": response}


def item(what, index, inner):
    return {"type": f"response.output_item.{what}", "output_index": index, "item": inner}


def function(call, given):
    return {"type": "function_call", "id": f"fc_{call[0]}", "call_id": call[0], "name": call[1], "arguments": given}


def arguments(index, piece):
    return {"type": "response.function_call_arguments.delta", "output_index": index, "delta": piece}


def google_events(said: Said):
    """Calls come whole here, and so there is nothing that could be interleaved."""
    for piece in (said.thinking[:3], said.thinking[3:]):
        if piece:
            yield candidate({"text": piece, "thought": True})
    for piece in (said.text[:3], said.text[3:]):
        if piece:
            yield candidate({"text": piece})
    for call in said.calls:
        signed = {"thoughtSignature": said.signature} if said.signature else {}
        yield candidate({"functionCall": {"id": call[0], "name": call[1], "args": google_args(call)}, **signed})
    if said.signature and not said.calls:
        yield candidate({"text": "", "thoughtSignature": said.signature})
    counted = {"promptTokenCount": 20, "candidatesTokenCount": 5, "cachedContentTokenCount": 7}
    end = {"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": said.finish or "STOP"}]}
    yield {**end, "usageMetadata": counted} if said.counted else end


def google_args(call):
    try:
        return json.loads("".join(call[2]))
    except ValueError:
        return {"text": 3}


def candidate(part):
    return {"candidates": [{"content": {"role": "model", "parts": [part]}}]}


@dataclass(frozen=True)
class Shape:
    """One provider: how its servers say a turn, and how the suite finds its way in what they are asked."""

    provider: str
    path: str
    events: Callable
    named: bool
    end: int
    """Events at the end without which a turn is not over."""
    overloaded: dict
    """An error in the stream."""
    length: str
    usage: tuple = (20, 5, 7, 0)
    base: str = "/v1"
    done: str = "stop"
    """The reason for the end of a turn that calls nothing."""
    broken: str = '{"text": '
    """What arrives of arguments that are broken off there."""
    ours: bool = True
    """Whether the body is put together here, and not by a library."""

    def halves(self, body: bytes) -> tuple[bytes, bytes]:
        """What has to stay the same from turn to turn, and what grows; the brackets at its end are left out."""
        if self.ours:
            return b"", body[:-2]
        data = json.loads(body)
        growing = json.dumps(data.pop("contents"))
        return json.dumps(data).encode(), growing[:-1].encode()

    @staticmethod
    def schemas(body: bytes) -> list[str]:
        """The schemas of the tools, with their keys in the order in which they came."""
        found, todo = [], [json.loads(body)["tools"]]
        for value in todo:
            for key, inner in value.items() if isinstance(value, dict) else ():
                if key in ("input_schema", "parameters", "parameters_json_schema"):
                    found.append(json.dumps(inner))
                else:
                    todo.append(inner)
            todo += value if isinstance(value, list) else []
        return found

    def answer(self, said: Said, **facts) -> Answer:
        return Answer(sse(*self.events(said), named=self.named), **facts)

    def partial(self, said: Said, **facts) -> Answer:
        """The same without its end."""
        return Answer(sse(*self.events(said), named=self.named)[: -self.end], **facts)

    def error(self, said: Said | None = None) -> Answer:
        """A stream that reports an error after what was said, or first of all."""
        before = sse(*self.events(said), named=self.named)[: -self.end] if said else []
        return Answer(before + sse(self.overloaded, named=self.named))

    def model(self, server: WireServer, patience: Patience = QUICK, **facts):
        facts.setdefault("api_key", "key-of-the-test-1234567890")
        return model(f"{self.provider}:m-1", base_url=server.url + self.base, patience=patience, **facts)


ANTHROPIC = Shape(
    "anthropic",
    "/v1/messages",
    anthropic_events,
    True,
    2,
    {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    "max_tokens",
    usage=(20, 5, 7, 3),
    base="",
    done="end_turn",
)
CHAT = Shape(
    "openai",
    "/v1/chat/completions",
    chat_events,
    False,
    2,
    {"error": {"type": "server_error", "message": "Overloaded", "code": 503}},
    "length",
)
RESPONSES = Shape(
    "openai-responses",
    "/v1/responses",
    responses_events,
    True,
    1,
    {"type": "error", "code": "server_error", "message": "Overloaded"},
    "length",
)
GOOGLE = Shape(
    "google",
    "/models/m-1:streamGenerateContent?alt=sse",
    google_events,
    False,
    1,
    {"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}},
    "MAX_TOKENS",
    base="",
    done="STOP",
    broken='{"text":3}',
    ours=False,
)
SHAPES = [ANTHROPIC, CHAT, RESPONSES, GOOGLE]


def many(shape: Shape, turns: int) -> list[Answer]:
    """A run of turns that each call a tool, and the last of which answers."""
    calls = (("call_a", "look", ('{"te', 'xt": "a"}')),)
    said = [
        Said(f"turn {n}", "I think", "sig", tuple((f"{i}_{n}", name, a) for i, name, a in calls)) for n in range(turns)
    ]
    return [*map(shape.answer, said), shape.answer(replace(Said("the end"), thinking=""))]
