"""The model that is used where none is named: what this machine has to offer, and why.

A key in the environment says that its owner wants that provider; a server of models on this machine wants to be used as
well, and is asked what it has. Where there is neither, the tour's script plays. Whoever runs an agent is told which it
is, as one costs money, one time, and one only plays. The rule that must never break: looking takes no longer than a
second, and sends nothing of the person's anywhere.
"""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from cellwright.models.access import VARIABLES

STANDARD = (
    ("anthropic", "claude-sonnet-5-5", "anthropic"),
    ("openai", "gpt-5.5", "openai"),
    ("google", "gemini-3.8-flash", "pydantic_ai"),
)
"""Providers in the order in which their keys are looked for: a model of middle size each, and the package it takes."""
SERVERS = (
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("vLLM", "http://127.0.0.1:8000/v1"),
)
"""Where servers of models listen unless told otherwise."""
PATIENCE = 0.25
"""Seconds that a server on this machine has to say what it has."""
LARGEST = 1_000_000
"""Bytes of its list that are read."""
TOUR = "scripted:tour"


class Found(Struct, frozen=True):
    """A model that can be used, and why it is this one."""

    name: str
    why: str
    base_url: str | None = None


def found_model(environment: Mapping[str, str] = os.environ, servers: Iterable[tuple[str, str]] = SERVERS) -> Found:
    """The first provider whose key is there, else the first server on this machine, else the tour."""
    for provider, name, package in STANDARD:
        variable = VARIABLES[provider]
        if environment.get(variable, "").strip() and _is_installed(package):
            return Found(f"{provider}:{name}", f"{variable} is set")
    for server, base_url in servers if _is_installed("openai") else ():
        name = served_model(base_url)
        if name:
            return Found(f"openai:{name}", f"{server} is running at {base_url}", base_url)
    return Found(TOUR, "no key of a provider and no server of models was found, so prepared turns are played")


def served_model(base_url: str) -> str:
    """The first model in a server's list that can hold a conversation; empty if there is no such server."""
    address = urlsplit(base_url)
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(address.hostname or "", address.port, timeout=PATIENCE)
    try:
        connection.request("GET", f"{address.path.rstrip('/')}/models")
        answer = connection.getresponse()
        listed = json.loads(answer.read(LARGEST)) if answer.status == 200 else None
    except (OSError, ValueError, RecursionError, http.client.HTTPException):
        return ""
    finally:
        connection.close()
    match listed:
        case {"data": [*models]}:
            names = [model.get("id") for model in models if isinstance(model, dict)]
            return next((name for name in names if isinstance(name, str) and name and "embed" not in name), "")
    return ""


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
