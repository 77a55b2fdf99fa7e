from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import inspect
import typing
from pathlib import Path
from typing import Annotated, Literal

import pydantic
import pytest
from typing_extensions import TypedDict

from cellwright import Env
from cellwright.errors import SchemaError
from cellwright.signature import Signature

ENV = Env(Path("/"))


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


class Options(TypedDict):
    a: int


class Node(pydantic.BaseModel):
    label: str
    parts: list[Node] = []


def everything(
    json: str,
    copy: int,
    schema: Literal["a", "b"],
    model_dump: Point | None = None,
    options: Options | None = None,
    node: Node | None = None,
    color: Color = Color.RED,
    day: datetime.date | None = None,
    folder: Path = Path("."),
    sizes: list[int] = [1],  # noqa: B006 (a default that could be changed)
    nothing: int = None,  # noqa: RUF013 (people write this)
    *,
    env: Env,
    p0: Annotated[int, pydantic.Field(ge=1)] = 3,
):
    return dict(locals())


def call(function, args, name=None):
    return Signature(function, name).bound()(args, ENV)


def test_the_schema_has_the_parameters_and_required_ones_of_the_function():
    schema = Signature(everything).schema
    parameters = {n: p for n, p in inspect.signature(everything).parameters.items() if n != "env"}
    assert set(schema.properties) == set(parameters)
    assert schema.required == {n for n, p in parameters.items() if p.default is inspect.Parameter.empty}
    assert schema.json["additionalProperties"] is False
    assert "title" not in schema.text
    assert schema.properties["color"] == {"$ref": "#/$defs/Color", "default": "red"}
    assert schema.properties["p0"] == {"default": 3, "minimum": 1, "type": "integer"}


def test_arguments_arrive_as_the_hints_say_and_defaults_as_they_are():
    got = call(everything, {"json": "x", "copy": 1, "schema": "a"})
    defaults = {n: p.default for n, p in inspect.signature(everything).parameters.items()}
    assert got == {**defaults, "json": "x", "copy": 1, "schema": "a", "env": ENV}


def test_nested_values_become_the_types_of_the_hints():
    args = {
        "json": "{}",
        "copy": 1,
        "schema": "b",
        "model_dump": {"x": 1},
        "options": {"a": 2},
        "node": {"label": "car", "parts": [{"label": "door"}]},
        "color": "blue",
        "day": "2024-01-02",
    }
    got = call(everything, args)
    assert (got["model_dump"], got["options"], got["color"]) == (Point(1, 0.5), {"a": 2}, Color.BLUE)
    assert (got["day"], got["node"].parts[0].label) == (datetime.date(2024, 1, 2), "door")


def test_a_changed_default_does_not_reach_the_next_call():
    call(everything, {"json": "", "copy": 1, "schema": "a"})["sizes"].append(2)
    assert call(everything, {"json": "", "copy": 1, "schema": "a"})["sizes"] == [1]


def test_a_recursive_type_is_judged_at_depth():
    problems = Signature(everything).schema.problems(
        {"json": "", "copy": 1, "schema": "a", "node": {"label": "car", "parts": [{"label": 1}]}}
    )
    assert problems == ("node.parts[0].label must be a string, got integer 1",)


def test_what_only_the_hints_can_tell_is_told_with_the_parameter():
    problem = Signature(everything).problem({"json": "", "copy": 1, "schema": "a", "day": "2024-02-30"}, ENV)
    assert problem is not None
    assert problem.startswith("day: Input should be a valid date")
    assert Signature(everything).problem({"json": "", "copy": 1, "schema": "a"}, ENV) is None


GOOGLE = """Does it.

    Some more.

    Args:
        path: Where
            it is.
        limit (int): How many.
    """
NUMPY = """Does it.

    Some more.

    Parameters
    ----------
    path : str
        Where
        it is.
    limit : int
        How many.
    """
REST = """Does it.

    Some more.

    :param path: Where
        it is.
    :param limit: How many.
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_descriptions_come_from_the_docstring_in_each_style(text):
    def f(path: str, limit: int = 1, other: str = ""): ...

    f.__doc__ = text
    signature = Signature(f)
    assert signature.description == "Does it.\n\nSome more."
    about = {name: part.get("description") for name, part in signature.schema.properties.items()}
    assert about == {"path": "Where it is.", "limit": "How many.", "other": None}


def free(a: int, b: str = "x", secret: str = "s"):
    """Free."""
    return a, b, secret


class Thing:
    def method(self, a: int):
        """Method."""
        return a

    def __call__(self, a: int):
        """Called."""
        return a

    @classmethod
    def of_class(cls, a: int):
        return a


@functools.wraps(free)
def wrapped(*args, **named):
    return free(*args, **named)


def closure(offset):
    def add(a: int):
        return a + offset

    return add


@pytest.mark.parametrize(
    ("function", "name", "parameters", "result"),
    [
        (free, "free", ["a", "b", "secret"], (1, "x", "s")),
        (functools.partial(free, secret="KEY"), "free", ["a", "b"], (1, "x", "KEY")),
        (functools.partial(functools.partial(free, b="y"), secret="KEY"), "free", ["a"], (1, "y", "KEY")),
        (Thing().method, "method", ["a"], 1),
        (Thing.of_class, "of_class", ["a"], 1),
        (Thing(), "__call__", ["a"], 1),
        (wrapped, "free", ["a", "b", "secret"], (1, "x", "s")),
        (closure(10), "add", ["a"], 11),
    ],
)
def test_any_sort_of_function_can_be_a_tool(function, name, parameters, result):
    signature = Signature(function)
    assert (signature.name, sorted(signature.schema.properties)) == (name, parameters)
    assert "KEY" not in signature.schema.text
    assert signature.bound()({"a": 1}, ENV) == result


def test_a_bound_function_is_of_the_sort_of_the_function():
    async def one(a: int): ...
    async def many(a: int):
        yield a

    def steps(a: int):
        yield a

    assert inspect.iscoroutinefunction(Signature(one).bound())
    assert inspect.isasyncgenfunction(Signature(many).bound())
    assert list(call(steps, {"a": 1})) == [1]


def star(*args: int): ...
def stars(**named: int): ...
def positional(a: int, /): ...
def bare(a): ...
def method(self, a: int): ...
def unknown(a: Foo): ...  # noqa: F821 (meant)
def no_schema(a: typing.Callable[[int], int]): ...
def no_type(a: int, day: Thing): ...
def field(a: int = pydantic.Field(3, ge=1)): ...
def maybe_env(env: Env | None = None): ...


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (star, "*args: 'int' can't be filled by name; name each parameter"),
        (stars, "**named: 'int' can't be filled by name; name each parameter"),
        (positional, "can't be filled by name"),
        (bare, "parameter a has no type hint; add one, such as str"),
        (method, "self is the object's; make a tool of its method: tool(thing.method)"),
        (unknown, "a type hint can't be read (name 'Foo' is not defined); define or import it first"),
        (no_schema, "parameter a: Cannot generate a JsonSchema for core_schema.CallableSchema"),
        (no_type, "parameter day: Unable to generate pydantic-core schema for <class"),
        (
            no_type,
            "; let the parameter be what JSON has, such as str or float, and make the rest of it in the function",
        ),
        (field, "write a: Annotated[..., Field(...)] = default"),
        (maybe_env, "Unable to generate"),
        (print, "*args can't be filled by name"),
    ],
)
def test_a_function_that_can_be_no_tool_is_refused_with_its_name_and_the_way_out(function, words):
    with pytest.raises(SchemaError) as caught:
        Signature(function)
    assert f"tool {function.__name__}: " in str(caught.value)
    assert words in str(caught.value)


def test_a_default_without_a_form_in_json_is_kept_and_not_shown():
    missing = object()

    def f(a: str = missing):
        return a

    assert Signature(f).schema.properties == {"a": {"type": "string"}}
    assert call(f, {}) is missing


def test_a_plain_text_in_annotated_changes_nothing():
    def h(text: Annotated[str, "d"], more: str | None = None):
        return text, more

    assert call(h, {"text": '{"a": 1}', "more": "12"}) == ('{"a": 1}', "12")


def test_what_may_be_left_out_is_told_in_few_words():
    def find(
        text: str | None = None,
        kinds: list[int] | None = None,
        mode: Literal["a", "b"] | None = None,
        limit: int = 5,
        either: int | str | None = None,
    ) -> None:
        """Finds."""

    told = Signature(find).schema.properties
    assert told["text"] == {"type": ["string", "null"]}
    assert told["kinds"] == {"items": {"type": "integer"}, "type": ["array", "null"]}
    assert (told["mode"], told["limit"]) == ({"enum": ["a", "b", None]}, {"default": 5, "type": "integer"})
    assert told["either"] == {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}
