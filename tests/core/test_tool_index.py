"""How near tools come to a question."""

import math

import pytest

from cellwright.definition import Definition
from cellwright.tool_index import nearest


def about(name, description="", *parameters):
    return Definition(name, description, {"type": "object", "properties": {key: {} for key in parameters}})


TOOLS = [
    about("mcp__github__create_issue", "Open a new issue in a repository.", "repo", "title", "body"),
    about("mcp__github__list_issues", "List the issues of a repository.", "repo", "state"),
    about("mcp__slack__send_message", "Send a message to a channel.", "channel", "text"),
    about("readSpreadsheet", "Read the cells of a table.", "path", "sheetName"),
    about("weather", "Tells the weather of a place. Never about an issue.", "city"),
]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("create an issue", ["mcp__github__create_issue", "mcp__github__list_issues", "weather"]),
        ("spreadsheet", ["readSpreadsheet"]),
        ("read_spreadsheet", ["readSpreadsheet"]),
        ("SPREAD", ["readSpreadsheet"]),
        ("city", ["weather"]),
        ("slack", ["mcp__slack__send_message"]),
        ("sheet", ["readSpreadsheet"]),
        ("zzz", []),
        ("", []),
        ("!!! ...", []),
    ],
)
def test_names_parameters_and_descriptions_are_searched(question, names):
    assert [found.name for found in nearest(question, TOOLS)] == names


def test_a_name_counts_more_than_a_parameter_and_that_more_than_a_description():
    tools = [about("a", "Makes a plot."), about("b", "", "plot"), about("plot"), about("plots")]
    assert [found.name for found in nearest("plot", tools)] == ["plot", "plots", "b", "a"]


def test_a_rare_word_counts_more_than_one_that_every_tool_has():
    tools = [*(about(f"get_{n}") for n in "abcdefgh"), about("zebra_x", "Stripes.")]
    assert nearest("get zebra", tools)[0].name == "zebra_x"
    assert math.log(1 + 9 / 1) > math.log(1 + 9 / 8)


def test_equally_near_tools_stay_in_their_order():
    tools = [about(f"plot_{n}") for n in "cab"]
    assert nearest("plot", tools) == tools


HOSTILE = ["", "\0", "a" * 100_000, "\ud83d", "((((", "a " * 50_000, "\u202eabc", "select:", "__" * 1000]


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_no_question_and_no_description_breaks_the_search(question):
    assert len(nearest(question, [*TOOLS, about("t", question, question)])) <= len(TOOLS) + 1


def test_a_definition_without_sound_properties_is_searched_by_its_name():
    tools = [Definition("plot", "", {"type": "object", "properties": 3}), Definition("plots", "", {})]
    assert [found.name for found in nearest("plot", tools)] == ["plot", "plots"]


def test_words_of_other_scripts_are_found():
    tools = [about("a", "Погода в городе"), about("b", "天気")]
    assert [[found.name for found in nearest(word, tools)] for word in ("погода", "天気")] == [["a"], ["b"]]
