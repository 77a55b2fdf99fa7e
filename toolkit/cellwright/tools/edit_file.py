"""`edit_file`: replace one exact piece of a text file and leave every other byte alone.

Encoding, byte order mark, line ends, tabs and the final newline stay, since the file is never rebuilt: the piece is
exchanged in the decoded text and the rest goes back as the bytes it was. The file has to be read before, at least in
part; that the model knows the place is proved by the quote in `old_string`. The person approves the diff itself.
"""

from __future__ import annotations

from cellwright.env import Env
from cellwright.tool import Output, tool
from cellwright.tools.replacement import Replaced, Replacement, replaced
from cellwright.tools.text_change import TextChange, change_view, text_before, unread

LINES_NAMED = 20


@tool(
    paths=("path",),
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread,
    present_call=lambda args, env: change_view(_change(args["path"], _replacement(**args), env)[0], env),
)
def edit_file(path: str, old_string: str, new_string: str, env: Env, replace_all: bool = False) -> Output:
    """Replace an exact piece of text in a file. All other bytes stay as they are.

    Read the file first. old_string must fit exactly one place, white space included; if it fits several, add lines
    around it or set replace_all. Quote the file itself, without the line numbers that read_file shows. A line break
    in old_string fits the file's own line ends (LF or CRLF), and new_string takes them over. Errors: not_found shows
    the nearest text, not_unique the lines, stale means the file changed since it was read, not_encodable that its old
    encoding has no such character. Nothing is written on error.

    Args:
        path: The file, relative to the working folder.
        old_string: The exact text to replace.
        new_string: The text to put there, taken literally.
        replace_all: Replace every occurrence instead of the only one.
    """
    change, made = _change(path, Replacement(old_string, new_string, replace_all), env)
    version = change.write(env)
    shown = env.shown(change.path)
    value = {"path": shown, "replacements": len(made.lines), "lines": made.lines[:LINES_NAMED], "version": version}
    return Output(value, f"{shown}: replaced {_places(made.lines)}{change.warning}", change.view(env))


def _change(path: str, wanted: Replacement, env: Env) -> tuple[TextChange, Replaced]:
    before = text_before(path, env)
    made = replaced(before.text, wanted)
    return TextChange.of(before, made.text), made


def _replacement(path: str, old_string: str, new_string: str, replace_all: bool = False) -> Replacement:
    return Replacement(old_string, new_string, replace_all)


def _places(lines: tuple[int, ...]) -> str:
    if len(lines) == 1:
        return f"1 occurrence at line {lines[0]}"
    more = ", ..." if len(lines) > LINES_NAMED else ""
    return f"{len(lines):,} occurrences at lines {', '.join(map(str, lines[:LINES_NAMED]))}{more}"
