"""The environments of the peers: one for each, thrown away without loss, made once and kept in a cache folder.

They come through pip as the person has set it up. A peer that can't be installed is left out with the reason.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool system that is measured beside ours."""

    title: str
    script: str
    """The file in `peers/` that measures it."""
    requirements: tuple[str, ...]
    statement: str
    """What a program that uses it imports."""


PEERS = (
    Peer("smolagents", "smolagents", ("smolagents==1.26.0",), "from smolagents import ToolCallingAgent, tool"),
    Peer("pydantic-ai", "pydantic_ai", ("pydantic-ai-slim==2.68.0",), "from pydantic_ai import Agent"),
    Peer("agno", "agno", ("agno==3.1.10",), "from agno.agent import Agent"),
    Peer(
        "langgraph",
        "langgraph",
        ("langchain==1.5.2", "langgraph==1.2.24", "langchain-core==1.8.3"),
        "from langchain.agents import create_agent",
    ),
    Peer("openai-agents", "openai_agents", ("openai-agents==0.24.0",), "from agents import Agent, Runner"),
)


def folder() -> Path:
    """Where the environments are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cellwright" / "bench"


def python_of(peer: Peer) -> tuple[str, str]:
    """The interpreter that has the peer, or why there is none."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = folder() / f"{peer.script}-{version}"
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = place / "ready"
    wanted = "\n".join(peer.requirements)
    if ready.is_file() and ready.read_text(encoding="utf-8") == wanted:
        return str(python), ""
    print(f"installing {' '.join(peer.requirements)} into {place}", file=sys.stderr)
    shutil.rmtree(place, ignore_errors=True)
    for command in (
        [sys.executable, "-m", "venv", str(place)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.requirements],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return "", (done.stderr.strip().splitlines() or [f"{command[0]} gave no reason"])[-1]
    ready.write_text(wanted, encoding="utf-8")
    return str(python), ""
