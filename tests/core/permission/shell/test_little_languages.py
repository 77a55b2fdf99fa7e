import pytest

from cellwright.permission.shell.little_languages import (
    awk_only_prints,
    awk_reaches_out,
    curl_reaches_out,
    jq_only_prints,
    sed_only_prints,
    sed_reaches_out,
)

from ...in_time import in_time


@pytest.mark.parametrize(
    "script",
    [
        "p",
        "1,5p",
        "$d",
        "/a/p",
        "/a/,/b/p",
        "s/a/b/",
        "s/a/b/gI",
        "s|a|b|2p",
        "1d;2d",
        "/a/!d",
        "y/abc/def/",
        "5q",
        "{p}",
    ],
)
def test_scripts_of_sed_that_print_are_known(script):
    assert sed_only_prints(script)


@pytest.mark.parametrize(
    "script",
    [
        "w f",
        "1w f",
        "/a/w f",
        "s/a/b/w f",
        "s/a/b/e",
        "s/a/b/gw f",
        "e",
        "1e x",
        "p;w f",
        "p\nw f",
        "r f",
        "R f",
        "W f",
        "a\\\nx",
        "s/[/]a/b/w f",
        "s,a,b,w f",
        "saxbxw f",
        "s/a\\/b/w f",
        "y/a/b/w f",
        "b x;w f",
        ":a",
        "p" * 501,
    ],
)
def test_scripts_of_sed_that_may_write_or_run_are_not(script):
    assert not sed_only_prints(script)


def test_a_script_is_looked_at_in_no_time():
    scripts = ("p   " * 120 + "X", "/a/ " * 120, "s/" + "\\/" * 240, "1,2" * 160, "!" * 400, "{ " * 200)
    in_time(0.2, lambda _: [sed_only_prints(script) for script in scripts])


@pytest.mark.parametrize("script", ["{print $1}", "NR==1", "$2>5 && $3<9", "/a/ || /b/", 'BEGIN{FS=","} {print $2}'])
def test_scripts_of_awk_that_print_are_known(script):
    assert awk_only_prints(script)


@pytest.mark.parametrize(
    "script",
    [
        'BEGIN{system("x")}',
        'BEGIN{print > "f"}',
        'BEGIN{print "a;b" > "f"}',
        'BEGIN{printf "a\nb" >> "f"}',
        '{print | "sh"}',
        '"x" | getline',
        '{print |& "x"}',
        '@load "x"',
        'BEGIN{f="system"; @f("x")}',
    ],
)
def test_scripts_of_awk_that_may_write_or_run_are_not(script):
    assert not awk_only_prints(script)


@pytest.mark.parametrize(
    ("reaches_out", "script", "expected"),
    [
        (sed_reaches_out, "w f", True),
        (sed_reaches_out, "1,/a/ e ls", True),
        (sed_reaches_out, "p;W f", True),
        (sed_reaches_out, "s#a#b#gew f", True),
        (sed_reaches_out, "s/a/ w /;/ e /d", False),
        (sed_reaches_out, "/a/a text, w f", False),
        (awk_reaches_out, 'BEGIN{system ("ls")}', True),
        (awk_reaches_out, '{print $1 | "sort"}', True),
        (awk_reaches_out, '{printf "%s", $1 >> "f"}', True),
        (awk_reaches_out, '{"date" | getline d}', True),
        (awk_reaches_out, '$1 > 2 || /a|b/ {print "system() > x | y"}', False),
    ],
)
def test_scripts_that_easily_seen_write_or_run_something_reach_out(reaches_out, script, expected):
    assert reaches_out(script) is expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [(".", True), (".env.x", True), ('."env"', True), ("env", False), ("$ENV.A", False), ('include "a"; b', False)],
)
def test_a_script_of_jq_only_prints_if_it_reads_its_input_alone(script, expected):
    assert jq_only_prints(script) is expected


@pytest.mark.parametrize(
    ("word", "reaches"),
    [
        ("@.env", True),
        ("-d@.env", True),
        ("a=@.env", True),
        ("a=<.env", True),
        ("%output{f}%{http_code}", True),
        ("a=b", False),
        ("me@example.org", False),
        ("https://me@example.org/?a=b", False),
    ],
)
def test_a_word_of_curl_that_names_a_file_reaches_out(word, reaches):
    assert curl_reaches_out(word) is reaches
