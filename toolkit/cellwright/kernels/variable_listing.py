"""The variables of a Python kernel: name, type, shape, dtype, size and a small preview of each.

This text runs in the child kernel, which need not have Cellwright installed, so it uses nothing but the standard
library. To print a value runs code of whoever wrote its class, and that may take for ever, change something, or
fetch a whole table from a server. So nothing is printed: previews are made here, of values whose exact type is known,
and of the attributes that others hold. The rule that must never break: no code of a value's own class runs, unless
that class is found where a library that is known here defines it.
"""

from __future__ import annotations

import datetime
import itertools
import sys
import types
from collections.abc import Collection, Iterable, Mapping
from typing import Any

MOST = 100
"""Variables that are listed at most."""
ITEMS = 5
"""Items of a container that a preview shows."""
ROOM = 120
"""Characters of a preview; of one that was asked for by name, ten times as many."""
DEPTH = 3
KNOWN = frozenset(
    [
        *("numpy", "pandas", "polars", "pyarrow", "geopandas", "xarray", "dask", "scipy"),
        *("torch", "tensorflow", "jax", "jaxlib", "cupy"),
    ]
)
"""Libraries whose values tell shape and dtype without computing anything."""
NESTED = 6
"""How deep a library's value may hold further ones and still be looked at."""
PARTS = ("_data", "_ndarray", "_left", "_right", "_sparse_values")
"""Where pandas keeps the arrays of an index, and those that an array of its own is made of."""
PLAIN_TIMES = (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)
_MRO = vars(type)["__mro__"].__get__
_DICT = vars(type)["__dict__"].__get__
_NAME = vars(type)["__qualname__"].__get__
_MODULE = vars(type)["__module__"].__get__


def listing(namespace: Mapping[Any, Any], hidden: Collection[str], wanted: Iterable[str] | None) -> dict[str, Any]:
    """The variables of these names; without any, all but hidden ones and modules, as many as there is room for."""
    namespace = {name: value for name, value in list(namespace.items()) if type(name) is str}  # no key compares itself
    room = ROOM
    if wanted is None:
        names = sorted(name for name in list(namespace) if _is_shown(name, namespace, hidden))
    else:
        asked = list(dict.fromkeys(wanted))
        names, room = [name for name in asked if name in namespace], 10 * ROOM
    found = [variable(name, namespace[name], room) for name in names[:MOST] if name in namespace]
    missing = [] if wanted is None else [name for name in asked if name not in namespace]
    return {"variables": found, "total": len(names), "missing": missing}


def _is_shown(name: str, namespace: Mapping[str, Any], hidden: Collection[str]) -> bool:
    if name.startswith("_"):
        return False
    value = namespace[name]
    own = "cellwright_code" in (_text(_MODULE(type(value))), _text(_MODULE(value)) if type(value) is type else "")
    return name not in hidden and not own and type(value) is not types.ModuleType


def variable(name: str, value: object, room: int = ROOM) -> dict[str, Any]:
    """One variable. What can't be told, or fails to be, is None."""
    known = {"name": name, "type": type_name(value), "shape": None, "dtype": None, "length": None, "bytes": None}
    try:
        known |= _measured(value)
        shown = preview(value, room)
    except Exception as error:
        shown = f"(no preview: {type_name(error)})"
    return {**known, "preview": shown if len(shown) <= room else shown[: room - 1] + "…"}


def type_name(value: object) -> str:
    """Such as `int`, `numpy.ndarray`, or `Point` for a class of the notebook."""
    kind = type(value)
    name, module = _text(_NAME(kind)) or "?", _text(_MODULE(kind))
    return name if module in ("builtins", "__main__", "") else f"{module.partition('.')[0]}.{name}"


def _text(found: object) -> str:
    return found if type(found) is str else ""


def _library(value: object) -> str:
    """The known library that defines the value's class; empty for any other, also for one that only says so."""
    kind = type(value)
    module, name = _text(_MODULE(kind)), _text(_NAME(kind))
    root = module.partition(".")[0]
    there = sys.modules.get(module) if root in KNOWN else None
    return root if there is not None and vars(there).get(name) is kind else ""


def is_of_library(value: Any, depth: int = NESTED) -> bool:  # noqa: ANN401 (a value of a library)
    """Whether a library made all of a value that is looked at: pandas keeps arrays of anybody's class in its tables.

    Also whether no function of the class is hidden by something that was put into the value itself.
    """
    library = _library(value)
    if library not in ("pandas", "geopandas"):
        return bool(library)
    line = list(map(_DICT, _MRO(type(value))))
    held = object.__getattribute__(value, "__dict__") if any("__dict__" in vars_of for vars_of in line) else {}
    if not depth or any(type(vars_of.get(name)) is types.FunctionType for name in held for vars_of in line):
        return False
    blocks = held.get("_mgr")
    inner = [*(block.values for block in blocks.blocks), *blocks.axes] if blocks is not None else []
    inner += [held[name] for name in PARTS if name in held]
    inner += [*held.get("_levels", ()), *held.get("_codes", ())]
    if type(value).__name__ == "Categorical":
        inner.append(value.categories)
    return all(part is None or is_of_library(part, depth - 1) for part in inner)


def _measured(value: object) -> dict[str, Any]:
    """Shape, dtype, length and bytes, as far as there are any."""
    kind = type(value)
    if kind in (str, bytes, bytearray, list, tuple, dict, set, frozenset, range):
        return {"length": len(value)}  # type: ignore[arg-type]  # all of these have one
    library = _library(value)
    if not library or not is_of_library(value):
        return {}
    if library == "pandas" and not hasattr(kind, "memory_usage"):  # such as groups, which compute what they are asked
        return {}
    found: dict[str, Any] = {}
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        found["shape"] = [int(size) if isinstance(size, int) else None for size in shape]
    dtype = getattr(value, "dtype", None)
    if dtype is not None and type(dtype).__module__.partition(".")[0] in KNOWN | {"builtins"}:
        found["dtype"] = str(dtype)[:60]
    found["bytes"] = _bytes(value, library)
    return found


def _bytes(value: Any, library: str) -> int | None:  # noqa: ANN401 (a value of a library)
    kind: Any = type(value)  # a value may hold something of its own by the name of a method
    if library in ("pandas", "geopandas"):
        used = kind.memory_usage(value, deep=False) if hasattr(kind, "memory_usage") else None
        return None if used is None else int(used.sum()) if hasattr(used, "sum") else int(used)
    if library == "polars":
        return int(kind.estimated_size(value)) if hasattr(kind, "estimated_size") else None
    if library in ("dask", "xarray", "scipy"):
        return None
    size = getattr(value, "nbytes", None)
    return size if type(size) is int else None


def preview(value: Any, room: int = ROOM, depth: int = DEPTH) -> str:  # noqa: ANN401 (what a variable holds)
    """The value in a few words, without running any code of its own."""
    kind = type(value)
    if value is None or kind in (bool, float, complex):
        return repr(value)
    if kind is int:
        return repr(value) if abs(value) < 10**50 else f"(an int of {value.bit_length():,} bits)"
    if kind in (str, bytes, bytearray):
        return _cut(value, room)
    if kind in (list, tuple, set, frozenset, dict):
        return _container(value, room, depth)
    if kind is range:
        return repr(value)
    if kind in PLAIN_TIMES and getattr(value, "tzinfo", None) is None:
        return str(value)
    if kind is type:
        return f"class {_text(_NAME(value))}"
    if kind is types.FunctionType:
        code = value.__code__
        return f"def {value.__name__}({', '.join(code.co_varnames[: code.co_argcount])})"
    library = _library(value)
    if library:
        return _of_library(value, library, room, depth) if is_of_library(value) else f"<{type_name(value)}>"
    return _attributes(value, room, depth)


def _cut(value: Any, room: int) -> str:  # noqa: ANN401 (text or bytes)
    return repr(value[:room]) + ("…" if len(value) > room else "")


def _container(value: Any, room: int, depth: int) -> str:  # noqa: ANN401 (one of the plain containers)
    if not value or not depth:
        return repr(type(value)()) if not value else "…"
    first = list(itertools.islice(value.items() if type(value) is dict else value, ITEMS))
    inner = max(10, room // len(first))
    if type(value) is dict:
        shown = [f"{preview(key, inner, depth - 1)}: {preview(item, inner, depth - 1)}" for key, item in first]
    else:
        shown = [preview(item, inner, depth - 1) for item in first]
    text = ", ".join(shown) + (", …" if len(value) > ITEMS else "")
    left, right = {"list": ("[", "]"), "tuple": ("(", ")")}.get(type(value).__name__, ("{", "}"))
    return f"{left}{text}{',' if type(value) is tuple and len(value) == 1 else ''}{right}"


def _attributes(value: object, room: int, depth: int) -> str:
    """What an instance holds in its own dictionary, which is looked up past everything that its class may override."""
    name = type_name(value)
    line = _MRO(type(value))
    found = next((vars_of["__dict__"] for vars_of in map(_DICT, line) if "__dict__" in vars_of), None)
    held = found.__get__(value) if type(found) is types.GetSetDescriptorType and type not in line else None
    if type(held) is not dict or not held or not depth:
        return f"<{name}>"
    first = [(key, item) for key, item in itertools.islice(held.items(), ITEMS) if type(key) is str]
    shown = [f"{key}={preview(item, max(10, room // ITEMS), depth - 1)}" for key, item in first]
    return f"{name}({', '.join(shown)}{', …' if len(held) > ITEMS else ''})"


def _of_library(value: Any, library: str, room: int, depth: int) -> str:  # noqa: ANN401 (a value of a library)
    kind = type(value).__name__
    if library == "numpy" and kind in ("ndarray", "memmap"):
        first = value.flat[:ITEMS]
        shown = [preview(item, 30, depth - 1) for item in first.tolist()]
        return f"[{', '.join(shown)}{', …' if value.size > ITEMS else ''}]"
    if library == "numpy" and any(base.__name__ == "generic" for base in _MRO(type(value))):
        item = value.item()
        return preview(item, room, depth) if type(item) in (bool, int, float, complex, str, bytes) else f"<{kind}>"
    if library == "pandas" and kind == "Series":
        shown = [preview(item, 30, depth - 1) for item in value.array[:ITEMS].tolist()]
        return f"[{', '.join(shown)}{', …' if len(value) > ITEMS else ''}]"
    if library in ("pandas", "geopandas") and kind in ("DataFrame", "GeoDataFrame"):
        return _columns(zip(value.columns[: 2 * ITEMS], value.dtypes.iloc[: 2 * ITEMS], strict=True), value.shape[1])
    if library == "polars" and kind == "DataFrame":
        return _columns(zip(value.columns[: 2 * ITEMS], value.dtypes[: 2 * ITEMS], strict=True), value.shape[1])
    if library == "pandas" and kind in ("Timestamp", "Timedelta") and getattr(value, "tzinfo", None) is None:
        return str(value)
    return f"<{library}.{kind}>"


def _columns(columns: Iterable[tuple[Any, Any]], total: int) -> str:
    shown = [
        f"{name if type(name) is str and name.isprintable() else preview(name, 30)} {str(dtype)[:30]}"
        for name, dtype in columns
    ]
    return ", ".join(shown) + (", …" if total > 2 * ITEMS else "")
