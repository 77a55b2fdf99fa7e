"""A kernel's process, seen from outside."""

import asyncio
import json
import os
import sys
from pathlib import Path

import psutil
import pytest

from cellwright.errors import ToolError
from cellwright.kernels.kernel_process import KernelProcess, installed_kernels


async def lived(use, kernel_name="python3"):
    process = KernelProcess(kernel_name, Path.cwd(), {})
    try:
        await process.start()
        return await use(process)
    finally:
        process.close()


@pytest.fixture
def install(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))

    def spec(name, *code):
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        argv = [sys.executable, "-c", *code, "{connection_file}"]
        (folder / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": name, "language": "Odd"}))

    return spec


def test_a_kernel_lives_apart_from_its_parents_keyboard_and_has_none_itself():
    async def look(process):
        return os.getsid(kernel_pid()), os.readlink(f"/proc/{kernel_pid()}/fd/0"), process.is_alive(), process.language

    session, stdin, alive, language = asyncio.run(lived(look))
    assert session != os.getsid(0)
    assert (stdin, alive, language) == ("/dev/null", True, "python")


def kernel_pid():
    (child,) = (c for c in psutil.Process().children() if "ipykernel_launcher" in c.cmdline())
    return child.pid


def test_asked_politely_a_kernel_ends_by_itself():
    async def end(process):
        await process.end()
        return process.is_alive(), process.ending()

    assert asyncio.run(lived(end)) == (False, "it ended itself with exit code 0")


def test_after_close_there_is_no_process_and_no_file():
    files = []

    async def note(process):
        files.extend(Path(part) for part in psutil.Process(kernel_pid()).cmdline() if part.endswith(".json"))
        return kernel_pid()

    pid = asyncio.run(lived(note))
    assert not psutil.pid_exists(pid)
    assert files and not any(file.exists() for file in files)


def test_a_kernel_that_fails_at_its_start_tells_its_last_words(install):
    install("broken", "import sys; sys.exit('no such thing as a kernel')")
    with pytest.raises(ToolError, match="no such thing as a kernel") as caught:
        asyncio.run(lived(None, "broken"))
    assert caught.value.code == "kernel_failed"


def test_a_kernel_whose_program_is_missing_says_so(install, tmp_path):
    install("gone")
    spec = tmp_path / "kernels" / "gone" / "kernel.json"
    spec.write_text(spec.read_text().replace(sys.executable, "/no/such/program"))
    with pytest.raises(ToolError, match="/no/such/program"):
        asyncio.run(lived(None, "gone"))


def test_installed_kernels_are_known_by_name_with_their_language(install):
    install("mine", "pass")
    assert installed_kernels().items() >= {"python3": "python", "mine": "Odd"}.items()
