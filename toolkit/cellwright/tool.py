"""A tool: a definition that the model sees, bound to behaviour and facts that only the host sees.

The plain way to make one is `Tool(...)`; `@tool` does the same from a typed function: the schema from its
signature, the descriptions from its docstring. What a tool declares of itself decides how it may run, so defaults
fail closed: without a declaration a tool may write, may not overlap with other calls, and is asked about.
The rule that must never break: the model sees name, description and input schema, and nothing else of a tool.
The lesson is `notebooks/01_tool.ipynb`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, Unpack, overload

from msgspec import Struct, field
from msgspec.structs import asdict

from cellwright.declared import check_facts
from cellwright.definition import Definition
from cellwright.env import Env
from cellwright.errors import RegistryError, UsageError
from cellwright.messages import Image, JsonObject, clean_text, told
from cellwright.role import Role
from cellwright.schema import Schema
from cellwright.spelling import Spelling
from cellwright.views.view import View

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

Trait = bool | Callable[[JsonObject], bool]
"""A fact about a tool, or a pure function that tells it from the arguments."""
Opinion = Literal["allow", "ask", "deny"]
"""What a tool itself thinks of a call."""
Description = str | Callable[[Env], str]
PresentResult = Callable[[JsonObject, Any, Mapping[str, Any]], View]
Origin = Literal["built-in", "user", "mcp"]


class Output(Struct, frozen=True, metaclass=Spelling):
    """What a tool may return instead of a bare value, when it has more to say."""

    value: object
    content: str | None = None
    """The text for the model, if it is not to be made from the value."""
    view: View | None = None
    """The view for the person, if it is not to be made from the value."""
    images: tuple[Image, ...] = ()
    """Pictures for a model that can see."""
    context: str = ""
    """A note that the model reads before its next turn."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Kept with the result, never sent to the model."""
    stops_run: str = ""
    """Why the run must end after this call; empty if it goes on."""
    lasting: str = ""
    """What this call did that no undo of a run takes back, and what does."""
    context_change: Callable[[Any], Any] | None = None
    """What holds for the calls after this one: a pure function of the `Conditions` that gives those to come."""


class Facts(TypedDict, total=False):
    """The host-only facts that `@tool` takes: the fields of `Tool` of the same names."""

    output_schema: Schema
    validate: Callable[[JsonObject, Env], str | None]
    check_permission: Callable[[JsonObject, Env], Opinion | tuple[Opinion, str] | None]
    read_only: Trait
    concurrency_safe: Trait
    destructive: Trait
    paths: tuple[str, ...]
    counts_as: Mapping[str, tuple[str, ...]]
    operations: str
    command: str
    url: str
    timeout: float
    max_result_chars: int
    system: bool
    modes: tuple[str, ...]
    always_asks: bool
    asks_first: Callable[[JsonObject, Env], str | None]
    lasting: str
    unread: Callable[[JsonObject, Env], str | None]
    roles: tuple[Role, ...]
    enabled: Callable[[Env], bool | str]
    defer: bool
    always_load: bool
    present_call: Callable[[JsonObject, Env], View]
    present_result: PresentResult
    render: Callable[[Any], str]
    finalize: Callable[[str], str]
    origin: Origin


class Tool(Struct, frozen=True, repr_omit_defaults=True, metaclass=Spelling):
    """A definition bound to its behaviour and its host-only facts."""

    name: str
    description: Description
    """Text, or a function that writes it when a run starts; for that run it then stays."""
    input_schema: Schema
    execute: Callable[[JsonObject, Env], Any]
    """Gets checked arguments; sync (run in a thread), async, or a generator that yields progress, then its value."""
    output_schema: Schema | None = None
    validate: Callable[[JsonObject, Env], str | None] | None = None
    """What a schema can't say: returns the problem, or None."""
    check_permission: Callable[[JsonObject, Env], Opinion | tuple[Opinion, str] | None] | None = None
    """What the tool itself thinks of a call, with its reason for the person if it likes; None for no opinion."""
    read_only: Trait = False
    concurrency_safe: Trait = False
    destructive: Trait = False
    paths: tuple[str, ...] = ()
    """The parameters that hold paths. A tool that has some and is not read-only edits these files, and each call of it
    can be undone."""
    lasting: str = ""
    """What a call does beside that, which no undo takes back; of a tool without paths it is not known."""
    counts_as: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For such a parameter, other tools whose deny and ask rules hold for its path too: a moved file is also read."""
    operations: str = ""
    """The parameter that lists the operations of a call; the person who is asked may leave out some of them."""
    command: str = ""
    """The parameter that holds a shell command line. Permission then judges what each command of the line does."""
    url: str = ""
    """The parameter that holds a web address. Rules then speak of its domain."""
    timeout: float | None = None
    """Seconds; None takes the run's."""
    max_result_chars: int = 50_000
    system: bool = False
    """A control-plane tool: never filtered away."""
    modes: tuple[str, ...] = ()
    """The modes it is for, and shown in; empty for all."""
    always_asks: bool = False
    """A person's answer is what the tool is about, so no rule, grant, hook or mode gives it."""
    asks_first: Callable[[JsonObject, Env], str | None] | None = None
    """Why a person has to be asked about this very call, if so; then no rule, grant or hook allows it, only bypass."""
    unread: Callable[[JsonObject, Env], str | None] | None = None
    """What the call would change without the model having read it, as a reason to refuse it. A guard asks."""
    roles: tuple[Role, ...] | None = None
    """The roles of agents that may have it. None: main agents and sub-agents; if it always only reads, all."""
    enabled: Callable[[Env], bool | str] | None = None
    """Asked when a run starts: True, or why the tool can't be there (another system, a missing program)."""
    defer: bool = False
    """Where there are many tools, a built-in one with this mark is found through `tool_search` first."""
    always_load: bool = False
    """The model is shown the tool from the start, however many there are."""
    present_call: Callable[[JsonObject, Env], View] | None = None
    """The exact effect of a call, for the person who is asked. Must change nothing."""
    present_result: PresentResult | None = None
    """The view for the person, of the arguments that ran, the JSON value and what the tool kept beside it as `meta`."""
    render: Callable[[Any], str] | None = None
    """The model's text from the JSON value."""
    finalize: Callable[[str], str] | None = None
    """A last pure pass over the model's text, failures included."""
    origin: Origin = "user"
    function: Callable[..., Any] | None = None
    """What it was made from, if from a function."""

    def __call__(self, *values: Any, **named: Any) -> Any:  # noqa: ANN401 (as the function is)
        """Calls the function that it was made from, by hand: nobody is asked, and no agent knows."""
        if self.function is None:
            raise UsageError(f"{self.name} is made from no function; try it by {self.name}.execute(args, env)")
        return self.function(*values, **named)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise RegistryError(f"{self.name!r} is no tool name; use 1 to 64 of A-Z, a-z, 0-9, _ and -")
        if not isinstance(self.description, str) and not callable(self.description):
            raise RegistryError(
                f"tool {self.name}: the description is {type(self.description).__name__}; give a text, or a function "
                "that writes it when a run starts"
            )
        if not isinstance(self.input_schema, Schema):
            raise RegistryError(
                f"tool {self.name}: the schema is no Schema; write Schema(...), or use Tool.from_schema"
            )
        self.input_schema.for_arguments(f"tool {self.name}")
        if not isinstance(self.output_schema, Schema | None):
            raise RegistryError(f"tool {self.name}: the output schema is no Schema; write output_schema=Schema(...)")
        check_facts(f"tool {self.name}", asdict(self), self.input_schema.properties)

    @property
    def definition(self) -> Definition:
        """What the model sees. Where the description is written when a run starts, this has a word in its place."""
        text = self.description if isinstance(self.description, str) else "(Described when a run starts.)"
        return Definition(self.name, clean_text(text), self.input_schema.json)

    def described(self, env: Env) -> tuple[Definition, str]:
        """What the model sees in a run, and what went wrong when its description was written, if something did."""
        if isinstance(self.description, str):
            return self.definition, ""
        try:
            text: object = self.description(env)
        except BaseException as error:  # the run has not begun yet, and nothing could write down its end
            text, problem = None, told(error)
        else:
            problem = "" if isinstance(text, str) else f"it gave no text but {type(text).__name__}"
        if not isinstance(text, str):
            text = "Its description could not be written; go by its name and parameters."
        return Definition(self.name, clean_text(text), self.input_schema.json), problem

    def absence(self, env: Env) -> str:
        """Why the tool can't be used in a run, or nothing if it can; a check that fails is a reason, too."""
        if self.enabled is None:
            return ""
        try:
            said: object = self.enabled(env)
        except BaseException as error:  # as above
            said = f"its check failed ({told(error)})"
        if said is True:
            return ""
        return clean_text(said) if isinstance(said, str) and said else "it can't be used here"

    def trait(self, name: Literal["read_only", "concurrency_safe", "destructive"], args: JsonObject) -> bool:
        """Whether a trait holds for these arguments; what is unclear is held against the tool.

        One that raises or returns no truth value counts as not read-only, not safe to overlap, and destructive.
        """
        declared: Trait = getattr(self, name)
        try:
            said = declared(args) if callable(declared) else declared
        except (Exception, SystemExit):
            said = None
        return said is not False if name == "destructive" else said is True

    @property
    def is_uniform(self) -> bool:
        """Whether the arguments tell nothing of what a call may do: all its calls are judged alike."""
        judged = (self.read_only, self.concurrency_safe, self.destructive, self.check_permission, self.asks_first)
        return not (self.paths or self.command or self.url or any(map(callable, judged)))

    def is_for(self, role: Role) -> bool:
        """Whether an agent in this role may have the tool."""
        if self.roles is not None:
            return role in self.roles
        return role in ("main", "sub_agent") or self.read_only is True

    def edits_files(self, args: JsonObject) -> bool:
        """Whether the call changes files that it names, and does nothing else."""
        return (
            any(args.get(name) for name in self.paths)
            and not self.trait("read_only", args)
            and not self.trait("destructive", args)
        )

    @classmethod
    def from_schema(
        cls, name: str, description: str, input_schema: JsonObject, execute: Callable[[JsonObject, Env], Any]
    ) -> Tool:
        """A tool of which only a JSON Schema exists; `execute` gets the arguments as they are."""
        return cls(name, description, Schema(input_schema, f"tool {name}"), execute)

    @classmethod
    def from_function(
        cls,
        function: Callable[..., Any],
        name: str | None = None,
        description: Description | None = None,
        **facts: Unpack[Facts],
    ) -> Tool:
        """A tool from a typed function and its docstring; a parameter annotated `Env` gets the env, unseen."""
        from cellwright.signature import Signature  # with pydantic: as much to import as all the rest

        if isinstance(function, Tool) or not callable(function):
            raise RegistryError(f"{function!r:.80} is no function; write @tool or @tool(name='...') above one")
        signature = Signature(function, name)
        problem, more = signature.problem, facts.get("validate")
        facts["validate"] = problem if more is None else lambda args, env: problem(args, env) or more(args, env)
        text = signature.description if description is None else description
        if not text and description is None:
            warnings.warn(
                f"tool {signature.name} has no docstring, and a model goes by it; say what it does", stacklevel=3
            )
        return cls(signature.name, text, signature.schema, signature.bound(), function=function, **facts)


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *, name: str | None = None, description: Description | None = None, **facts: Unpack[Facts]
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: Description | None = None,
    **facts: Unpack[Facts],
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Decorator: makes a typed function a `Tool`. `@tool` and `@tool(read_only=True, ...)` both work."""
    if function is None:
        return lambda f: Tool.from_function(f, name, description, **facts)
    return Tool.from_function(function, name, description, **facts)
