"""A walk in Python finds what ripgrep would."""

import pytest

from cellwright.tools.plain_walk import Walk

FILES = ("a.js", "src/b.js", "src/deep/c.py", "build/out.js", ".git/x.js", ".h.js", "x.log", "keep.log")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    root = tmp_path / "above" / "root"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / ".gitignore").write_text("build/\n*.log\n!keep.log\n")
    (root / "src" / "loop").symlink_to("..")
    (root / "gone").symlink_to("nowhere")
    monkeypatch.chdir(root)
    return root


def walked(globs=(), types=(), ignore_files=(), by_rules=True):
    all_globs = [*((glob, False) for glob in globs), ("!**/.git", True)]
    return [name.removeprefix("./") for name in Walk(all_globs, types, ignore_files, by_rules).files()]


def test_files_come_in_order_without_what_rules_exclude_and_without_links(tree):
    assert walked() == [".gitignore", ".h.js", "a.js", "keep.log", "src/b.js", "src/deep/c.py"]


def test_without_rules_all_files_come(tree):
    assert set(walked(by_rules=False)) == {*FILES, ".gitignore"} - {".git/x.js"}


def test_a_glob_keeps_what_it_fits_and_outranks_the_rules(tree):
    assert walked(["*.js"]) == [".h.js", "a.js", "src/b.js"]
    assert walked(["x.log"]) == ["x.log"]


def test_a_type_keeps_names_and_an_ignore_file_comes_after_the_rules(tree, tmp_path):
    assert walked(types=["*.py"]) == ["src/deep/c.py"]
    (tmp_path / "more").write_text("*\n!*/\n!src/**\n")
    assert walked(ignore_files=[str(tmp_path / "more")]) == ["keep.log", "src/b.js", "src/deep/c.py"]


def test_rules_of_a_folder_above_hold_up_to_a_repository(tree):
    (tree.parent / ".gitignore").write_text("root/a.js\n")
    assert "a.js" in walked()
    (tree / ".git" / "x.js").unlink()
    (tree / ".git").rmdir()
    assert "a.js" not in walked()
