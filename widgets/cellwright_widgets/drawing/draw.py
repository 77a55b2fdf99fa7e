"""Draws any view. One function for each kind, and this list of them."""

from __future__ import annotations

from typing import assert_never

from cellwright.views.file_diff import Diff
from cellwright.views.inquiry import Inquiry
from cellwright.views.notebook_diff import NotebookDiff
from cellwright.views.table import Table
from cellwright.views.todo_list import Todo
from cellwright.views.tree import Tree
from cellwright.views.view import Code, Failure, Group, Markdown, Picture, Terminal, Text, View
from cellwright_widgets.drawing.brush import TRANSCRIPT, Brush
from cellwright_widgets.drawing.code_view import draw_code
from cellwright_widgets.drawing.diff_view import draw_diff
from cellwright_widgets.drawing.error_view import draw_error
from cellwright_widgets.drawing.group_view import draw_group
from cellwright_widgets.drawing.image_view import draw_image
from cellwright_widgets.drawing.inquiry_view import draw_inquiry
from cellwright_widgets.drawing.markdown_view import draw_markdown
from cellwright_widgets.drawing.node import Node
from cellwright_widgets.drawing.notebook_diff_view import draw_notebook_diff
from cellwright_widgets.drawing.table_view import draw_table
from cellwright_widgets.drawing.terminal_view import draw_terminal
from cellwright_widgets.drawing.text_view import draw_text
from cellwright_widgets.drawing.todo_view import draw_todo
from cellwright_widgets.drawing.tree_view import draw_tree


def draw(view: View, brush: Brush = TRANSCRIPT) -> Node:
    """The view as a node."""
    match view:
        case Text():
            return draw_text(view, brush)
        case Markdown():
            return draw_markdown(view, brush)
        case Code():
            return draw_code(view, brush)
        case Diff():
            return draw_diff(view, brush)
        case NotebookDiff():
            return draw_notebook_diff(view, brush, draw)
        case Table():
            return draw_table(view, brush)
        case Tree():
            return draw_tree(view, brush)
        case Terminal():
            return draw_terminal(view, brush)
        case Picture():
            return draw_image(view, brush)
        case Failure():
            return draw_error(view, brush)
        case Inquiry():
            return draw_inquiry(view, brush)
        case Todo():
            return draw_todo(view, brush)
        case Group():
            return draw_group(view, brush, draw)
        case _:
            assert_never(view)
