"""A pattern that is none is refused with the place and what to send instead."""

import pytest

from cellwright import ToolError
from cellwright.tools.pattern import check_pattern, refused


@pytest.mark.parametrize("pattern", ["", "a\nb", r"a\n", "a\\"])
def test_a_pattern_that_no_line_can_match_is_refused(pattern):
    with pytest.raises(ToolError) as caught:
        check_pattern(pattern)
    assert caught.value.code == "invalid_pattern"


@pytest.mark.parametrize("pattern", ["a", r"a\\n", r"\w+$", "(?i)x"])
def test_any_other_is_left_to_ripgrep(pattern):
    check_pattern(pattern)


def test_the_place_is_that_in_the_pattern_as_it_was_given():
    error = refused("a(", "PCRE2: error compiling pattern at offset 5: missing closing parenthesis")
    assert "at character 2" in error.message
    assert r"send a\(" in error.message
