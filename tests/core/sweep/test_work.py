"""What a run has made of its folder."""

import os
import shutil

import pytest

from cellwright.sweep.work import MAX_WORK, copied, folder_digest, packed_work, restored, stamps


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "in"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("kept.txt", "changed.txt", "gone.txt", "deep/er/gone.txt", "gone.json"):
        (folder / name).write_text(name)
    return folder


def change(work):
    (work / "changed.txt").write_text("other")
    (work / "gone.txt").unlink()
    shutil.rmtree(work / "deep")
    (work / "deep").symlink_to("kept.txt")
    (work / "new" / "empty").mkdir(parents=True)
    (work / "new" / "a.txt").write_text("a")
    (work / "gone.json").write_text("no package's own")


def all_of(folder):
    return {
        path.relative_to(folder).as_posix(): os.readlink(path)
        if path.is_symlink()
        else path.read_text()
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


def test_the_folder_comes_back_as_the_run_has_left_it(tmp_path, source):
    copied(source, tmp_path / "work")
    before = stamps(tmp_path / "work")
    change(tmp_path / "work")
    package = tmp_path / "work.tar.gz"
    package.write_bytes(packed_work(tmp_path / "work", before))
    restored(source, package, tmp_path / "again")
    assert all_of(tmp_path / "again") == all_of(tmp_path / "work")


def test_only_what_differs_is_kept_and_not_too_much_of_it(tmp_path):
    copied(None, tmp_path / "work")
    (tmp_path / "work" / "large").write_bytes(os.urandom(MAX_WORK + 1))
    assert packed_work(tmp_path / "work", {}) == b""
    assert len(packed_work(tmp_path / "work", stamps(tmp_path / "work"))) < 1_000


def test_a_folder_with_other_files_has_another_digest_and_results_in_it_do_not_count(source):
    first = folder_digest(source, source / "out")
    (source / "out").mkdir()
    (source / "out" / "results.jsonl").write_text("{}")
    assert folder_digest(source, source / "out") == first
    (source / "kept.txt").write_text("other")
    assert folder_digest(source, source / "out") != first
    assert folder_digest(None, source) == ""
