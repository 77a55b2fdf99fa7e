"""`find_files`: honest about ignored, unreadable, missing and left-out files."""

import os
import time

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.find_files import find_files
from cellwright.tools.read_file import read_file


def find(folder, pattern, **more):
    args = {"pattern": pattern, **more}
    assert find_files.input_schema.problems(args) == ()
    return find_files.execute(args, Env(cwd=folder.resolve()))


def names(folder, pattern, **more):
    return sorted(find(folder, pattern, **more).value["files"])


def refusal(folder, pattern, **more):
    with pytest.raises(ToolError) as caught:
        find(folder, pattern, **more)
    return caught.value


def make(folder, *paths):
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x\n")


@pytest.fixture
def project(tmp_path):
    make(tmp_path, "build/out.js", "src/a.js", ".git/config", ".git/hook.js", ".hidden.js", "src/lib/b.ts", "README.md")
    (tmp_path / ".gitignore").write_text("build/\n")
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/*.js", [".hidden.js", "src/a.js"]),
        ("*.js", [".hidden.js", "src/a.js"]),
        ("src/*", ["src/a.js"]),
        ("src/", ["src/a.js", "src/lib/b.ts"]),
        ("./src/**/*.ts", ["src/lib/b.ts"]),
        ("./*.js", [".hidden.js"]),
        ("./a.js", []),
        ("/src/*.js", None),
        ("**/*.{js,ts}", [".hidden.js", "src/a.js", "src/lib/b.ts"]),
        ("[Rr]EADME.??", ["README.md"]),
        ("src/a.js", ["src/a.js"]),
        ("build/out.js", ["build/out.js"]),
        ("build/**", ["build/out.js"]),
    ],
)
def test_patterns_fit_what_they_say(project, pattern, expected):
    if expected is None:
        assert refusal(project, pattern).code == "outside"
    else:
        assert names(project, pattern) == expected


def test_ignored_files_are_counted_when_left_out_and_marked_when_listed(project):
    assert "ignored files that fit too: 1" in find(project, "**/*.js").content
    assert ".gitignore excludes these" in find(project, "build/out.js").content


def test_an_ignored_name_does_not_come_back_by_fitting_the_pattern(project):
    (project / ".gitignore").write_text("*.log\n")
    make(project, "a.log", "b.txt")
    assert names(project, "*.{log,txt}") == ["b.txt"]


def test_the_rules_of_a_folder_above_hold_in_a_folder_below(project):
    make(project, "src/build/c.js")
    assert names(project, "*.js", path="src") == ["src/a.js"]


def test_a_pattern_is_seen_from_the_folder_searched(project):
    assert names(project, "lib/*", path="src") == ["src/lib/b.ts"]


def test_an_absolute_pattern_inside_the_working_folder_is_understood(project):
    assert names(project, f"{project.resolve()}/src/**/*.ts") == ["src/lib/b.ts"]


@pytest.mark.parametrize("pattern", ["../*", "src/../../*", "/etc/*"])
def test_a_pattern_that_leaves_the_folder_is_refused(project, pattern):
    assert refusal(project, pattern).code == "outside"


def test_copies_that_jupyter_keeps_of_notebooks_are_found_only_where_they_are_asked_for(tmp_path):
    make(tmp_path, "a.ipynb", ".ipynb_checkpoints/a-checkpoint.ipynb")
    assert names(tmp_path, "**/*.ipynb") == ["a.ipynb"]
    assert names(tmp_path, "*.ipynb", path=".ipynb_checkpoints") == [".ipynb_checkpoints/a-checkpoint.ipynb"]


def test_the_newest_file_comes_first_and_ties_are_sorted_by_name(tmp_path):
    make(tmp_path, "b", "a", "new", "old")
    now = time.time()
    for name, age in [("a", 50), ("b", 50), ("new", 0), ("old", 99)]:
        os.utime(tmp_path / name, (now - age, now - age))
    assert list(find(tmp_path, "*").value["files"]) == ["new", "a", "b", "old"]


def test_a_bounded_answer_is_stable_and_says_how_many_more(tmp_path):
    make(tmp_path, *(f"d{n % 7}/f{n}.txt" for n in range(300)))
    answers = {find(tmp_path, "**/*", limit=50).content for _ in range(10)}
    assert len(answers) == 1
    lines = answers.pop().split("\n")
    assert len(lines) == 51
    assert lines[-1].startswith("250 more files fit")


def test_link_cycles_and_broken_links_end_at_once(tmp_path):
    make(tmp_path, "a/f.txt")
    for name, target in [("loop", "../a"), ("self", "self"), ("up", ".."), ("gone.txt", "nowhere")]:
        (tmp_path / "a" / name).symlink_to(target)
    started = time.monotonic()
    assert names(tmp_path, "**/*.txt") == ["a/f.txt"]
    assert time.monotonic() - started < 2


def test_a_link_to_a_folder_outside_is_not_followed(tmp_path):
    make(tmp_path, "outside/secret.txt", "box/a.txt")
    (tmp_path / "box/away").symlink_to("../outside")
    assert names(tmp_path / "box", "**/*.txt") == ["a.txt"]
    assert refusal(tmp_path / "box", "*", path="away").code == "outside"


def test_pipes_are_passed_over(tmp_path):
    make(tmp_path, "a")
    os.mkfifo(tmp_path / "p")
    assert names(tmp_path, "*") == ["a"]


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("no/such/dir", "not_found", "does not exist"),
        ("README.md", "not_a_folder", "not a folder"),
        ("..", "outside", "outside"),
    ],
)
def test_a_folder_that_is_none_is_an_error_not_an_empty_answer(project, path, code, words):
    error = refusal(project, "*", path=path)
    assert (error.code, words in error.message) == (code, True)


def test_an_empty_answer_says_what_was_searched(project):
    output = find(project, "*.zig", path="src")
    assert output.content == "no file fits '*.zig' in src or below"
    assert (output.value["files"], output.value["total"]) == ((), 0)


@pytest.mark.parametrize("pattern", ["[a-", "{a", "", "  "])
def test_a_pattern_that_is_no_glob_is_an_error(project, pattern):
    assert refusal(project, pattern).code == "invalid_pattern"


@pytest.mark.parametrize(
    "name",
    ["Shot 1\u202fPM.txt", "cafe\u0301.txt", " lead.txt", "!odd.txt", "#h.txt", "-e.txt", "a[1].txt", "a\nb.txt"],
)
def test_every_name_found_can_be_opened_as_given(tmp_path, name):
    make(tmp_path, name)
    (found,) = names(tmp_path, "*.txt")
    assert read_file.execute({"path": found}, Env(cwd=tmp_path.resolve())).value["text"] == "x\n"


@pytest.mark.parametrize(
    ("there", "given"), [("Shot 1\u202fPM.txt", "Shot 1 PM.txt"), ("cafe\u0301.txt", "caf\u00e9.txt")]
)
def test_the_plain_spelling_of_a_name_found_opens_it_too(tmp_path, there, given):
    make(tmp_path, there)
    assert read_file.execute({"path": given}, Env(cwd=tmp_path.resolve())).value["path"] == there


@pytest.mark.parametrize("name", ["a[1].txt", "!odd.txt", "#h.txt", "-e.txt"])
def test_a_name_full_of_wildcards_finds_itself(tmp_path, name):
    make(tmp_path, name)
    assert names(tmp_path, name) == [name]


def test_a_name_that_is_no_text_is_counted(tmp_path):
    (tmp_path / os.fsdecode(b"a\xff.txt")).touch()
    assert "not UTF-8" in find(tmp_path, "*.txt").content


def test_an_ignore_rule_that_is_no_glob_is_passed_over(tmp_path):
    make(tmp_path, "a", "b")
    (tmp_path / ".gitignore").write_text("{a\nb\n")
    assert names(tmp_path, "?") == ["a"]


def test_an_exact_name_tells_of_no_file_behind_a_link_or_in_a_place_for_credentials(tmp_path):
    root = tmp_path.resolve()
    for folder in ("outside", "box/.ssh"):
        (root / folder).mkdir(parents=True)
        (root / folder / "key").touch()
    (root / "box" / "out").symlink_to("../outside")
    env = Env(cwd=root / "box")
    for pattern in (".ssh/key", "./.ssh/key", "out/key", ".SSH/key"):
        assert find_files.execute({"pattern": pattern}, env).value["files"] == ()
    for pattern in (f"{root}/box/.ssh/key", f"{root}/box/.ssh/*"):
        with pytest.raises(ToolError, match="a place for credentials"):
            find_files.execute({"pattern": pattern}, env)


def test_places_for_credentials_are_passed_over(tmp_path):
    make(tmp_path, ".ssh/id", "sub/.aws/config", ".AWS/config", ".Config/GCloud/key", ".netrc", "a")
    assert names(tmp_path, "**") == ["a"]
    assert names(tmp_path, ".AWS/*") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_can_not_be_read_is_named(tmp_path):
    make(tmp_path, "open/a", "locked/b")
    (tmp_path / "locked").chmod(0)
    output = find(tmp_path, "*")
    (tmp_path / "locked").chmod(0o700)
    assert list(output.value["files"]) == ["open/a"]
    assert "not read: locked" in output.content


@pytest.mark.parametrize("name", ["--", "-x", "--files"])
def test_a_pattern_like_an_option_is_a_pattern(tmp_path, name):
    make(tmp_path, f"./{name}", "other")
    assert names(tmp_path, name) == [name]


@pytest.mark.parametrize("pattern", ["src//a.js", "src/./a.js", "./src//./a.js"])
def test_a_pattern_means_the_same_however_its_slashes_are_written(project, pattern):
    output = find(project, pattern)
    assert output.content == "src/a.js"
    assert output.value["only_ignored"] is False


@pytest.mark.parametrize(
    ("pattern", "note"),
    [
        ("src/lib", "note: src/lib is a folder; src/lib/** lists the files in it"),
        ("link.js", "note: link.js is a link, which is not followed; its file is src/a.js"),
        (".git/**", "note: .git is not looked into; list_dir shows what is in it"),
        ("*.py, *.rs", "note: one pattern is taken; choose with {a,b}, as in *.{py,js}"),
        ("none", ""),
        ("key", ""),
    ],
)
def test_a_pattern_that_nothing_fits_is_answered_with_what_may_be_meant(project, pattern, note):
    make(project, ".ssh/id")
    (project / "link.js").symlink_to("src/a.js")
    (project / "key").symlink_to(".ssh/id")
    nothing = f"no file fits {pattern!r} in . or below"
    assert find(project, pattern).content == "\n".join(filter(None, [nothing, note]))


@pytest.mark.parametrize("pattern", ["a\0b", "\ud800"])
def test_a_pattern_that_no_program_can_be_given_is_an_error(project, pattern):
    assert refusal(project, pattern).code == "invalid_pattern"
