import pytest

from cellwright.permission.shell.known_commands import DECLARING, FIRST_IS_TEXT, NO_PATHS, PROGRAMS, TEXTUAL
from cellwright.permission.shell.wrappers import BARE, SHELLS

WRITERS = ["tee", "cp", "mv", "rm", "dd", "touch", "chmod", "python", "ln", "mkdir", "curl", "wget", "ssh", "make"]


@pytest.mark.parametrize("name", [*WRITERS, *sorted(BARE), *sorted(SHELLS)])
def test_no_program_that_writes_or_runs_is_known_beyond_its_version(name):
    assert name not in PROGRAMS or PROGRAMS[name].needs == "-V --version"


def test_special_lists_name_only_commands_that_are_known():
    known = {*PROGRAMS, *DECLARING, "git grep"}
    assert (TEXTUAL | FIRST_IS_TEXT | NO_PATHS) - known == set()


def test_no_option_is_listed_with_and_without_a_value():
    doubled = {name: set(options.short) & set(options.valued + options.attached) for name, options in PROGRAMS.items()}
    assert {name: letters for name, letters in doubled.items() if letters and name != "ps"} == {}
