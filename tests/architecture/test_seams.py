"""A seam is a small Protocol that has two sides here, one of them a double that ships with the package."""

import ast
import importlib

import pytest

from .source import all_modules, classes, functions, imported_names, listed, test_modules

SEAMS = {
    "cellwright.models.model:Model": (
        "cellwright.models.scripted_model:ScriptedModel",
        "cellwright.models.recorded_model:RecordedModel",
    ),
    "cellwright.models.local_process:LocalServer": (
        "cellwright.models.local_process:ScriptedServer",
        "cellwright.models.local_process:LocalProcess",
    ),
    "cellwright.person.approval:Approver": (
        "cellwright.person.approval:ScriptedApprover",
        "cellwright.person.approval:ConsoleApprover",
        "cellwright_widgets.questions.widget_approver:WidgetApprover",
    ),
    "cellwright.views.inquiry:Respondent": (
        "cellwright.person.approval:ScriptedApprover",
        "cellwright.person.approval:ConsoleApprover",
        "cellwright_widgets.questions.widget_approver:WidgetApprover",
    ),
    "cellwright.runs.crew:Crew": (
        "cellwright.runs.crew:ScriptedCrew",
        "cellwright.runs.sub_agents:SubAgents",
    ),
    "cellwright.runs.desk:Desk": (
        "cellwright.runs.desk:ScriptedDesk",
        "cellwright_widgets.open_notebook.live_notebook:LiveDesk",
    ),
    "cellwright.web.resolver:Resolver": (
        "cellwright.web.resolver:ScriptedResolver",
        "cellwright.web.resolver:SystemResolver",
    ),
    "cellwright.log.events:Observer": (
        "cellwright.log.events:Recorder",
        "cellwright.log.telemetry:SpanObserver",
        "cellwright_widgets.live.transcript:Transcript",
    ),
}
"""Each Protocol with what implements it, the scripted double first."""


def loaded(place: str):
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def protocols():
    for module in all_modules():
        for found in classes(module.tree):
            if any(ast.unparse(base).split(".")[-1].split("[")[0] == "Protocol" for base in found.bases):
                yield f"{module.name}:{found.name}", found


def test_every_protocol_is_in_the_table():
    assert {place for place, _ in protocols()} == set(SEAMS)


def test_a_protocol_has_at_most_three_methods():
    sizes = {place: len(list(functions(found))) for place, found in protocols()}
    assert {place: size for place, size in sizes.items() if size > 3} == {}


@pytest.mark.parametrize("seam", SEAMS)
def test_a_seam_has_two_sides_and_the_first_is_a_double(seam):
    sides = SEAMS[seam]
    assert len(sides) >= 2, f"{seam} has only {sides}"
    assert sides[0].partition(":")[2].startswith(("Scripted", "Recorder"))


@pytest.mark.parametrize(("seam", "side"), [(seam, side) for seam, sides in SEAMS.items() for side in sides])
def test_each_side_has_every_method_of_its_seam(seam, side):
    found = dict(protocols())[seam]
    methods = {node.name for node in functions(found) if not node.decorator_list}
    assert {name for name in methods if not callable(getattr(loaded(side), name, None))} == set()


def test_no_test_uses_mocks():
    offences = [
        f"{module.at(node)} {name}"
        for module in test_modules()
        for name, node in imported_names(module.tree)
        if name.startswith(("unittest.mock", "mock.", "pytest_mock"))
    ]
    assert not offences, listed(offences)


def test_no_test_puts_something_else_in_the_place_of_our_code():
    offences = [
        f"{module.at(node)} {ast.unparse(node)[:80]}"
        for module in test_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("monkeypatch.setattr") and node.args
        if ast.unparse(node.args[0]).strip("'\"").split(".")[0] in our_names(module.tree)
    ]
    assert not offences, listed(offences)


def our_names(tree: ast.Module):
    """The names by which a test knows something of ours."""
    names = {"cellwright", "cellwright_widgets"}
    for name, node in imported_names(tree):
        if name.split(".")[0] in names:
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return names
