"""Writes the contract of the built-in tools from the tools: `python tests/tools_contract.py > toolkit/TOOLS.md`."""

from pathlib import Path

from cellwright.catalogue import BUILT_IN, load
from cellwright.deferral import waits
from cellwright.env import Env
from cellwright.role import ROLES
from cellwright.tool import Tool

NO_RUN = Env(Path("/"))
COMMAND = "python tests/tools_contract.py > toolkit/TOOLS.md"
HEAD = f"""\
# The built-in tools

What a model and a host may rely on. Changing a tool means changing this file in the same commit; a test compares the
two. It is written by `{COMMAND}`.

*Schema* is the digest of the input schema in its canonical form. A trait that is not named does not hold; *by
arguments* means that the tool tells from the arguments of a call whether it does. *Roles* are those of the agents
that may have it.
"""


def contract() -> str:
    """The whole file."""
    return "\n".join([HEAD, *(section(load(name)) for name in sorted(BUILT_IN))])


def section(tool: Tool) -> str:
    """The contract of one tool."""
    parameters = [
        f"`{name}`" if name in tool.input_schema.required else f"`{name}?`" for name in tool.input_schema.properties
    ]
    return f"""\
## {tool.name}

{tool.described(NO_RUN)[0].description.strip().partition(chr(10) * 2)[0]}

- parameters: {", ".join(parameters) or "none"}
- paths: {", ".join(f"`{path}`" for path in tool.paths) or "none"}
- traits: {", ".join(traits(tool)) or "none"}
- roles: {", ".join(role for role in ROLES if tool.is_for(role))}
- list: {"always shown" if not waits(tool) else "found by tool_search, where there are many tools"}
- permission: {"rules, and the tool itself" if tool.check_permission else "rules"}
- schema: `{tool.input_schema.digest}`
"""


def traits(tool: Tool) -> list[str]:
    """The traits that a tool declares."""
    declared = {name: getattr(tool, name) for name in ("read_only", "concurrency_safe", "destructive", "system")}
    return [f"{name} (by arguments)" if callable(value) else name for name, value in declared.items() if value]


if __name__ == "__main__":
    print(contract(), end="")
