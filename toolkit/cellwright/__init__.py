"""Cellwright: an agent toolkit that lives inside a Jupyter kernel."""

from cellwright.agent import Agent
from cellwright.env import Env
from cellwright.errors import CellwrightError, ToolError, UsageError
from cellwright.models.naming import model
from cellwright.models.scripted_model import ScriptedModel, Turn
from cellwright.permission.grant import Grant
from cellwright.permission.policy import Policy
from cellwright.person.approval import Allow, Deny, Edit, ScriptedApprover
from cellwright.registry import Registry
from cellwright.runs.run import Run
from cellwright.sessions.session import Session
from cellwright.tool import Output, Tool, tool

__all__ = [
    "Agent",
    "Allow",
    "CellwrightError",
    "Deny",
    "Edit",
    "Env",
    "Grant",
    "Output",
    "Policy",
    "Registry",
    "Run",
    "ScriptedApprover",
    "ScriptedModel",
    "Session",
    "Tool",
    "ToolError",
    "Turn",
    "UsageError",
    "model",
    "tool",
]
