"""Code mode: the model gets one tool, `run_code`, and calls all others from the Python that it writes.

Ten calls with a turn after each cost ten times the conversation; one piece of code makes them in a loop, filters what
comes back, and shows the model the little that matters. `Agent(model, CodeMode("all"))` is all there is to it. The
code runs in a child kernel, where `await tools.read_file(path="a.txt")` is a call like any other: the same stages,
rules, hooks and questions, its own place in the log. The rule that must never break: code is no way around a denial;
and a tool that code may call can't be called directly, so that there is one way to do it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from msgspec.structs import replace

from cellwright.calls.passage import Setup
from cellwright.catalogue import Tools, registry_of
from cellwright.code_mode.code_calls import RUN_CODE, callable_tools
from cellwright.code_mode.code_sdk import place, sdk_text
from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.registry import Registry
from cellwright.schema import Schema
from cellwright.surface import Surface
from cellwright.tool import Output, Tool
from cellwright.views.view import Code, View

TIMEOUT = 120.0
"""Seconds of its own that code has, unless the call says otherwise."""
MAX_TIMEOUT = 600.0
WHOLE = 86_400.0
"""Seconds that a call of `run_code` may take in all, with the tools and the person that its code waits for."""
DESCRIPTION = """\
Run Python code in a kernel of its own that calls the tools below, and see what it prints.

Use it for everything these tools do, several calls in one piece of code where you can. Top-level await works:
`found = await tools.read_file(path="a.txt")` gives the tool's value (JSON), and asyncio.gather lets calls overlap.
A call that fails or is denied raises ToolCallError with .error_type, .code and a message. You see only what the code
prints and the value of its last line, so print little: look at the shape of a value first, then filter and count.
Variables stay for the next piece of code. print(tools.NAME.__doc__) tells all about a tool.
Errors: code_failed shows the traceback; code_timeout; kernel_died, after which all variables are lost.

"""
PARAMETERS: JsonObject = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "The Python code.", "minLength": 1},
        "timeout": {
            "type": "number",
            "description": "Seconds that the code may take, without the time that it waits for tools.",
            "default": TIMEOUT,
            "exclusiveMinimum": 0,
            "maximum": MAX_TIMEOUT,
        },
    },
    "required": ["code"],
    "additionalProperties": False,
}


class CodeMode:
    """Tools that a model calls from code. `tools` is what an agent takes: a registry, tools, names, presets.

    Tools that are marked as `system` stay where they are: the model calls them directly.
    """

    def __init__(self, tools: Tools = "all") -> None:
        self.registry = registry_of(tools)

    def setup(self, setup: Setup, taken: set[str]) -> Setup:
        """The setup of a run in code mode, made of that of a run with these tools and the ids of its calls so far."""
        from cellwright.code_mode.code_session import CodeSession  # kernels take a third of a second to import

        session, selection = CodeSession(setup, taken), setup.selection
        direct = [tool for tool in setup.registry if tool.system]
        others = [tool for tool in setup.registry if not tool.system and tool.name != RUN_CODE]
        refused = {tool.name: selection.refusal(tool) or _how(tool) for tool in others}
        registry = Registry([*direct, run_code_tool(session.run, callable_tools(setup))], refused)
        surface = Surface(setup.surface.threshold)
        return replace(setup, registry=registry, surface=surface, closing=(*setup.closing, session.close))


RunCode = Callable[[str, float, str], Awaitable[Output]]
"""Runs code, for so many seconds of its own, on behalf of the call of this id."""


def run_code_tool(run: RunCode, tools: Iterable[Tool]) -> Tool:
    """The tool `run_code` of one run, its description with the signatures of the tools that its code can call."""

    async def execute(args: JsonObject, env: Env) -> Output:
        return await run(args["code"], args.get("timeout", TIMEOUT), env.call_id)

    return Tool(
        RUN_CODE,
        DESCRIPTION + sdk_text(tools),
        Schema(PARAMETERS, RUN_CODE),
        execute,
        timeout=WHOLE,
        system=True,
        present_call=_present,
        lasting="it ran code, which may have changed variables, files and anything else",
        origin="built-in",
    )


def _present(args: JsonObject, env: Env) -> View:
    return Code(args["code"], "python")


def _how(tool: Tool) -> str:
    return (
        f"{tool.name} is called from code: run_code with `await {place(tool.name)}(...)`, whose arguments are those "
        "of this call. Nothing was run"
    )
