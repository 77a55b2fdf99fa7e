import time

import pytest

from cellwright.permission.shell.little_languages import awk_only_prints, sed_only_prints


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
    begun = time.thread_time()
    for script in ("p   " * 120 + "X", "/a/ " * 120, "s/" + "\\/" * 240, "1,2" * 160, "!" * 400, "{ " * 200):
        sed_only_prints(script)
    assert time.thread_time() - begun < 0.2


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
