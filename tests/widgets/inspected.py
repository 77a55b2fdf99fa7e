"""Runs that are taken apart in tests: one in which much happens, and a log in which every text is hostile."""

import asyncio
from pathlib import Path

from cellwright import Agent, Allow, Deny, Run, ScriptedApprover, ScriptedModel, Turn, tool
from cellwright.log.events import Event
from cellwright.runs.price import Price

from .page import HOSTILE
from .run_events import events


@tool(read_only=True, concurrency_safe=True)
async def look(place: str) -> str:
    """Look there."""
    await asyncio.sleep(0.01)
    return f"{place} is fine"


@tool
def write(text: str) -> str:
    """Write a text."""
    return f"wrote {text}"


def busy_run(log: Path | None = None) -> Run:
    """Two calls at once, one that is asked about, one that is denied, one of no tool, and a sub-agent."""
    turns = [
        Turn("I look.", [("look", {"place": "here"}), ("look", {"place": "there"})], thinking="Looking is safe."),
        Turn("I write.", [("write", {"text": "a"}), ("write", {"text": "b"}), ("nope", {})]),
        Turn("Another looks.", [("agent", {"task": "look", "prompt": "Look below."})]),
        Turn("Below.", [("look", {"place": "below"})]),
        "It is fine below.",
        "All is written.",
    ]
    approver = ScriptedApprover([Allow(), Deny("not b")])
    agent = Agent(ScriptedModel(turns), [look, write, "agent"], approver=approver, price=Price(3, 15), log=log)
    return agent.run_sync("Look, then write.")


def hostile_log() -> list[Event]:
    """Every text of a log that another may have written."""
    facts = []
    for number, text in enumerate(HOSTILE):
        call = f"{text}{number}"
        facts += [
            ("call", {"id": call, "name": text, "arguments": text}),
            ("arguments", {"id": call, "args": {text: text}, "repairs": [text], "by": text}),
            ("hook", {"id": call, "hook": text, "event": "before_call", "answer": text, "reason": text}),
            ("decision", {"id": call, "decision": text, "by": text, "reason": text}),
            ("question", {"id": call, "name": text, "reason": text, "view": None}),
            ("answer", {"id": call, "answer": text, "reason": text}),
            ("executing", {"id": call}),
            ("result", hostile_result(call, text)),
        ]
    bad = "".join(HOSTILE)
    usage = {"input_tokens": 1, "output_tokens": 1, "cached_tokens": 1, "stored_tokens": 1}
    calls = [{"id": bad, "name": bad, "arguments": bad, "complete": True}]
    said = {"text": bad, "thinking": bad, "stop": bad, "calls": calls, "usage": usage, "sealed": [], "cost": 0.1}
    listed = {"names": ["x"], "definitions": {"x": '{"description":"<b>","input_schema":{},"name":"<script>"}'}}
    return events(
        ("run_started", {"run": bad, "prompt": bad, "model": bad, "mode": bad}),
        ("system", {"text": bad}),
        ("tools", listed),
        ("turn_started", {"turn": 1}),
        ("message", {"turn": 1, **said}),
        *facts,
        ("turn_started", {"turn": 2}),
        ("message", {"turn": 2, **said}),
        ("run_ended", {"stop_reason": bad, "answer": bad, "error": bad}),
    )


def hostile_result(call: str, text: str):
    stages = {text: 0.1, "permit": 0.2, "execute": 0.1}
    facts = {"ok": False, "content": text, "view": {"kind": text}, "error_type": text, "images": [text]}
    return {"id": call, "name": text, **facts, "context": text, "metadata": {"stages": stages, text: text}}
