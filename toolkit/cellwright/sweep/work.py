"""What a run has made of its folder, kept so that another check can look at it.

A check is edited long after the run, whose folder is gone by then. Folders of data are large, and a run changes little
of them: so only what differs from the task's folder is packed, and put on a copy of it. The rule that must never break:
the folder that comes back is the one that the run has left.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

Stamps = dict[str, tuple[int, ...]]
"""What of a file differs once it was changed, by its path in the folder."""
GONE = "gone.json"
"""The first file of a package; it lists the paths that are no more, or something else."""
MAX_WORK = 10_000_000
"""Bytes of a package at most; what is more is not kept."""


def copied(source: str | Path | None, work: Path) -> None:
    """Makes the folder of a run: a copy of the task's, or an empty one."""
    if source is None:
        work.mkdir()
    else:
        shutil.copytree(source, work, symlinks=True)


def stamps(folder: Path) -> Stamps:
    """How its files stand now."""
    found: Stamps = {}
    for path in _all(folder):
        facts = path.lstat()
        times = () if path.is_dir() and not path.is_symlink() else (facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size)
        found[path.relative_to(folder).as_posix()] = (facts.st_mode, *times)
    return found


def packed_work(folder: Path, before: Stamps) -> bytes:
    """What differs from how it was; empty if that is too much to be kept."""
    now = stamps(folder)
    other = [name for name, stamp in now.items() if before.get(name) != stamp]
    if sum((folder / name).lstat().st_size for name in other) > MAX_WORK:
        return b""
    gone = json.dumps([name for name in before if before[name] != now.get(name)]).encode()
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", compresslevel=1) as package:
        head = tarfile.TarInfo(GONE)
        head.size = len(gone)
        package.addfile(head, io.BytesIO(gone))
        for name in other:
            package.add(folder / name, name, recursive=False)
    return data.getvalue()


def restored(source: str | Path | None, packed: Path, work: Path) -> None:
    """Makes the folder as the run has left it."""
    copied(source, work)
    with tarfile.open(packed) as package:
        head, *members = package.getmembers()
        gone = package.extractfile(head)
        for name in reversed(json.load(gone) if gone else []):
            path = work / name
            if path.is_dir() and not path.is_symlink():
                _take_out(path)
            else:
                path.unlink(missing_ok=True)
        package.extractall(work, members, filter="tar")  # which puts nothing elsewhere, whatever a package says


def folder_digest(folder: str | Path | None, results: Path) -> str:
    """The content of a task's folder, without the results if they stand in it; empty if there is none."""
    if folder is None:
        return ""
    told = hashlib.sha256()
    root = Path(folder).resolve()
    for path in _all(root):
        if path.is_relative_to(results):
            continue
        mode = path.lstat().st_mode
        told.update(f"{path.relative_to(root).as_posix()}\0{mode}\0".encode(errors="surrogateescape"))
        if path.is_symlink():
            told.update(os.readlink(path).encode(errors="surrogateescape"))
        elif path.is_file():
            with path.open("rb") as file:
                told.update(hashlib.file_digest(file, "sha256").digest())
    return told.hexdigest()


def _all(folder: Path) -> Iterator[Path]:
    """All that is in a folder, what holds others before these, links not followed."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _all(path)


def _take_out(folder: Path) -> None:
    """Takes out a folder that was emptied; one that only has other rights stays."""
    if not any(folder.iterdir()):
        folder.rmdir()
