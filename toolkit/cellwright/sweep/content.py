"""What a candidate is made of, as a digest: whether a run that was kept is still the one that is asked for.

In a notebook one edits a function and runs the cell again; its name stays. So what it does is compared: its code, what
it refers to, and the files of the modules that are one's own. The bytes that are sent to a process won't do: they tell
in which cell and kernel a function was written, and sets have another order there. The rule that must never break:
equal digests are of equal content; what can't be looked into has none.
"""

from __future__ import annotations

import dis
import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    ModuleType,
)

PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented))
OF_THE_CLASS = {"__dict__", "__weakref__", "__module__", "_abc_impl"}
OF_THE_CLASS |= {"__firstlineno__", "__static_attributes__", "__annotations_cache__"}
"""What a class holds that tells where and when it was made, and not what it does."""
PYDANTIC = "__pydantic_"
"""What pydantic works out of the fields, which are told by `__pydantic_fields__`."""
INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def digest(*values: object) -> str:
    """The content of the values in 32 hexadecimal digits, the same in every process; empty if one can't be told."""
    content = _Content()
    try:
        for value in values:
            content.add(value)
        content.add_modules()
    except Exception:  # what it holds answers in its own way, or refers to itself without an end
        return ""
    return content.hexdigest()


class _Content:
    """A walk through values, of which each is told once."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._met: dict[int, int] = {}
        self._alive: list[object] = []
        self._modules: set[str] = set()

    def hexdigest(self) -> str:
        return self._hash.hexdigest()[:32]

    def add(self, value: object) -> None:
        kind = type(value)
        if kind in PLAIN:
            self._say(kind.__name__, repr(value))
        elif isinstance(value, set | frozenset) and kind in (set, frozenset):
            self._say(kind.__name__, *sorted(_apart(each) for each in value))
        elif id(value) in self._met:
            self._say("again", str(self._met[id(value)]))
        else:
            if kind is not tuple:  # the compiler makes one of those that are equal, or not
                self._met[id(value)] = len(self._met)
            self._alive.append(value)  # so that its id is nobody else's
            self._say(f"{kind.__module__}.{kind.__qualname__}")
            for part in self._parts(value):
                self.add(part)
            self._say("end")

    def add_modules(self) -> None:
        """The files of one's own modules that were met, and of those that they refer to."""
        waiting, seen = sorted(self._modules), set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            waiting += sorted(_referred(name))
        for name in sorted(seen):
            if path := _own_file(name):
                self._say(name, hashlib.sha256(path.read_bytes()).hexdigest())

    def _say(self, *texts: str) -> None:
        for text in texts:
            data = text.encode(errors="surrogatepass")
            self._hash.update(b"%d:" % len(data) + data)

    def _parts(self, value: object) -> Iterator[object]:
        match value:
            case list() | tuple() if type(value) in (list, tuple):
                yield from value
            case dict() | MappingProxyType() if type(value) in (dict, MappingProxyType):
                yield from value.items()
            case ModuleType():
                yield self._named(value.__name__, "")
            case FunctionType() | type():
                yield from self._code_of(value)
            case CodeType():
                yield from _code_parts(value)
            case CellType():
                yield value.cell_contents
            case property():
                yield from (value.fget, value.fset, value.fdel)
            case classmethod() | staticmethod():
                yield value.__func__
            case MemberDescriptorType() | GetSetDescriptorType():
                yield value.__name__
            case BuiltinFunctionType() if isinstance(value.__self__, ModuleType):
                yield self._named(value.__self__.__name__, value.__qualname__)
            case _:
                yield from self._made_of(value)

    def _code_of(self, value: FunctionType | type) -> Iterator[object]:
        if _can_be_imported(value):
            yield self._named(value.__module__, value.__qualname__)
        elif isinstance(value, FunctionType):
            yield from (value.__code__, value.__defaults__, value.__kwdefaults__, value.__closure__, value.__dict__)
            names = _names(value.__code__)
            yield from ((name, value.__globals__[name]) for name in names if name in value.__globals__)
        else:
            yield from (value.__qualname__, type(value), value.__bases__)
            told = {name: part for name, part in vars(value).items() if name not in OF_THE_CLASS}
            yield {name: told[name] for name in told if not name.startswith(PYDANTIC) or name == f"{PYDANTIC}fields__"}

    def _made_of(self, value: object) -> Iterator[object]:
        """What an object would be made of anew in another process."""
        made = value.__reduce_ex__(4)
        if isinstance(made, str):
            yield made
            return
        for place, part in enumerate(made):
            yield list(part) if place in (3, 4) and part is not None else part

    def _named(self, module: str, name: str) -> str:
        self._modules.add(module)
        return f"{module}:{name}"


def _apart(value: object) -> str:
    told = digest(value)
    if not told:
        raise TypeError("a set holds what can't be told")
    return told


def _code_parts(code: CodeType) -> Iterator[object]:
    """All of it but where it stands."""
    yield from (code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    yield from (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    yield from (code.co_consts, code.co_exceptiontable)


def _names(code: CodeType) -> list[str]:
    """The names that it, or what stands in it, looks up outside."""
    inner = [name for each in code.co_consts if isinstance(each, CodeType) for name in _names(each)]
    own = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return sorted({*own, *inner})


def _can_be_imported(value: FunctionType | type) -> bool:
    found: object = None if value.__module__ == "__main__" else sys.modules.get(value.__module__ or "")
    for step in value.__qualname__.split("."):
        found = getattr(found, step, None)
    return found is value


def _referred(name: str) -> set[str]:
    """The modules from which one of one's own has what stands in it."""
    if not _own_file(name):
        return set()
    parts = vars(sys.modules[name]).values()
    names = (part.__name__ if isinstance(part, ModuleType) else getattr(part, "__module__", None) for part in parts)
    return {name for name in names if isinstance(name, str)}


def _own_file(name: str) -> Path | None:
    """The file of a module that is neither Python's, nor installed, nor ours."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if not file or name.partition(".")[0] in ("cellwright", "cellwright_widgets"):
        return None
    path = Path(file)
    is_installed = any(path.is_relative_to(place) for place in INSTALLED if place)
    return None if is_installed or not path.is_file() else path
