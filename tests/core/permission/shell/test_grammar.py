import pytest

from cellwright.permission.shell.grammar import MAX_CHARS, PATIENCE, UnclearError, parse

from ...in_time import in_time


@pytest.mark.parametrize(
    "line", ["a", "a | b && c; d &", "a 'b' \"c $d\"", "a <<EOF\nb\nEOF\n", "if a; then b; fi", ""]
)
def test_a_line_of_the_shell_has_a_tree_with_its_text(line):
    source = parse(line)
    assert source.text(source.root) == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("a" * (MAX_CHARS + 1), "more than 10000"),
        ("a|" * 501, "more than 500 bars"),
        ("a\0", "a control character"),
        ("a\rb", "a control character"),
        ("a\x1b", "a control character"),
        ("a \ud800", "half a character"),
        ("a |", "no complete shell syntax"),
        ("'a", "no complete shell syntax"),
        ("if a; then b", "no complete shell syntax near 'if a; then b'"),
        ("a\\\nb", "stands between words"),
        ('a $"b"', "translations"),
        ("a `b \\`c\\``", "backticks hold a backslash"),
        ("a <<EOF\nb\n EOF\nEOF\n", "the end of a heredoc is in doubt"),
        ("a <<'E F'\nb\nE F\n", "which is no plain word"),
        ("a <<EOF\n$(b\nEOF\n", "no complete shell syntax"),
        ("a ${x#$(b)}", "a pattern or text holds something to expand"),
        ("a ${x%`b`}", "a pattern or text holds something to expand"),
        ('a "${x//c$(b)/}"', "a pattern or text holds something to expand"),
        ("a ${x^^<(b)}", "a pattern or text holds something to expand"),
        ("sort -o2>&1 a", "'-o2' is no number of a stream"),
        ("a {b}>c", "a redirection sets a variable"),
        ("a \"${x:-'$(b)'}\"", "a pattern or text holds something to expand"),
        ("a <<EOF\n${x:-'$(b)'}\nEOF\n", "a pattern or text holds something to expand"),
        ("[[ a == ?(`b`) ]]", "a pattern or text holds something to expand"),
    ],
)
def test_what_bash_might_read_differently_is_unclear(line, why):
    with pytest.raises(UnclearError) as caught:
        parse(line)
    assert why in str(caught.value)


def test_the_parser_gives_up_when_it_takes_too_long():
    def parsed(number):
        with pytest.raises(UnclearError):
            parse("[[ (" * (2_400 - number))

    in_time(PATIENCE + 0.5, parsed)
