"""What can go wrong under a file tool: a full disk, a limit, a user who may not, a process that is killed."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

only_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits and users")


@contextlib.contextmanager
def files_may_have(size):
    """Files of this process may not grow beyond so many bytes, as with `ulimit -f`."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def small_disk(folder, size="128k"):
    """A disk of so many bytes at a folder; the test is skipped where this process may not mount one."""
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if not mount or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextlib.contextmanager
def folder_of_another(files):
    """A folder with these files, and a process that may not write in it, whoever runs the tests."""
    folder = Path(os.path.realpath(tempfile.mkdtemp()))
    for name, data in files.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o666)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65_534)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def killed_while_writing(program, *args, after):
    """Runs a program that says `begun` and then writes without end, and kills it after so many seconds."""
    command = [sys.executable, "-c", program, *map(str, args)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        time.sleep(after)  # the moment is to be any
        process.send_signal(signal.SIGKILL)
