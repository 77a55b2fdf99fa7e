"""`multi_edit`: several replacements in one file, all of them or none.

Each edit works on the result of the one before, so a later one may change what an earlier one wrote. All are made
in memory and the file is written once: an edit that can't be made leaves the file untouched and is named by its
number. Two edits that claim the same text are told from one whose text was never there.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.text.quantity import quantity
from cellwright.tool import Output, tool
from cellwright.tools.replacement import Replacement, all_replaced
from cellwright.tools.text_change import TextChange, change_view, text_before, unread


@tool(
    paths=("path",),
    counts_as={"path": ("edit_file",)},
    operations="edits",
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread,
    present_call=lambda args, env: change_view(
        _change(args["path"], [Replacement(**edit) for edit in args["edits"]], env)[0], env
    ),
)
def multi_edit(path: str, edits: Annotated[list[Replacement], Field(min_length=1)], env: Env) -> Output:
    """Make several exact replacements in one file, all or none.

    The edits are made in order, each on the result of the one before, by the rules of edit_file. If one can't be
    made, nothing is written and the error names it ("edit 2 of 3"). Edits whose texts overlap are an error: make
    one of them.

    Args:
        path: The file, relative to the working folder.
        edits: The replacements, in order.
    """
    change, counts = _change(path, edits, env)
    version = change.write(env)
    shown = env.shown(change.path)
    value = {"path": shown, "replacements": counts, "version": version}
    content = (
        f"{shown}: made {quantity(len(counts), 'edit')}, {quantity(sum(counts), 'replacement')} in all{change.warning}"
    )
    return Output(value, content, change.view(env))


def _change(path: str, edits: list[Replacement], env: Env) -> tuple[TextChange, list[int]]:
    before = text_before(path, env)
    text, counts = all_replaced(before.text, edits)
    return TextChange.of(before, text), counts
