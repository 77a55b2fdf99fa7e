"""One noun per file, the file named for it; a struct is a value; a signature says what it takes."""

import ast
import importlib
import re
import tokenize

import pytest

import cellwright
import cellwright_widgets
from cellwright import errors

from .source import SOURCES, all_modules, classes, functions, listed

DRAWERS = {"util", "utils", "helper", "helpers", "common", "base", "misc"}
"""Names of files into which anything could go."""
EMPTY_SUFFIXES = ("Manager", "Handler", "Helper", "Impl")
"""Ends of class names that say nothing."""
MUTABLE = {"cellwright.calls.passage.Passage", "cellwright_widgets.drawing.unified.Line"}
"""Structs that are not frozen: each stage writes what it found into the passage of a call; a diff's line learns
its partner after it was read. At most three."""
REASON = re.compile(r"# (noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*|type: ignore\[[\w-]+\]) +(\(.{6,}\)|(#|-) .{6,})")
"""An exception for a checker: its code, then why."""


def test_no_file_or_folder_is_a_drawer_for_anything():
    paths = [path for folder in SOURCES.values() for path in folder.rglob("*") if "__pycache__" not in path.parts]
    offences = [str(path) for path in paths if path.stem.strip("_").lower() in DRAWERS]
    assert not offences, listed(offences)


def test_no_class_has_a_name_that_says_nothing():
    offences = [
        f"{module.at(found)} {found.name}"
        for module in all_modules()
        for found in classes(module.tree)
        if found.name.endswith(EMPTY_SUFFIXES)
    ]
    assert not offences, listed(offences)


def test_every_value_is_frozen():
    assert len(MUTABLE) <= 3
    offences = [
        f"{module.at(found)} {found.name}: {', '.join(sorted(options))}"
        for module in all_modules()
        for found in classes(module.tree)
        for options, wanted in value_options(found)
        if options ^ wanted != ({"frozen"} if f"{module.name}.{found.name}" in MUTABLE else set())
    ]
    assert not offences, listed(offences)


def value_options(found: ast.ClassDef):
    """The options that are on for a class of values, and those that should be."""
    if "Struct" in [ast.unparse(base) for base in found.bases]:
        yield options_on(found.keywords) - {"dict", "repr_omit_defaults"}, {"frozen"}
    for decorator in found.decorator_list:
        called = isinstance(decorator, ast.Call)
        if ast.unparse(decorator.func if called else decorator).split(".")[-1] == "dataclass":
            yield options_on(decorator.keywords if called else []), {"frozen", "slots"}


def options_on(keywords: list[ast.keyword]):
    """The names of what is set to True."""
    return {option.arg for option in keywords if option.arg and ast.unparse(option.value) == "True"}


@pytest.mark.parametrize(("package", "most"), [(cellwright, 20), (cellwright_widgets, 8)])
def test_the_surface_is_small_sorted_and_all_there_is(package, most):
    names = package.__all__
    modules = {name for name, value in vars(package).items() if type(value) is type(ast)}
    public = {name for name in dir(package) if not name.startswith("_")} - modules
    assert (names, len(names) <= most, set(names) ^ public) == (sorted(names), True, set())


@pytest.mark.parametrize("package", [cellwright, cellwright_widgets])
def test_every_name_of_the_surface_has_a_docstring(package):
    assert [name for name in package.__all__ if not getattr(package, name).__doc__] == []


def test_every_exception_for_a_checker_gives_its_code_and_reason():
    offences = []
    for module in all_modules():
        with module.path.open("rb") as file:
            comments = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
        excused = [token for token in comments if re.search(r"noqa|type: ?ignore|pragma", token.string)]
        offences += [f"{module.at(t.start[0])} {t.string}" for t in excused if not REASON.fullmatch(t.string)]
    assert not offences, listed(offences)


def test_no_public_function_takes_keywords_that_it_does_not_name():
    offences = [
        f"{module.at(function)} {function.name}(**{function.args.kwarg.arg})"
        for module in all_modules()
        for function in functions(module.tree)
        if not function.name.startswith("_") and function.args.kwarg and not is_typed(function.args.kwarg)
    ]
    assert not offences, listed(offences)


def is_typed(keywords: ast.arg) -> bool:
    """Keywords may be of a named TypedDict, or plain facts that are kept as they are (`object`)."""
    annotation = ast.unparse(keywords.annotation) if keywords.annotation else ""
    return annotation == "object" or annotation.startswith("Unpack[")


def test_the_tree_of_errors_is_the_one_drawn_in_its_module():
    for module in all_modules():
        importlib.import_module(module.name)
    assert sorted(drawn_paths(errors.__doc__ or "")) == sorted(class_paths(errors.CellwrightError, ""))


def drawn_paths(docstring: str):
    """`A/B/C` for each line of an indented tree."""
    above: list[str] = []
    for line in docstring.splitlines():
        if re.fullmatch(r" {4,}\w+", line):
            depth = (len(line) - len(line.lstrip())) // 4 - 1
            above[depth:] = [line.strip()]
            yield "/".join(above)


def class_paths(error: type, above: str):
    """`A/B/C` for each subclass of ours, from `__subclasses__`."""
    path = f"{above}/{error.__name__}".strip("/")
    yield path
    for below in error.__subclasses__():
        if below.__module__.startswith("cellwright"):
            yield from class_paths(below, path)
