from cellwright import Registry, Tool
from cellwright.schema import Schema
from cellwright.selection import Selection
from cellwright_widgets.chat.tool_switches import ToolSwitches


def made(name, description="Does it.", **facts):
    return Tool(name, description, Schema({"type": "object"}, name), lambda args, env: None, **facts)


def switches(*tools):
    told = []
    made = ToolSwitches(lambda act: act(), lambda: told.append(made.title))
    made.show(tools)
    return made, told


def test_a_tool_that_is_switched_off_is_left_out_and_comes_back():
    tools, told = switches(made("a"), made("b"))
    tools.ticks["a"].value = False
    assert [tool.name for tool in Registry([made("a"), made("b")]).selected(tools.narrowed(Selection()))] == ["b"]
    tools.ticks["a"].value = True
    assert (tools.narrowed(Selection()), told) == (Selection(), ["Tools 1/2", "Tools 2/2"])


def test_what_the_agent_itself_leaves_out_stays_out():
    tools, _ = switches(made("a"))
    tools.ticks["a"].value = False
    assert tools.narrowed(Selection(deny={"b"})).deny == {"a", "b"}


def test_control_plane_tools_have_no_switch():
    tools, _ = switches(made("a", system=True), made("b"))
    assert list(tools.ticks) == ["b"]


def test_a_description_is_shown_as_text_and_in_part():
    tools, _ = switches(made("a", "<b>x</b>\u202e" + "y" * 1_000))
    label = tools.ticks["a"].description
    assert len(label) < 220
    assert "\u202e" not in label
