"""A module fits in one sitting, a function on one screen."""

import pytest

from .source import all_modules, body_lines, functions, listed, modules, test_modules

MODULE_LINES = 300
FUNCTION_LINES = 40
TEST_LINES = 20


@pytest.mark.parametrize("package", ["cellwright", "cellwright_widgets"])
def test_a_module_has_at_most_300_lines(package):
    lengths = ((module, len(module.text.splitlines())) for module in modules(package))
    offences = [f"{module.at(1)} has {lines} lines" for module, lines in lengths if lines > MODULE_LINES]
    assert not offences, listed(offences)


def test_a_function_body_has_at_most_40_lines():
    offences = [
        f"{module.at(function)} {function.name} has {body_lines(function)} lines"
        for module in all_modules()
        for function in functions(module.tree)
        if body_lines(function) > FUNCTION_LINES
    ]
    assert not offences, listed(offences)


def test_a_test_body_has_at_most_20_lines():
    offences = [
        f"{module.at(function)} {function.name} has {body_lines(function)} lines"
        for module in test_modules()
        for function in functions(module.tree)
        if function.name.startswith("test_") and body_lines(function) > TEST_LINES
    ]
    assert not offences, listed(offences)
