"""A tool that does to files what tools do to files, and the whole of a folder to compare before and after."""

import os
import stat

from .scene import BYPASS, agent_of, calling, plain

ACTS = {
    "write": lambda path, other, data: put(path, data),
    "delete": lambda path, other, data: path.unlink(missing_ok=True),
    "move": lambda path, other, data: moved(path, other),
    "mode": lambda path, other, data: path.exists() and path.chmod(0o600 + 8 * len(data)),
    "link": lambda path, other, data: linked(path, data),
    "fail": lambda path, other, data: 1 / 0,
}


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    path.write_bytes(data)


def moved(path, other):
    if os.path.lexists(path):
        other.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, other)


def linked(path, data):
    put(path, b"")
    path.unlink()
    os.symlink(f"to-{len(data)}", path)


def execute(args, env):
    paths = [env.path(args[name]) for name in ("path", "other")]
    ACTS[args["act"]](*paths, args["data"].encode("latin-1"))
    return "done"


TEXT = {"type": "string"}
SCHEMA = {"type": "object", "properties": {"act": TEXT, "path": TEXT, "other": TEXT, "data": TEXT}}
change = plain(execute, "change", SCHEMA, read_only=False, paths=("path", "other"))
"""A third-party tool: it says which of its parameters are paths, and no more."""


def changing(act, path, other="never", data=""):
    return "change", {"act": act, "path": path, "other": other, "data": data}


def changed(folder, *calls, more=(), **conditions):
    """A run that makes these calls, one in each turn."""
    turns = [*map(calling, calls), "done"]
    return agent_of(turns, [change, *more], cwd=folder, policy=BYPASS, **conditions).run_sync("go")


def tree(folder):
    """All there is in a folder, but for our own: kind, mode and content of each."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] == ".cellwright":
            continue
        if path.is_symlink():
            found[name] = "link", os.readlink(path)
        elif path.is_dir():
            found[name] = "folder", stat.S_IMODE(path.stat().st_mode)
        else:
            found[name] = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
    return found
