"""Notebook documents that are edited without being rewritten."""

from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument, check

__all__ = ["Cell", "NotebookDocument", "check"]
