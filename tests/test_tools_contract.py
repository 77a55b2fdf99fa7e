"""The built-in tools are what their written contract says, both ways."""

import difflib
import re

import pytest

from cellwright.catalogue import BUILT_IN, PRESETS, load

from .architecture.source import ROOT
from .tools_contract import COMMAND, NO_RUN, contract


def written() -> str:
    return (ROOT / "toolkit" / "TOOLS.md").read_text(encoding="utf-8")


def test_the_written_contract_is_that_of_the_code():
    changed = list(
        difflib.unified_diff(written().splitlines(), contract().splitlines(), "written", "code", n=1, lineterm="")
    )
    assert not changed, "\n".join(["a tool is not what its contract says; if it is meant, run:", COMMAND, *changed])


def test_every_built_in_tool_has_a_section_and_every_section_a_tool():
    assert re.findall(r"^## (\w+)$", written(), re.M) == sorted(BUILT_IN)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_tool_is_marked_as_one_and_described(name):
    tool = load(name)
    assert (tool.name, tool.origin, bool(tool.described(NO_RUN)[0].description.strip())) == (name, "built-in", True)
    assert {p for p, schema in tool.input_schema.properties.items() if not schema.get("description")} == set()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_names_built_in_tools_only(preset):
    assert set(PRESETS[preset]) - set(BUILT_IN) == set()


def test_every_tool_of_the_read_only_preset_only_reads():
    assert [name for name in PRESETS["read_only"] if load(name).read_only is not True] == []
