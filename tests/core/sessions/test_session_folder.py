import os

from cellwright import Agent, ScriptedModel
from cellwright.sessions.session_folder import SessionFolder


def log(folder, prompt):
    path = folder.new_file()
    Agent(ScriptedModel(["Hi."]), [], cwd=folder.path, log=path).run_sync(prompt)
    return path


def test_the_newest_session_is_first_and_told_by_its_prompt(tmp_path):
    folder = SessionFolder(tmp_path / "deep" / "sessions")
    assert folder.files() == ()
    paths = [log(folder, prompt) for prompt in ("One.", "Two.")]
    for age, path in enumerate(paths):
        os.utime(path, (age, age))
    assert [(file.path, file.prompt) for file in folder.files()] == [(paths[1], "Two."), (paths[0], "One.")]


def test_two_files_in_one_second_have_two_names(tmp_path):
    folder = SessionFolder(tmp_path)
    names = set()
    for _ in range(3):
        path = folder.new_file()
        path.touch()
        names.add(path.name)
    assert len(names) == 3


def test_nonsense_links_and_other_files_do_no_harm(tmp_path):
    for name, data in (("a.jsonl", b"\xff\n[]\n{}\n"), ("b.jsonl", b""), ("c.txt", b"x")):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "d.jsonl").symlink_to("/etc/passwd")
    (tmp_path / "e.jsonl").mkdir()
    assert sorted(file.path.name for file in SessionFolder(tmp_path).files()) == ["a.jsonl", "b.jsonl"]


def test_a_label_hides_nothing_and_is_short(tmp_path):
    folder = SessionFolder(tmp_path)
    log(folder, "<b>one</b>\u202e\n" + "x" * 5_000)
    (file,) = folder.files()
    assert "\u202e" not in file.label
    assert "\n" not in file.label
    assert len(file.label) < 220
