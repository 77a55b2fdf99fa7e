"""Another program that puts a link in the place of a folder and takes it away again, all the time."""

import contextlib
import os
import subprocess
import sys

import pytest

only_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX links")

PROGRAM = """
import itertools, os, select, sys, time
folder, target = sys.argv[1:]
numbers = itertools.count()

def put(make):
    "Does it, if need be after what someone made in the place of the folder was moved aside."
    while True:
        try:
            return make()
        except OSError:
            os.rename(folder, f"{folder}.{next(numbers)}")

print("begun", flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(50):
        os.rename(folder, folder + ".away")
        put(lambda: os.symlink(target, folder))
        time.sleep(0.0001)
        os.unlink(folder)
        put(lambda: os.rename(folder + ".away", folder))
        time.sleep(0.0001)
"""


@contextlib.contextmanager
def swapped_all_the_time(folder, target):
    """While this goes on, the folder is now itself, now not there, now a link to the target; in the end itself."""
    command = [sys.executable, "-c", PROGRAM, str(folder), str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        try:
            yield
        finally:
            process.stdin.close()
            assert process.wait(20) == 0


def swap(folder, target):
    """Puts a link to the target in the place of a folder, which is kept beside it."""
    folder.rename(f"{folder}.away")
    folder.symlink_to(target)
