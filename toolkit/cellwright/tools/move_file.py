"""`move_file`: give a file another name or folder; its content, mode and other names stay.

A move has two ends, and each is judged as what it is: what lies at the source is taken away and can be read under its
new name, what lies at the destination is written. So rules against reading or editing a path hold for a move as well,
and a file that is denied can't be read by moving it first. A file that is in the way stays; it goes only if the model
asks for that and has read all of it. The rule that must never break: a link is never moved or followed by this tool.
"""

from __future__ import annotations

import os
from pathlib import Path

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import read_file_bytes
from cellwright.files.moving import move_regular_file
from cellwright.files.text_file import TextFile
from cellwright.messages import JsonObject
from cellwright.tool import Output, tool
from cellwright.tools.text_change import content_version
from cellwright.views.file_diff import diff_view
from cellwright.views.view import Group, Text, View


def unread_destination(args: JsonObject, env: Env) -> str | None:
    """Why a file in the way may not be lost: all of it has to be read, and only text can be."""
    new = env.path(args["destination"])
    if not args.get("overwrite") or not new.is_file() or env.ledger.knows_whole(new):
        return None
    return f"{env.shown(new)} exists and would be lost, but not all of it was read; read it, or choose another name"


@tool(
    paths=("source", "destination"),
    counts_as={
        "source": ("read_file", "write_file", "edit_file", "notebook_read", "notebook_edit"),
        "destination": ("write_file", "edit_file", "notebook_edit"),
    },
    destructive=lambda args: args.get("overwrite", False) is not False,
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread_destination,
    present_call=lambda args, env: _view(*_ends(args["source"], args["destination"], env), args.get("overwrite"), env),
)
def move_file(source: str, destination: str, env: Env, overwrite: bool = False) -> Output:
    """Move or rename a file. Missing folders of the new path are made; what names the file in other files stays.

    The destination is the whole new path, with the name of the file. If a file is there already, nothing is moved,
    unless overwrite is true and all of that file was read. Errors: exists, is_directory (a folder is moved by
    run_command with mv), is_link, not_found, same_file, stale (the file in the way changed since it was read).

    Args:
        source: The file, relative to the working folder.
        destination: Its new path, relative to the working folder.
        overwrite: Replace a file that is there; it is lost.
    """
    path, new = _ends(source, destination, env)
    view = _view(path, new, overwrite, env)
    over = _in_the_way(new, env) if overwrite else None
    move_regular_file(path, new, over)
    env.ledger.move(path, new)
    value = {"source": env.shown(path), "destination": env.shown(new), "replaced": over is not None}
    told = f"moved {env.shown(path)} to {env.shown(new)}" + (", in place of what was there" if over is not None else "")
    return Output(value, told, view)


def _ends(source: str, destination: str, env: Env) -> tuple[Path, Path]:
    path, new = env.path(source), env.path(destination)
    if not os.path.lexists(path):
        read_file_bytes(path, 0)  # says what is near
    for given, place in ((source, path), (destination, new)):
        if os.path.islink(env.cwd / given.rstrip("/")):
            raise ToolError(
                "is_link", f"{given!r} is a link to {env.shown(place)}; name that, or use run_command with mv"
            )
    if path.is_dir():
        raise ToolError(
            "is_directory", f"{env.shown(path)} is a folder; move_file moves files, run_command with mv both"
        )
    if destination.endswith("/") or new.is_dir():
        whole = os.path.join(destination, path.name)
        raise ToolError("is_directory", f"{destination!r} names a folder; give the whole new path, such as {whole!r}")
    if path == new:
        raise ToolError("same_file", f"{source!r} and {destination!r} are the same file; nothing to move")
    return path, new


def _in_the_way(new: Path, env: Env) -> bytes | None:
    """What is at the destination, if it is what the model read; None if nothing is there."""
    if not new.exists():
        return None
    data = read_file_bytes(new)
    if env.ledger.seen(new) not in (None, content_version(data)):
        raise ToolError("stale", f"{env.shown(new)} changed since it was read; read it again, nothing was moved")
    return data


def _view(path: Path, new: Path, overwrite: object, env: Env) -> View:
    if not overwrite and new.exists():
        raise ToolError("exists", f"{env.shown(new)} already exists; nothing was moved. Name another path")
    moved = Text(f"{env.shown(path)} -> {env.shown(new)}")
    if not new.exists():
        return moved
    try:
        old, text = (TextFile.of(place, read_file_bytes(place)).text for place in (new, path))
    except ToolError as error:
        return Group(f"{env.shown(new)} is replaced", (moved, Text(error.message)))
    return Group(f"{env.shown(new)} is replaced", (moved, diff_view(old, text, env.shown(new))))
