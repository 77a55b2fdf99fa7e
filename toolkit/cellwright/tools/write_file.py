"""`write_file`: make a text file, or replace the whole of one.

The content is written exactly as given, as UTF-8. A file that is already there keeps its own encoding and byte
order mark, its mode and its links; a file in an old 8-bit encoding that can't hold the new text becomes UTF-8, and
the result says so. The person sees the difference from what was there, so nothing is lost unseen.
"""

from __future__ import annotations

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import read_text_file
from cellwright.files.text_file import TextFile
from cellwright.text.quantity import quantity
from cellwright.text.text_diff import change_notes
from cellwright.tool import Output, tool
from cellwright.tools.location import text_path
from cellwright.tools.text_change import TextChange, change_view, check_unchanged, unread_in_part


@tool(
    paths=("path",),
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread_in_part,
    present_call=lambda args, env: change_view(_change(args["path"], args["content"], env), env),
)
def write_file(path: str, content: str, env: Env) -> Output:
    """Write a whole text file: a new one with its missing folders, or in place of what is there.

    The content is written exactly as given, in UTF-8; an existing file keeps its encoding and byte order mark. To
    change a part of a file use edit_file. Read all of a file before you replace it. Errors: stale means the file
    changed since it was read; is_directory, binary and is_notebook mean that something is there which this tool does
    not replace.

    Args:
        path: The file, relative to the working folder.
        content: The complete new text.
    """
    change = _change(path, content, env)
    shown = env.shown(change.path)
    if change.before is not None and change.before.text == change.text:
        value = {"path": shown, "created": False, "changed": False, "version": change.before.version}
        return Output(value, f"{shown} already holds exactly this; nothing to change", change.view(env))
    version = change.write(env)
    env.ledger.note_written(change.path, version, whole=True)
    value = {"path": shown, "created": change.before is None, "changed": True, "version": version}
    return Output(value, f"{shown}: {_told(change)}", change.view(env))


def _change(given: str, content: str, env: Env) -> TextChange:
    if given.endswith("/"):
        raise ToolError("is_directory", f"{given!r} names a folder; add the name of the file")
    path = text_path(given, env, "notebook_edit")
    if not path.exists():
        check_unchanged(path, env.ledger.seen(path) or "", env)
        if path.suffix.lower() == ".ipynb":
            _require_notebook(content, env.shown(path))
        return TextChange(path, None, content, content.encode())
    before = read_text_file(path)
    check_unchanged(path, before.version, env)
    text = content.removeprefix("\ufeff") if before.bom else content
    return TextChange(path, before, text, _encoded(before, text))


def _require_notebook(content: str, shown: str) -> None:
    """Refuse a new notebook that nothing could open.

    Raises:
        ToolError: `not_a_notebook`.
    """
    from cellwright.notebook.notebook_text import take_apart  # needed for the few new files that are notebooks

    try:
        take_apart(content.encode(), shown)
    except ToolError as error:
        empty = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
        message = f"{error.message} Nothing was written. An empty notebook is {empty}; notebook_edit adds cells to it"
        raise ToolError(error.code, message) from None


def _encoded(before: TextFile, text: str) -> bytes:
    try:
        return before.encode(text)
    except ToolError:
        return text.encode()


def _told(change: TextChange) -> str:
    size = quantity(len(change.data), "byte")
    if change.before is None:
        return f"created, {size}"
    was = change.before.encoding
    recoded = not was.startswith("utf") and not change.text.isascii() and change.data == change.text.encode()
    encoding = f"now UTF-8, since {was} can't hold the text" if recoded else change.before.encoding_told
    return "; ".join([f"replaced, {size}, {encoding}", *change_notes(change.before.text, change.text)])
