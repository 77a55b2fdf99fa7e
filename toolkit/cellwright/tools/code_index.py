"""`code_index`: what a file or folder defines, and where a symbol is defined.

A search for `run` finds every use of it; what a model most often wants is the one place where it is made, with the
lines to read. Grammars know that place. A file in which something is broken still gives what can be read, and is named
as broken. The rule that must never break: no definition, definitions, and code that was not read never look alike.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import read_text_file
from cellwright.notebook.stored import StoredNotebook
from cellwright.outline.code_cells import code_cells
from cellwright.outline.language import NOTEBOOK, SUFFIXES, language_of
from cellwright.outline.parsing import Outline, Parser, Source
from cellwright.outline.symbol import Kind, Symbol
from cellwright.tool import Output, tool
from cellwright.tools.code_files import CodeFiles, code_files
from cellwright.tools.code_report import CodeReport, FileSymbols, Found

MAX_NOTEBOOK = 20_000_000
"""Bytes of a notebook that is read where a whole folder is."""
Wanted = Callable[[Symbol], bool]


def _there_are_grammars(env: Env) -> bool | str:
    if importlib.util.find_spec("semble_grammars") is not None:
        return True
    return "reading definitions needs grammars, which are not installed; run pip install 'cellwright[index]'"


@tool(
    read_only=True,
    concurrency_safe=True,
    paths=("path",),
    counts_as={"path": ("read_file", "notebook_read")},
    origin="built-in",
    enabled=_there_are_grammars,
)
def code_index(
    env: Env,
    path: str = ".",
    symbol: str = "",
    kind: Kind | None = None,
    limit: Annotated[int, Field(ge=1, le=2000)] = 200,
) -> Output:
    """Show what source code defines (an outline), or where one symbol is defined, with the lines to read.

    Knows Python, R, Julia, SQL, JavaScript, TypeScript and the code cells of notebooks. Each definition is told with
    its lines, kind and signature; in a notebook with the id of its cell, within which lines count. A folder is told by
    its top-level definitions; name a file to see all of it, or a symbol to find it at any depth. Errors: not_found and
    unknown_language are about path. For uses of a symbol take search_code.

    Args:
        path: The file or folder, relative to the working folder.
        symbol: A name such as run or Runner.run, or a pattern such as test_*; empty for an outline.
        kind: Only definitions of this kind.
        limit: How many definitions to list at most.
    """
    place = env.path(path)
    symbol = symbol.strip().removesuffix("()")
    if not place.exists():
        raise ToolError("not_found", f"{path} does not exist; find_files lists what does")
    is_folder = place.is_dir()
    files = code_files(place, symbol, env) if is_folder else CodeFiles((place,), 1)
    wanted = _wanted(symbol, kind, top_level=is_folder and not symbol and not kind)
    report = CodeReport(env.shown(place), symbol, kind or "", limit, files)
    with Parser(env.stopping) as parser:
        for index, file in enumerate(files.paths):
            if parser.is_over or (not symbol and report.is_full):
                report.unread_files = len(files.paths) - index
                report.out_of_time = parser.is_over
                break
            _read(file, parser, wanted, report, env, alone=not is_folder)
    return Output(report.value(), report.content(), report.view())


def _wanted(symbol: str, kind: str | None, top_level: bool) -> Wanted:
    def is_wanted(found: Symbol) -> bool:
        if kind and found.kind != kind:
            return False
        if symbol:
            return found.is_called(symbol)
        return not (top_level and (found.depth or found.kind == "variable"))

    return is_wanted


def _read(file: Path, parser: Parser, wanted: Wanted, report: CodeReport, env: Env, alone: bool) -> None:
    """Put what a file defines into the report; why it can't be read is an error if it was asked for, else a note."""
    shown = env.shown(file)
    try:
        texts = list(_texts(file, env, alone))
    except ToolError as error:
        if alone or error.code == "no_grammar":
            raise
        report.notes.append(f"not read: {shown} ({error.code})")
        return
    found: list[Found] = []
    outlines: list[Outline] = []
    for cell, source in texts:
        outline = parser.outline(source)
        outlines.append(outline)
        found += [Found(symbol, cell, wanted(symbol)) for symbol in outline.symbols]
    report.add(FileSymbols(shown, tuple(found), tuple(outlines)))


def _texts(file: Path, env: Env, alone: bool) -> Iterator[tuple[str, Source]]:
    """The texts of a file: the id of the cell, empty where there are no cells, and what is to be parsed."""
    shown = env.shown(file)
    if file.suffix.lower() == NOTEBOOK:
        if not alone and file.stat().st_size > MAX_NOTEBOOK:
            raise ToolError("too_large", f"{shown} is large; name it in path")
        for cell, source in code_cells(StoredNotebook.read_any(str(file), env)):
            yield (cell.id or f"#{cell.index}"), source
        return
    language = language_of(file)
    if language is None and not file.is_dir():
        raise ToolError(
            "unknown_language", f"{shown} has none of the suffixes {', '.join(SUFFIXES)}; search_code searches any text"
        )
    if language is not None:
        yield "", Source(shown, language, read_text_file(file).text)
