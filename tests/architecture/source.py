"""The tree that the architecture tests look at: modules with their syntax trees, and the files that git tracks."""

import ast
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {"cellwright": ROOT / "toolkit", "cellwright_widgets": ROOT / "widgets"}
"""Each import package, and the folder it lies in."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file, read and parsed."""

    name: str
    """As it is imported: `cellwright.notebook.cell`; for a test its path."""
    path: Path
    text: str
    tree: ast.Module

    def at(self, node: ast.AST | int) -> str:
        """File and line, as an editor takes them."""
        line = node if isinstance(node, int) else node.lineno
        return f"{self.path.relative_to(ROOT).as_posix()}:{line}"


@cache
def modules(package: str) -> tuple[Module, ...]:
    """The modules of one import package, by name."""
    folder = SOURCES[package]
    found = (_module(path, _import_name(path, folder)) for path in (folder / package).rglob("*.py"))
    return tuple(sorted(found, key=lambda module: module.name))


def all_modules() -> tuple[Module, ...]:
    """Core and views."""
    return modules("cellwright") + modules("cellwright_widgets")


@cache
def test_modules() -> tuple[Module, ...]:
    """Every Python file under tests/."""
    paths = sorted((ROOT / "tests").rglob("*.py"))
    return tuple(_module(path, path.relative_to(ROOT).as_posix()) for path in paths)


test_modules.__test__ = False


@cache
def tracked_files() -> tuple[Path, ...]:
    """The files under version control that are there; without git, all files but those of hidden and cache folders."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not _is_by_product(path.relative_to(ROOT))]
    return tuple(path for path in paths if path.is_file())


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function, methods and inner ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    """Every class."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def body_lines(function: Function) -> int:
    """The lines of a function's body from its first statement on, docstring not counted."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    if not body:
        return 0
    first = min(node.lineno for node in (body[0], *getattr(body[0], "decorator_list", [])))
    return (body[-1].end_lineno or first) - first + 1


def imported_names(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    """What a module imports, wherever the import stands: `a.b` for `import a.b`, `a.b.c` for `from a.b import c`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, node) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                yield from ((f"{'.' * level}{module or ''}.{alias.name}", node) for alias in names)


def listed(offences: Iterable[str]) -> str:
    """The message of a failed check: one offence a line."""
    return "\n" + "\n".join(offences)


def _module(path: Path, name: str) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(name, path, text, ast.parse(text, str(path)))


def _import_name(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_by_product(path: Path) -> bool:
    return any(part.startswith(".") or part in ("__pycache__", "build", "dist") for part in path.parts)
