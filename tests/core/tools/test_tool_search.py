"""Tools that are found by words or by name."""

import asyncio
import json

import pytest

from cellwright import Agent, Env, Policy, Registry, ScriptedModel
from cellwright.calls.conditions import Conditions
from cellwright.deferral import Threshold
from cellwright.errors import ToolError
from cellwright.surface import Surface
from cellwright.tools.tool_search import describe, tool_search

from ..scene import act, calling, kinds_of, returning

NAMES = ["mcp__git__log", "mcp__git__show", "mcp__slack__send_message", "plot_lines", "weather"]
NOW = Conditions(Policy())


def tools(names=NAMES):
    return [returning(1, name, origin="mcp" if name.startswith("mcp") else "user") for name in names]


@pytest.fixture
def env(tmp_path):
    return searchable(tmp_path, tools())


def searchable(folder, there):
    surface = Surface(Threshold(tools=2))
    env = Env(folder, deferred=surface.deferred)
    surface.renew(Registry(there), NOW, env)
    return env


def search(env, query, max_results=5):
    return tool_search.execute({"query": query, "max_results": max_results}, env)


def found(output):
    return [each["name"] for each in output.value["tools"]]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("send a message", ["mcp__slack__send_message"]),
        ("git", ["mcp__git__log", "mcp__git__show"]),
        ("select:weather", ["weather"]),
        (" select: plot_lines , mcp__git__log,plot_lines", ["plot_lines", "mcp__git__log"]),
    ],
)
def test_tools_are_found_by_words_or_by_their_names(env, query, names):
    output = search(env, query)
    assert found(output) == names
    assert output.context_change(NOW).found == tuple(names)
    assert output.content.startswith(f"{names[0]}: A tool.\n")
    assert output.content.endswith("In your list from your next turn on, where you see what they take.")


def test_no_more_are_found_by_words_than_were_asked_for(env):
    assert found(search(env, "git", 1)) == ["mcp__git__log"]
    assert len(found(search(env, f"select:{','.join(NAMES)}", 1))) == 5


def test_what_was_found_before_is_found_again_and_stays_where_it_is(env):
    now = NOW.with_found(["weather"])
    assert search(env, "select:plot_lines,weather").context_change(now).found == ("weather", "plot_lines")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("zzz", "no tool has a word of 'zzz'; there are: plot_lines, weather, mcp__git__log, mcp__git__show, mcp__sl"),
        ("", "no tool has a word of ''; there are: plot_lines"),
        ("select:plot_line", "no tool 'plot_line' waits to be found; did you mean plot_lines? Nothing was added"),
        (
            "select:weather,qqq",
            "no tool 'qqq' waits to be found; search by words, or call it if it is in your list "
            "already. Nothing was added",
        ),
        ("select:", "no tool has a word of 'select:'; there are: plot_lines"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(env, query, words):
    with pytest.raises(ToolError, match="no tool") as caught:
        search(env, query)
    assert caught.value.code == "not_found"
    assert caught.value.message.startswith(words)


def test_where_all_are_shown_there_is_nothing_to_find(tmp_path):
    with pytest.raises(ToolError, match="nothing to find: every tool of this run is in your list already"):
        search(Env(tmp_path), "weather")


def test_the_description_names_what_there_is_and_counts_what_is_too_much(tmp_path):
    assert describe(Env(tmp_path)).endswith("Errors: not_found names what there is.")
    env = searchable(tmp_path, tools([*NAMES, *(f"mcp__big__t{n:03}" for n in range(100))]))
    text = describe(env)
    assert "plot_lines, weather, mcp__big__t000" in text
    assert text.endswith("mcp__big__t057, 42 more of mcp__big, 2 more of mcp__git, 1 more of mcp__slack.")


def test_a_long_description_is_told_in_its_first_words(tmp_path):
    made = [returning(1, name, origin="mcp") for name in "abc"]
    long = [type(made[0])(t.name, "Word. " * 100, t.input_schema, t.execute, origin="mcp") for t in made]
    (line, _) = search(searchable(tmp_path, long), "select:a").content.splitlines()
    assert (len(line), line[:11], line[-3:]) == (203, "a: Word. Wo", "...")


class Watching(ScriptedModel):
    """A scripted model that keeps the lists it was shown."""

    def stream(self, request):
        self.shown = [*getattr(self, "shown", []), request.definitions_json]
        return super().stream(request)

    @property
    def names(self):
        return [[tool["name"] for tool in json.loads(text)] for text in self.shown]


def finding(*queries):
    return calling(*(("tool_search", {"query": query}) for query in queries))


def watched(*turns):
    """A model with these turns, and an agent for which all but the search waits to be found."""
    model = Watching(turns)
    return model, Agent(model, tools(), threshold=Threshold(tools=2))


def test_what_was_found_is_at_the_end_of_the_list_from_the_next_turn_on_and_no_byte_before_it_moves():
    model, agent = watched(finding("select:weather"), calling("weather"), finding("git"), "done")
    run = asyncio.run(act(agent))
    assert [result.ok for result in run.results] == [True] * 3
    both = ["tool_search", "weather"]
    assert model.names == [["tool_search"], both, both, [*both, "mcp__git__log", "mcp__git__show"]]
    for before, after in zip(model.shown, model.shown[1:], strict=False):
        assert after.startswith(before.removesuffix(b"]"))
    assert [event.data["added"] for event in kinds_of(run, "tools_changed")] == [
        ["weather"],
        ["mcp__git__log", "mcp__git__show"],
    ]


def test_searches_that_overlap_add_what_they_find_in_the_order_of_their_calls():
    model, agent = watched(finding("select:weather", "select:plot_lines", "select:weather", "git"), "done")
    asyncio.run(act(agent))
    assert model.names[1] == ["tool_search", "weather", "plot_lines", "mcp__git__log", "mcp__git__show"]


def test_a_run_that_goes_on_from_another_begins_with_what_that_one_found():
    model, agent = watched(finding("select:weather"), "done", calling("weather"), "done")

    async def twice():
        return await agent.run("more", after=await agent.run("go"))

    run = asyncio.run(twice())
    assert (run.found, run.results[0].ok) == (("weather",), True)
    assert model.shown[1:] == [model.shown[1]] * 3


def test_a_search_that_finds_nothing_changes_nothing():
    model, agent = watched(finding("zzz"), finding("select:weather,zzz"), "done")
    run = asyncio.run(act(agent))
    assert [result.metadata["code"] for result in run.results] == ["not_found", "not_found"]
    assert (len(set(model.shown)), run.found) == (1, ())
