from cellwright.env import Env
from cellwright.tools.ignored import ignored_in


def test_what_holds_only_excluded_files_is_ignored_and_an_empty_folder_is_not(tmp_path):
    for name in ("build/deep", "src/gen", "empty"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("build/deep/a", "src/gen/a.pyc", "src/b.pyc", "src/c.py"):
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("build/\n*.pyc\n")
    env = Env(cwd=tmp_path.resolve())
    assert ignored_in(env.cwd, 1, env) == {"build"}
    assert ignored_in(env.cwd, 2, env) == {"build", "build/deep", "src/gen", "src/b.pyc"}
    assert ignored_in(env.cwd / "src", 1, env) == {"gen", "b.pyc"}
