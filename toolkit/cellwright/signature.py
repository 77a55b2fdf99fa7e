"""A tool's schema from a function's signature, and JSON arguments back into a call of that function.

Pydantic makes the schema from the type hints and turns JSON into what the hints say (dates, nested models). The
docstring gives the descriptions, in Google, NumPy or reStructuredText style. Arguments reach the function only after
the schema has judged them, so nothing is coerced that the schema would refuse: a text that looks like a number
stays text, and a number sent as text is an error.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Annotated, Any

import docstring_parser
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from cellwright.env import Env
from cellwright.errors import SchemaError
from cellwright.messages import JsonObject
from cellwright.schema import Schema


class _Terse(GenerateJsonSchema):
    """Pydantic's schema in fewer words, each of which costs tokens in every turn: without the titles it makes up and
    without null as a default, which is what leaving out means; what may be null is one type of two, not two schemas.

    A default without a JSON form is left out in silence: the function has it all the same.
    """

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {"non-serializable-default"}  # noqa: RUF012 (as there)

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401 (pydantic's own type)
        return False

    def default_schema(self, schema: Any) -> JsonObject:  # noqa: ANN401 (pydantic's own type)
        """Null is no news."""
        found = super().default_schema(schema)
        return found if found.get("default", "") is not None else {k: v for k, v in found.items() if k != "default"}

    def nullable_schema(self, schema: Any) -> JsonObject:  # noqa: ANN401 (pydantic's own type)
        """Such as `{"type": ["string", "null"]}`."""
        found = self.generate_inner(schema["schema"])
        match found:
            case {"enum": [*choices]}:
                return {"enum": [*choices, None]}
            case {"type": str(kind)}:
                return {**found, "type": [kind, "null"]}
        return super().nullable_schema(schema)


class Signature:
    """A function seen as a tool: name, description, schema, and the bound call.

    What a `functools.partial` has filled by name is settled and not shown to the model.

    Raises:
        SchemaError: for a parameter without a type hint, `*args`, `**kwargs`, or a type that has no JSON Schema.
    """

    def __init__(
        self, function: Callable[..., Any], name: str | None = None, hints: Mapping[str, Any] | None = None
    ) -> None:
        """`hints` are its type hints, where they are known already."""
        written = _written(function)
        self.name = name or str(getattr(written, "__name__", ""))
        self._function = function
        self._settled = function.keywords if isinstance(function, partial) else {}
        self._hints = _hints(written, self.name) if hints is None else hints
        doc = docstring_parser.parse(inspect.getdoc(written) or "")
        self.description = _description(doc)
        about = {param.arg_name: " ".join((param.description or "").split()) for param in doc.params}
        self._env_names = [n for n, hint in self._hints.items() if hint is Env]
        self._fields, spec = self._parameters(about)
        self._model, schema = self._made(spec)
        self.schema = Schema(_without_titles(schema), f"tool {self.name}")

    def __reduce__(self) -> tuple[type[Signature], tuple[Any, ...]]:
        """In another process it is made anew, with its hints: what a text such as `"Point"` means is known here."""
        return Signature, (self._function, self.name, self._hints)

    def bound(self) -> Callable[[JsonObject, Env], Any]:
        """The function as `execute(args, env)`, of the same sort: sync, async, generator or async generator."""
        function, arguments = self._function, self._arguments
        if inspect.isasyncgenfunction(function):

            async def generate(args: JsonObject, env: Env) -> AsyncIterator[Any]:
                async with aclosing(function(**arguments(args, env))) as steps:
                    async for step in steps:
                        yield step

            return generate
        if inspect.iscoroutinefunction(function):

            async def run(args: JsonObject, env: Env) -> Any:  # noqa: ANN401 (any value)
                return await function(**arguments(args, env))

            return run
        return lambda args, env: function(**arguments(args, env))

    def problem(self, args: JsonObject, env: Env) -> str | None:
        """What the hints refuse and the schema could not say, such as a date that does not exist; None if nothing."""
        try:
            self._model.model_validate(args)
        except ValidationError as error:
            return "; ".join(f"{_place(e['loc'])}: {e['msg']}" for e in error.errors(include_url=False)[:5])
        return None

    def _arguments(self, args: JsonObject, env: Env) -> JsonObject:
        values = self._model.model_validate(args)
        given = {name: getattr(values, field) for field, name in self._fields.items()}
        return {**given, **dict.fromkeys(self._env_names, env)}

    def _parameters(self, about: dict[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
        """The parameters by the names of their fields, and what pydantic is told of each field."""
        fields: dict[str, str] = {}
        spec: dict[str, Any] = {}
        for index, parameter in enumerate(inspect.signature(self._function).parameters.values()):
            if parameter.name in self._env_names or parameter.name in self._settled:
                continue
            field = f"p{index}"  # own field names: a parameter may be called like a method of BaseModel
            fields[field] = parameter.name
            default = ... if parameter.default is parameter.empty else parameter.default
            if isinstance(default, FieldInfo):
                raise SchemaError(f"tool {self.name}: write {parameter.name}: Annotated[..., Field(...)] = default")
            hint = _described(self._hint(parameter), about.get(parameter.name, ""))
            spec[field] = (hint, Field(default, alias=parameter.name))
        return fields, spec

    def _made(self, spec: dict[str, Any]) -> tuple[type[BaseModel], JsonObject]:
        try:
            return _model_of(self.name, spec)
        except (PydanticUserError, NameError, TypeError) as error:
            place = f"parameter {_unfit(spec)}: " if spec else ""
            raise SchemaError(
                f"tool {self.name}: {place}{_first_words(error)}; let the parameter be what JSON has, such as str or "
                "float, and make the rest of it in the function"
            ) from None

    def _hint(self, parameter: inspect.Parameter) -> Any:  # noqa: ANN401 (a hint is anything)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise SchemaError(f"tool {self.name}: {parameter} can't be filled by name; name each parameter")
        if parameter.name not in self._hints and parameter.name == "self":
            raise SchemaError(f"tool {self.name}: self is the object's; make a tool of its method: tool(thing.method)")
        if parameter.name not in self._hints:
            raise SchemaError(f"tool {self.name}: parameter {parameter.name} has no type hint; add one, such as str")
        return self._hints[parameter.name]


def _model_of(name: str, spec: dict[str, Any]) -> tuple[type[BaseModel], JsonObject]:
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=False)
    model = create_model(name, __config__=config, **spec)
    return model, model.model_json_schema(by_alias=True, schema_generator=_Terse)


def _unfit(spec: dict[str, Any]) -> str:
    """The first parameter that pydantic can't take by itself; all of them if it is none alone."""
    for field, (hint, info) in spec.items():
        try:
            _model_of("alone", {field: (hint, info)})
        except (PydanticUserError, NameError, TypeError):
            return str(info.alias)
    return " or ".join(str(info.alias) for _, info in spec.values())


def _without_titles(schema: JsonObject) -> JsonObject:
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
    schema.setdefault("properties", {})
    return schema


def _written(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as somebody wrote it: inside a partial, or the `__call__` of an object."""
    while isinstance(function, partial):
        function = function.func
    return function if inspect.isroutine(function) or inspect.isclass(function) else type(function).__call__


def _hints(function: Callable[..., Any], name: str) -> dict[str, Any]:
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError, SyntaxError) as error:
        raise SchemaError(f"tool {name}: a type hint can't be read ({error}); define or import it first") from None
    hints.pop("return", None)
    return hints


def _first_words(error: Exception) -> str:
    """What pydantic found, without its advice, which is for people who write models."""
    return str(error).partition("\n")[0].partition(". Set ")[0]


def _place(steps: tuple[int | str, ...]) -> str:
    return ".".join(str(step) for step in steps)


def _described(hint: Any, text: str) -> Any:  # noqa: ANN401 (a hint is anything)
    return Annotated[hint, Field(description=text)] if text else hint


def _description(doc: docstring_parser.Docstring) -> str:
    return "\n\n".join(part.strip() for part in (doc.short_description, doc.long_description) if part)
