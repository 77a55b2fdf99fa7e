"""What is installed: the tools that a run can choose from, by name, none of them imported yet.

Built-in tools are listed here, those of other packages come from the entry-point group `cellwright.tools`. An entry
is only a name and the place of its `Tool`; the module behind it is imported when a run takes the tool into its
registry. The rule that must never break: two entries of one name are an error that names both origins.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping

from cellwright.errors import RegistryError
from cellwright.messages import told
from cellwright.registry import Registry
from cellwright.tool import Tool

GROUP = "cellwright.tools"
NEAR = 0.7
"""How much a name has to look like another, from 0 to 1, to be told as the one that was meant."""

BUILT_IN: Mapping[str, str] = {
    name: f"cellwright.tools.{name}:{name}"
    for name in (
        "agent",
        "ask_user",
        "code_index",
        "delete_range",
        "delete_symbol",
        "edit_file",
        "exit_plan",
        "find_files",
        "inspect_variables",
        "interrupt_kernel",
        "job_output",
        "kill_job",
        "list_dir",
        "move_file",
        "multi_edit",
        "notebook_edit",
        "notebook_outline",
        "notebook_patch",
        "notebook_read",
        "notebook_run",
        "notebook_search",
        "read_file",
        "read_result",
        "restart_kernel",
        "run_code",
        "run_command",
        "run_here",
        "search_code",
        "todo",
        "tool_search",
        "wait",
        "web_fetch",
        "write_file",
    )
}
"""Name of each built-in tool, and where its `Tool` is."""

PRESETS: Mapping[str, tuple[str, ...]] = {
    "all": tuple(BUILT_IN),
    "minimal": (
        "edit_file",
        "exit_plan",
        "job_output",
        "kill_job",
        "notebook_run",
        "read_file",
        "read_result",
        "run_code",
        "run_command",
    ),
    "notebook": (
        *("ask_user", "exit_plan", "find_files", "notebook_edit", "notebook_outline", "notebook_patch"),
        *("notebook_read", "notebook_run", "notebook_search", "read_result", "run_code", "todo"),
        *("inspect_variables", "interrupt_kernel", "restart_kernel", "wait"),
    ),
    "read_only": (
        *(
            "ask_user",
            "code_index",
            "exit_plan",
            "find_files",
            "list_dir",
            "notebook_outline",
            "notebook_read",
            "notebook_search",
            "read_file",
            "read_result",
        ),
        "search_code",
        "todo",
    ),
}
"""Sets of built-in tools, by name."""


def installed() -> dict[str, str]:
    """Name and place of every tool that is installed.

    Raises:
        RegistryError: if two packages offer a tool of one name.
    """
    places = dict(BUILT_IN)
    import importlib.metadata  # with it comes all that reads mail

    for entry in importlib.metadata.entry_points(group=GROUP):
        if entry.name in places:
            raise RegistryError(
                f"two tools are called {entry.name!r}: {places[entry.name]} and {entry.value}; uninstall one of them"
            )
        places[entry.name] = entry.value
    return places


def load(name: str) -> Tool:
    """The installed tool of this name; imports its module.

    Raises:
        RegistryError: if there is none, or its place does not hold a `Tool` of that name.
    """
    return _loaded(name, installed())


def built_in(name: str) -> Tool:
    """The built-in tool of this name, without a look at what other packages offer.

    Raises:
        RegistryError: if there is none.
    """
    return _loaded(name, BUILT_IN)


Tools = Registry | Tool | str | Iterable[Tool | str]
"""As what tools are given: a registry, or tools and the names of installed tools and presets, one or several."""


def registry_of(tools: Tools) -> Registry:
    """A registry from tools, names of installed tools, and presets; a tool named twice is taken once. One that is given
    stays the same.

    Raises:
        RegistryError: for an unknown name, two different tools of one name, or what is none of these.
    """
    if isinstance(tools, Registry):
        return tools
    registry = Registry()
    places: dict[str, str] = {}
    if not isinstance(tools, Tool | Iterable):
        raise RegistryError(f"{tools!r} is no tools; give a registry, or a list of tools and of names")
    for item in [tools] if isinstance(tools, str | Tool) else tools:
        if isinstance(item, str):
            places = places or installed()  # reads a file of every package there is
        for tool in [_loaded(name, places) for name in PRESETS.get(item, (item,))] if isinstance(item, str) else [item]:
            if not isinstance(tool, Tool) or registry.get(tool.name) is not tool:
                registry.add(tool)
    return registry


def _loaded(name: str, places: Mapping[str, str]) -> Tool:
    if name not in places:
        known = sorted({*places, *PRESETS})
        near = difflib.get_close_matches(name, known, 1, NEAR)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise RegistryError(f"no tool or preset {name!r} is installed{hint}; there are: {', '.join(known)}")
    module, _, attribute = places[name].partition(":")
    try:
        tool = getattr(importlib.import_module(module), attribute, None)
    except Exception as error:
        raise RegistryError(
            f"the tool {name!r} can't be imported from {places[name]} ({told(error)}); install what it needs, or leave "
            "it out"
        ) from None
    if not isinstance(tool, Tool) or tool.name != name:
        raise RegistryError(f"{places[name]} was to be the tool {name!r}, but is {tool!r}; report it to its package")
    return tool
