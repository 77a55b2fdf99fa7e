"""Chapter N imports only chapters before it, the core is headless, and importing does nothing."""

import ast
import graphlib
import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from .chapters import ORDER
from .source import Module, all_modules, imported_names, listed, modules

VIEW_PACKAGES = ("ipywidgets", "anywidget", "IPython", "cellwright_widgets")


def graph():
    names = {module.name for module in all_modules()}
    return {module.name: set(own_imports(module, names)) for module in all_modules()}


def own_imports(module: Module, names: set[str]):
    for name, _ in imported_names(module.tree):
        target = name if name in names else name.rpartition(".")[0]
        if target in names and target != module.name:
            yield target


def test_no_import_goes_round_in_a_circle():
    try:
        graphlib.TopologicalSorter(graph()).prepare()
    except graphlib.CycleError as error:
        pytest.fail("imports go round: " + " -> ".join(reversed(error.args[1])))


def test_every_module_has_its_place_in_the_order():
    doubled = [name for name, times in Counter(ORDER).items() if times > 1]
    assert (set(graph()) - set(ORDER), set(ORDER) - set(graph()), doubled) == (set(), set(), [])


def test_each_module_imports_only_modules_before_it():
    place = {name: index for index, name in enumerate(ORDER)}
    known = {name: targets for name, targets in graph().items() if name in place}
    offences = [
        f"{name} imports {target}, which comes after it"
        for name, targets in known.items()
        for target in sorted(targets)
        if place.get(target, -1) > place[name]
    ]
    assert not offences, listed(offences)


def test_the_order_check_sees_a_reversed_order():
    place = {name: index for index, name in enumerate(reversed(ORDER))}
    assert any(place[target] > place[name] for name, targets in graph().items() for target in targets & set(place))


def test_imports_are_absolute_and_never_by_the_folders_names():
    offences = [
        f"{module.at(node)} imports {name}"
        for module in all_modules()
        for name, node in imported_names(module.tree)
        if name.startswith(".") or name.split(".")[0] in ("toolkit", "widgets")
    ]
    assert not offences, listed(offences)


def test_no_core_module_names_a_package_of_the_views():
    offences = [
        f"{module.at(node)} imports {name}"
        for module in modules("cellwright")
        for name, node in imported_names(module.tree)
        if name.split(".")[0] in VIEW_PACKAGES
    ]
    assert not offences, listed(offences)


@pytest.mark.parametrize(("package", "absent"), [("cellwright", VIEW_PACKAGES), ("cellwright_widgets", ())])
def test_importing_every_module_prints_and_makes_nothing_and_the_core_needs_no_views(package, absent, tmp_path):
    assert imported(package, absent, tmp_path) == ("", "", [])


def imported(package: str, absent: tuple[str, ...], folder):
    """What importing every module of a package prints, complains about, and leaves behind."""
    names = [module.name for module in modules(package)]
    code = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({json.dumps(absent)}))
for name in {json.dumps(names)}:
    importlib.import_module(name)
"""
    (folder / "home").mkdir()
    (folder / "cwd").mkdir()
    environment = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder / "cwd",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    made = [str(path) for inner in ("home", "cwd") for path in (folder / inner).rglob("*")]
    return done.stdout, done.stderr, made


def test_no_module_reads_the_environment_when_it_is_imported():
    offences = [
        module.at(node)
        for module in all_modules()
        for node in run_on_import(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    ]
    assert not offences, listed(offences)


def run_on_import(node: ast.AST):
    """The nodes that importing runs: all but the bodies of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        yield child
        yield from run_on_import(child)
