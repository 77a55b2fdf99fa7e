import pytest

from cellwright.permission.shell.git_commands import GLOBAL, SUBCOMMANDS

NEVER = ["output", "ext-diff", "textconv", "open-files-in-pager", "exec", "upload-pack", "receive-pack", "exec-path"]


@pytest.mark.parametrize("option", NEVER)
def test_no_subcommand_takes_an_option_that_writes_or_runs_something(option):
    listed = {
        name.rstrip("=")
        for options in (GLOBAL, *SUBCOMMANDS.values())
        for name in (options.long + " " + options.long_valued).split()
    }
    assert option not in listed


def test_no_option_sets_configuration():
    assert "c" not in GLOBAL.short + GLOBAL.valued + GLOBAL.attached


@pytest.mark.parametrize("name", ["commit", "push", "add", "checkout", "stash", "fetch", "clean", "gc", "bisect"])
def test_a_subcommand_that_changes_something_is_not_known(name):
    assert name not in SUBCOMMANDS
