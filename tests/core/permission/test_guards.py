import asyncio

import pytest

from cellwright import Agent, Env, Policy, ScriptedModel, Tool, Turn
from cellwright.catalogue import load
from cellwright.permission.guards import rules_stay
from cellwright.person.approval import AllowAll

from ..scene import BYPASS, CONSENT, calling, play

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "paths": {"type": "array"}, "any": {}},
}


@pytest.fixture
def box(tmp_path):
    """A folder with keys, links to keys, links outside, and a neighbour whose name begins like its own."""
    root = tmp_path.resolve()
    for name in ("box/.ssh", "box/.config/gcloud", "box/.config/other", "box/sub", "box2", "keys/.aws"):
        (root / name).mkdir(parents=True)
    (root / "box" / ".ssh" / "id").write_text("key")
    (root / "box" / "e").symlink_to(".ssh")
    (root / "box" / "sub" / "key").symlink_to("../.ssh/id")
    (root / "box" / "out").symlink_to(root / "box2")
    (root / "box" / "file").symlink_to(root / "box" / ".ssh" / "id")
    return root / "box"


def result_of(args, box, policy=None, **facts):
    """What comes of a call of a tool that would run without a question."""
    ran = []
    plain = Tool.from_schema("t", "", SCHEMA, lambda args, env: ran.append(1) or "ran")
    tool = Tool("t", "", plain.input_schema, plain.execute, **{"paths": ("path", "paths", "any"), **facts})
    model = ScriptedModel([Turn(calls=[("t", args)]), "done"])
    run = asyncio.run(
        Agent(model, [tool], cwd=box, policy=policy or Policy("bypass", consent=CONSENT), approver=AllowAll()).run("go")
    )
    (result,) = run.results
    assert bool(ran) is result.ok
    return result


OUTSIDE = ["..", "../box2", "../box2/x", "/etc/passwd", "out", "out/x", "sub/../../box2", "out/../../box"]


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("path", OUTSIDE)
def test_no_mode_and_no_person_lifts_the_walls_of_the_working_folder(box, path, read_only):
    result = result_of({"path": path}, box, read_only=read_only)
    assert result.error_type == "guard_denied"
    assert result.content.endswith(f"outside the working folder {box}; use a path inside it")


KEYS = [".ssh", ".ssh/id", "./.ssh/id", "sub/../.ssh/id", ".//.ssh", ".ssh/", "e", "e/id", "file", "sub/.aws/x", ".SSH"]


@pytest.mark.parametrize("path", [*KEYS, ".config/gcloud/x", "a/.Config/GCloud", ".netrc"])
def test_a_place_for_credentials_is_denied_however_it_is_spelled(box, path):
    result = result_of({"path": path}, box)
    assert result.error_type == "guard_denied"
    assert result.content == f"{path!r} is a place for credentials, which tools never touch; work without it"
    absolute = result_of({"path": str(box / path)}, box)
    assert absolute.error_type == "guard_denied"


@pytest.mark.parametrize("path", ["my.ssh", "x/.sshrc", ".config/other", "gcloud", ".netrc.txt", "ssh", "../box/a"])
def test_names_that_only_look_like_credentials_are_free(box, path):
    assert result_of({"path": path}, box).ok


def test_a_working_folder_below_a_place_for_credentials_is_the_persons_choice(box):
    assert result_of({"path": "a"}, box.parent / "keys" / ".aws").ok


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"paths": ["a", "../box2"]}, "outside the working folder"),
        ({"paths": ["a", ".ssh"]}, "credentials"),
        ({"paths": [["a"]]}, "the guard inside_working_folder failed (TypeError: paths holds no path but array)"),
        ({"any": {"p": "a"}}, "any holds no path but object"),
        ({"any": 3}, "any holds no path but integer"),
        ({"path": ""}, "is not a path; give one relative to the working folder"),
        ({"path": "a\0b"}, "is not a path"),
    ],
    ids=range(7),
)
def test_each_path_is_judged_and_what_is_no_path_is_denied(box, args, words):
    result = result_of(args, box)
    assert result.error_type == "guard_denied"
    assert words in result.content


def test_paths_that_are_not_given_are_not_judged(box):
    assert result_of({}, box).ok
    assert result_of({"paths": ["a", "sub/b"], "any": None}, box).ok


@pytest.mark.parametrize(("read_only", "error"), [(True, None), (False, "guard_denied"), ("yes", "guard_denied")])
def test_plan_mode_runs_what_only_reads(box, read_only, error):
    result = result_of({"path": "a"}, box, policy="plan", read_only=read_only)
    assert result.error_type == error
    if error:
        assert "in plan mode only read-only tools run, and t is not; present the plan" in result.content


@pytest.mark.parametrize("path", [".git/config", ".git", "sub/.git/hooks/x", ".cellwright/a", ".GIT/x", ".bashrc"])
def test_no_edit_changes_what_decides_over_later_calls(box, path):
    result = result_of({"path": path}, box)
    assert result.error_type == "guard_denied"
    assert result.content == f"{path!r} decides what runs later, so tools never change it; ask the person to do it"
    assert result_of({"path": path}, box, read_only=True).ok


@pytest.mark.parametrize("name", ["permissions.toml", "trusted.json", "new"])
def test_the_persons_own_rules_are_out_of_reach_also_where_the_working_folder_holds_them(box, name, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(box / "own"))
    (box / "link").symlink_to("own")
    for path in (f"own/cellwright/{name}", f"link/cellwright/{name}", f"{box}/own/cellwright/{name}"):
        assert result_of({"path": path}, box).error_type == "guard_denied"
    line = result_of({"path": f"echo x > own/cellwright/{name}"}, box, command="path", paths=())
    assert line.error_type == "guard_denied"
    assert result_of({"path": "own/other"}, box).ok


@pytest.mark.parametrize("path", [".gitignore", ".github/x", "cellwright", "git/config"])
def test_files_that_only_look_like_them_may_be_edited(box, path):
    assert result_of({"path": path}, box).ok


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cat .ssh/id", "'.ssh/id' is a place for credentials"),
        ("cat ~/.aws/credentials", "is a place for credentials"),
        ("cat --file=$HOME/.ssh/id", "is a place for credentials"),
        ("sudo cat < e/id", "'e/id' is a place for credentials"),
        ("bash -c 'cat file'", "'file' is a place for credentials"),
        ("cat .ss?/id", "'.ss?/id' is a place for credentials"),
        ("cat .ss[h]/id", "'.ss[h]/id' is a place for credentials"),
        ("cat {.ssh,sub}/id", "'{.ssh,sub}/id' is a place for credentials"),
        ("cat ?/id", "'?/id' is a place for credentials"),
        ("cat < .config/g*", "'.config/g*' is a place for credentials"),
        ("echo x > .git/hooks/pre-commit", "decides what runs later"),
        ("bash -c 'echo x >> .cellwright/permissions.toml'", "decides what runs later"),
        ("cp a .git/hooks/pre-commit", "decides what runs later"),
        ("echo x | sudo tee -a .git/config", "decides what runs later"),
        ("mkdir sub && cd .git && echo x > config", "'config' decides what runs later"),
        ("cd .git; cp ../a hooks/pre-push", "decides what runs later"),
        ("cd sub && cat key", "'key' is a place for credentials"),
    ],
)
def test_no_mode_lifts_the_guards_for_a_command_line(box, line, words):
    result = result_of({"path": line}, box, command="path", paths=())
    assert (result.error_type, words in result.content) == ("guard_denied", True), result.content


def test_plan_mode_runs_commands_that_only_read(box):
    assert result_of({"path": "ls"}, box, policy="plan", command="path", paths=()).ok
    result = result_of({"path": "touch a"}, box, policy="plan", command="path", paths=())
    assert "in plan mode only read-only tools run, and this command is not known to only read" in result.content


def edits(folder, *calls):
    """What comes of these calls of the tools for files, in a run that nobody is asked about."""
    run = play([*map(calling, calls), "done"], "all", cwd=folder, policy=BYPASS)
    return [(result.error_type or "ok") for result in run.results], run.results[-1].content


READ = ("read_file", {"path": "a.txt"})
PART = ("read_file", {"path": "a.txt", "limit": 1})
REST = ("read_file", {"path": "a.txt", "offset": 2})
EDIT = ("edit_file", {"path": "a.txt", "old_string": "two", "new_string": "2"})
EDITS = ("multi_edit", {"path": "a.txt", "edits": [{"old_string": "two", "new_string": "2"}]})
WRITE = ("write_file", {"path": "a.txt", "content": "new\n"})
NEW = ("write_file", {"path": "new.txt", "content": "x"})
AGAIN = ("write_file", {"path": "new.txt", "content": "y"})


@pytest.mark.parametrize(
    ("calls", "last", "words"),
    [
        ([EDIT], "guard_denied", "a.txt was not read in this run, so nothing in it is changed; read it first"),
        ([EDITS], "guard_denied", "read it first with read_file"),
        ([WRITE], "guard_denied", "read it first with read_file"),
        ([PART, EDIT], "ok", "replaced"),
        ([PART, EDITS], "ok", "1 edit, "),
        ([PART, WRITE], "guard_denied", "only a part of a.txt was read, and all of it would go; read the rest"),
        ([PART, REST, WRITE], "ok", "replaced"),
        ([READ, WRITE, WRITE], "ok", "nothing to change"),
        ([READ, EDIT, WRITE], "ok", "replaced"),
        ([NEW], "ok", "created"),
        ([NEW, AGAIN], "ok", "replaced"),
        ([("search_code", {"pattern": "two"}), EDIT], "guard_denied", "read it first"),
    ],
    ids=range(12),
)
def test_what_is_there_is_changed_only_by_a_model_that_has_read_it(tmp_path, calls, last, words):
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    outcomes, content = edits(tmp_path, *calls)
    assert (outcomes[-1], words in content) == (last, True), content


@pytest.mark.parametrize("line", ["echo x > hooks/pre-commit", "echo x > link", "echo x >> ../a/link", "echo x > lin?"])
def test_what_a_line_writes_is_seen_from_the_folder_in_which_it_runs(tmp_path, line):
    root = tmp_path.resolve()
    (root / "a" / "hooks").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "a" / "link").symlink_to(root / ".git" / "config")
    env = Env(root, moved_to=lambda: "a")
    assert bool(rules_stay(load("run_command"), {"command": line}, env, "default")) == ("lin" in line)
