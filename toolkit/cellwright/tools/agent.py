"""`agent`: give a piece of the work to a sub-agent, which has a conversation of its own.

What a search or a long reading leaves behind fills the sub-agent's context; here only its answer arrives. It works
under the same rules and in the same mode, each of its calls is judged like any other, and the person who is asked
about one is told who asks. So to start one needs no question.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.runs.crew import Assignment, Report
from cellwright.text.quantity import quantity
from cellwright.tool import Opinion, Output, tool
from cellwright.views.table import TABLE_ROWS, Table
from cellwright.views.view import Group, Text, View


def _judged_below(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "allow", "each of its own calls is judged"


@tool(
    check_permission=_judged_below,
    read_only=True,
    concurrency_safe=True,
    max_result_chars=20_000,
    roles=("main", "coordinator"),
    lasting="what its sub-agent changed is undone there: each run of run.children has its own undo",
    origin="built-in",
)
async def agent(
    task: Annotated[str, Field(min_length=1, max_length=100)],
    prompt: Annotated[str, Field(min_length=1)],
    env: Env,
    background: bool = False,
) -> Output:
    """Give a piece of the work to a sub-agent and get its answer.

    The sub-agent knows nothing of this conversation and sees only the prompt. It has the same tools, except that it
    can't start agents, and works under the same rules. Several calls in one turn work side by side. Errors:
    agent_failed means that it ended without an answer, and says why and what it did until then.

    Args:
        task: What it is about, in a few words, for the person who watches.
        prompt: All that the sub-agent needs to know, and what its answer should say.
        background: Go on at once; the answer comes by wait. Such an agent can ask the person nothing.
    """
    progress = None if background else env.progress
    name = env.crew.start(Assignment(task, prompt, background, env.call_id, progress))
    if background:
        note = f"{name} works on it in the background; wait gives its answer, and it is stopped when this run ends"
        return Output({"agent": name, "state": "running"}, note, Text(f"{name}: {task}"))
    try:
        (report,) = await env.crew.reports([name], None)
    except asyncio.CancelledError:
        await env.crew.stop([name])
        raise
    if report.state != "answered":
        raise ToolError("agent_failed", report_text(report), Group(f"{report.name}: {report.task}", _calls(report)))
    return Output(report.as_json(), report_text(report), report_view(report))


def report_text(report: Report) -> str:
    """A report as a model reads it: the answer, or how far it came."""
    if report.state == "answered":
        return report.answer
    done = ", ".join(f"{tool} ({outcome})" for tool, outcome in report.calls) or "nothing"
    if report.state == "running":
        return f"{report.name} ({report.task}) is still at work after {_steps(report)}; it did: {done}"
    why = f"{report.state}: {report.error}" if report.error else report.state
    return f"{report.name} ({report.task}) ended without an answer ({why}) after {_steps(report)}; it did: {done}"


def report_view(report: Report) -> View:
    """A report as a person sees it: the answer, and each call below it."""
    return Group(f"{report.name}: {report.task}", (Text(report_text(report)), *_calls(report)))


def _calls(report: Report) -> tuple[View, ...]:
    calls = Table(("tool", "outcome"), report.calls[:TABLE_ROWS], len(report.calls))
    return (calls,) if report.calls else ()


def _steps(report: Report) -> str:
    return quantity(report.steps, "step")
