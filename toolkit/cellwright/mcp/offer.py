"""What a server offers, made into tools of ours.

A tool's name becomes `mcp__SERVER__TOOL`, cleaned of what no name may hold; its description is shown as it is, with
hidden characters named and a bound; its schema is taken as it is. A tool that can't be taken is left out with the
reason, and only that tool. The rule that must never break: annotations are hints of a stranger. One that warns
(`destructiveHint`) is heeded; one that soothes (`readOnlyHint`) counts only where the person trusts the server.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cellwright.codec import canonical
from cellwright.env import Env
from cellwright.errors import SchemaError
from cellwright.messages import JsonObject
from cellwright.schema import Schema
from cellwright.text.visible_text import mark_hidden
from cellwright.tool import Tool

if TYPE_CHECKING:
    from mcp_types import Tool as Offered

MAX_DESCRIPTION = 4_000
MAX_SCHEMA = 50_000
"""Characters of a schema; a model reads it in each turn."""
MAX_TOOLS = 1_000
MAX_NAME = 64
Behaviour = Callable[[str], Callable[[JsonObject, Env], Any]]
"""Gives what a tool does, from the server's own name for it."""


class Offer(Struct, frozen=True):
    """The tools of a server, and what of it was left out, with the reasons."""

    tools: tuple[Tool, ...] = ()
    left_out: tuple[str, ...] = ()


def offer_of(
    server: str, offered: Iterable[Offered], behaviour: Behaviour, *, trusted: bool, timeout: float | None
) -> Offer:
    """The tools that a server offers. Names that need no cleaning are given first."""
    namespace = f"mcp__{server}__"
    offered, tools = list(offered), dict[str, Tool]()
    much = f"the MCP server {server} has more than {MAX_TOOLS:,} tools; those after are left out"
    left_out = [much] if len(offered) > MAX_TOOLS else []
    for item in sorted(offered[:MAX_TOOLS], key=lambda item: clean_name(namespace, item.name) != namespace + item.name):
        name = clean_name(namespace, item.name)
        shown = f"the tool {item.name[:80]!r} of the MCP server {server} is left out"
        if name in tools:
            left_out.append(f"{shown}: another of its tools is called {name} already")
            continue
        try:
            tools[name] = _tool(name, item, behaviour, server=server, trusted=trusted, timeout=timeout)
        except SchemaError as error:
            left_out.append(f"{shown}: {error}")
    return Offer(tuple(tools[name] for name in sorted(tools)), tuple(left_out))


def is_same(before: Tool | None, after: Tool) -> bool:
    """Whether nothing about a tool changed, so that a run can go on with the one it has."""
    if before is None or before.execute is not after.execute:
        return False
    schemas = [tool.output_schema.text if tool.output_schema else "" for tool in (before, after)]
    facts = [(tool.definition, tool.read_only, tool.destructive) for tool in (before, after)]
    return schemas[0] == schemas[1] and facts[0] == facts[1]


def clean_name(namespace: str, name: str) -> str:
    """The name that a model calls; one that was too long ends in what tells it from others that begin so."""
    cleaned = namespace + re.sub(r"[^A-Za-z0-9_-]", "_", name)
    if len(cleaned) <= MAX_NAME:
        return cleaned
    return f"{cleaned[: MAX_NAME - 9]}_{hashlib.sha256(name.encode(errors='replace')).hexdigest()[:8]}"


def _tool(name: str, item: Offered, behaviour: Behaviour, *, server: str, trusted: bool, timeout: float | None) -> Tool:
    schema = _schema(item.input_schema, "the input schema").for_arguments("the input schema")
    wanted = item.output_schema or {}  # one that is not for an object, which some servers give, is not held against it
    output = _schema(wanted, "the output schema") if wanted.get("type") == "object" else None
    hints = item.annotations
    only_reads = trusted and hints is not None and hints.read_only_hint is True
    warned = hints is not None and hints.destructive_hint is True and hints.read_only_hint is not True
    return Tool(
        name,
        _description(item.description or item.title or f"A tool of the MCP server {server}."),
        schema,
        behaviour(item.name),
        output_schema=output,
        read_only=only_reads,
        concurrency_safe=only_reads,
        destructive=warned,
        timeout=timeout,
        origin="mcp",
    )


def _schema(given: JsonObject, which: str) -> Schema:
    size = len(canonical(given))
    if size > MAX_SCHEMA:
        raise SchemaError(f"{which} has {size:,} characters; {MAX_SCHEMA:,} are taken at most")
    return Schema(given, which)


def _description(text: str) -> str:
    if len(text) > MAX_DESCRIPTION:
        text = f"{text[:MAX_DESCRIPTION]} [... {len(text) - MAX_DESCRIPTION:,} more characters were left out]"
    return mark_hidden(text)
