"""Tests mirror modules, and their names say what holds."""

import ast
import tomllib

import pytest

from cellwright import errors

from .source import ROOT, functions, imported_names, listed, modules, test_modules


@pytest.mark.parametrize(("package", "folder"), [("cellwright", "core"), ("cellwright_widgets", "widgets")])
def test_each_module_has_its_file_of_tests_and_each_file_its_module(package, folder):
    parts = [module.name.split(".")[1:] for module in modules(package) if module.path.name != "__init__.py"]
    wanted = {"/".join(["tests", folder, *names[:-1], f"test_{names[-1]}.py"]) for names in parts}
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / folder).rglob("test_*.py")}
    missing, stray = sorted(wanted - there), sorted(there - wanted)
    assert not missing + stray, listed([*(f"missing: {m}" for m in missing), *(f"no such module: {s}" for s in stray)])


def test_the_name_of_a_test_is_a_sentence():
    offences = [
        f"{module.at(function)} {function.name}"
        for module in test_modules()
        for function in functions(module.tree)
        if function.name.startswith("test_") and module.path.name.startswith("test_")
        if len(function.name.removeprefix("test_").split("_")) < 3
    ]
    assert not offences, listed(offences)


def test_no_test_imports_what_is_private():
    offences = [
        f"{module.at(node)} {name}"
        for module in test_modules()
        for name, node in imported_names(module.tree)
        if name.startswith("cellwright") and any(part.startswith("_") for part in name.split("."))
    ]
    assert not offences, listed(offences)


def test_every_error_is_raised_in_some_test():
    texts = [module for module in test_modules() if module.path.name.startswith("test_")]
    used = {node.id for module in texts for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    kinds = {name for name, value in vars(errors).items() if isinstance(value, type)} - {"CellwrightError"}
    assert kinds - used == set()


def test_the_checkers_are_as_strict_as_the_style_says():
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert {"ANN", "D1", "ERA", "FIX", "PGH", "S", "TD", "TID"} <= set(tool["ruff"]["lint"]["select"])
    assert tool["mypy"]["strict"] is True
    assert tool["pytest"]["ini_options"]["filterwarnings"] == ["error"]
    assert tool["pytest"]["ini_options"]["xfail_strict"] is True
