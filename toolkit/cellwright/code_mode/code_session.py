"""The kernel that a run's code runs in, from the first piece of code to the end of the run.

Variables stay from one piece of code to the next, as in a notebook, so a model can look at what it has before it
goes on. The time limit counts the code's own time: while a tool works, or a person thinks about an approval, it
stands still. The rule that must never break: after the run nothing is left, no process, no connection and no call
without its result.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from cellwright.calls.passage import Setup
from cellwright.code_mode import code_client
from cellwright.code_mode.code_bridge import CodeBridge
from cellwright.code_mode.code_calls import CodeCalls, callable_tools
from cellwright.code_mode.code_sdk import full_text, parameters
from cellwright.errors import ToolError
from cellwright.kernels.child_kernel import ChildKernel, Execution
from cellwright.kernels.execution_report import ExecutionReport
from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.tool import Output, Tool

ENDED = "the run_code call of this code has ended, so its calls are not made any more; await them before its end"


class CodeSession:
    """Runs code that calls the tools of a setup. `taken` holds the ids of all calls of the run."""

    def __init__(self, setup: Setup, taken: set[str]) -> None:
        self._setup = setup
        self._taken = taken
        self._tools = callable_tools(setup)
        self._belongings = contextlib.AsyncExitStack()
        self._bridge: CodeBridge | None = None
        self._kernel: ChildKernel | None = None
        self._calls: CodeCalls | None = None
        self._was_stopped = False

    async def run(self, code: str, timeout: float, call_id: str) -> Output:
        """Runs a piece of code for so many seconds of its own; `call_id` is the call that asked for it.

        Raises:
            ToolError: `code_failed`, `code_timeout`, `kernel_died` with what it has put out, or `kernel_failed`.
        """
        calls = self._calls = CodeCalls(self._setup, call_id, self._taken)
        try:
            kernel = await self._started()
            execution = await kernel.run(code, timeout, calls.waited)
        except asyncio.CancelledError:
            self._was_stopped = True
            raise
        finally:
            await calls.end(ENDED)
        return _output(execution, calls)

    async def close(self) -> None:
        """Ends the kernel, at once if its code was stopped, and all connections. Safe to call twice."""
        if not self._was_stopped:
            await self._belongings.aclose()
            return
        stopped = asyncio.CancelledError()
        with contextlib.suppress(asyncio.CancelledError):
            await self._belongings.__aexit__(asyncio.CancelledError, stopped, None)

    async def _started(self) -> ChildKernel:
        if self._bridge is None:
            self._bridge = await self._belongings.enter_async_context(CodeBridge.open(self._answer))
        if self._kernel is None:
            prelude = _prelude(self._bridge, self._tools)
            starting = ChildKernel.start(cwd=self._setup.env.cwd, prelude=prelude)
            self._kernel = await self._belongings.enter_async_context(starting)
        return self._kernel

    async def _answer(self, name: str, arguments: str) -> JsonObject:
        if self._calls is None:
            raise LookupError("no code was run yet")
        return await self._calls.answer(name, arguments)


def _prelude(bridge: CodeBridge, tools: tuple[Tool, ...]) -> str:
    """What puts `tools` and `ToolCallError` into a kernel, and leaves no other name there."""
    client = Path(code_client.__file__).read_text(encoding="utf-8")
    told = {tool.name: (list(parameters(tool.input_schema)), full_text(tool)) for tool in tools}
    return f"""
def _cellwright_tools():
    import sys, types
    client = sys.modules["cellwright_code"] = types.ModuleType("cellwright_code")
    exec(compile({client!r}, "<cellwright tools>", "exec"), client.__dict__)
    return client.Tools({bridge.port!r}, {bridge.token!r}, {told!r}), client.ToolCallError

tools, ToolCallError = _cellwright_tools()
del _cellwright_tools
"""


def _output(execution: Execution, calls: CodeCalls) -> Output:
    report = ExecutionReport(execution, quantity(calls.made, "call") if calls.made else "")
    failure = None if calls.stops_run else report.failure
    if failure:
        raise ToolError(failure.code, "\n".join([failure.message, *calls.context]), failure.view)
    return report.result({"calls": calls.made}, "\n".join(calls.context), calls.stops_run)
