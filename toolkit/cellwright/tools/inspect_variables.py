"""`inspect_variables`: what the variables of a kernel are, without printing any of them.

A model that wants to know what it has would print it, and so pay for a million rows, or wait for a value that computes
itself when it is shown. Here it gets names, types, shapes and a few words of each value. The rule that must never
break: it reads only; no code of the values' own classes runs, and it changes nothing in the kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels import variable_listing
from cellwright.kernels.child_kernel import Execution
from cellwright.messages import JsonObject
from cellwright.notebook.outputs import outputs_text
from cellwright.tool import Output, tool
from cellwright.tools.kernel_choice import free_kernel
from cellwright.views.table import table_view

TIMEOUT = 10.0
"""Seconds that the kernel may take to list them."""
MIME = "application/vnd.cellwright.variables+json"
INSTEAD = {"r": "ls.str()", "julia": "varinfo()"}
"""What lists the variables in kernels of other languages."""


@tool(read_only=True, origin="built-in")
async def inspect_variables(
    kernel: str | None = None,
    names: Annotated[list[str], Field(min_length=1)] | None = None,
    *,
    env: Env,
) -> Output:
    """List the variables of a Python kernel: name, type, shape, dtype, size and a small preview of each.

    Nothing is printed or computed, so this is safe where showing a value takes long, is large, or has effects.
    Errors: not_started if no code has run in that kernel, kernel_died, kernel_busy, other_language.

    Args:
        kernel: As for run_code: the path of a notebook, or the name of an installed kernel.
        names: Only these, with longer previews; all if left out, 100 at most.
    """
    choice, session = free_kernel(kernel, env)
    if session.kernel.language != "python":
        how = INSTEAD.get(session.kernel.language)
        advice = f"run {how} in it with run_code" if how else "ask it with run_code, in its own language"
        raise ToolError("other_language", f"the kernel {choice.title} is not for Python ({choice.language}); {advice}")
    execution = await session.ask(_question(names), TIMEOUT)
    found = _found(execution)
    variables = found["variables"]
    more = found["total"] - len(variables)
    lines = [_line(variable) for variable in variables]
    lines += [f"{more} more; ask for them by name"] if more > 0 else []
    lines += [f"not in the kernel {choice.title}: {', '.join(found['missing'])}"] if found["missing"] else []
    lines = lines or [f"(no variables in the kernel {choice.title}, which is the run's and not the person's own)"]
    rows = [[v["name"], v["type"], _shape(v), v["dtype"] or "", _size(v), v["preview"]] for v in variables]
    view = table_view(["name", "type", "shape", "dtype", "size", "preview"], rows)
    return Output({"kernel": choice.name, **found}, "\n".join(lines), view)


def _question(names: list[str] | None) -> str:
    """The code that lists them and forgets itself; it takes nothing by a name that the person may have given away."""
    listing = Path(variable_listing.__file__).read_text(encoding="utf-8")
    return f"""
def _cellwright_variables():
    import builtins, types
    from IPython import get_ipython
    module = types.ModuleType("cellwright_variables")
    builtins.exec(builtins.compile({listing!r}, "<cellwright variables>", "exec"), module.__dict__)
    shell = get_ipython()
    found = module.listing(shell.user_ns, builtins.set(shell.user_ns_hidden), {names!r})
    shell.display_pub.publish({{{MIME!r}: found}})
try:
    _cellwright_variables()
finally:
    del _cellwright_variables
"""


def _found(execution: Execution) -> JsonObject:
    """What the kernel told.

    Raises:
        ToolError: `kernel_died`, or `not_told` if something in the kernel kept it from that.
    """
    for output in execution.outputs:
        told = output.get("data", {}).get(MIME)
        if isinstance(told, dict):
            return told
    if execution.status == "died":
        raise ToolError("kernel_died", execution.message)
    said = "\n".join(filter(None, (outputs_text(execution.outputs, 2_000), execution.message)))
    raise ToolError("not_told", f"the kernel could not list its variables{f': {said}' if said else ''}")


def _line(variable: JsonObject) -> str:
    facts = [variable["type"], _shape(variable), variable["dtype"] or "", _size(variable)]
    name = variable["name"]
    shown = name if name.isprintable() else repr(name)  # a line end in it would begin a line of its own
    return f"{shown}: {' '.join(filter(None, facts))} = {variable['preview']}"


def _shape(variable: JsonObject) -> str:
    shape = variable["shape"]
    return "" if shape is None else f"({', '.join('?' if size is None else str(size) for size in shape)})"


def _size(variable: JsonObject) -> str:
    if variable["bytes"] is not None:
        return f"{variable['bytes']:,} bytes"
    return "" if variable["length"] is None else f"len {variable['length']:,}"
