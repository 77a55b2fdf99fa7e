"""Values of numpy, pandas, polars and pyarrow as plainer Python values, which the codec knows.

None of these packages is imported for it: who has such a value has imported its package already. What is large is kept
in part, and says so: a result is for a model and a screen, and the kernel must not stand still while it is written.
The rule that must never break: what is left out is said in a `note`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sized
from typing import Any

from cellwright.messages import JsonObject
from cellwright.views.frame import AS_IT_IS, Frame, is_frame

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 1_000, 1_000, 50_000
"""How much of a data frame is kept."""
MAX_VALUES = 100_000
"""Values of an array or an index that are kept."""
UNKNOWN = object()
"""What is of none of these packages, or has no plainer form."""


def is_from(module: str, value: object) -> bool:
    """Whether the value's class comes from this package. The package is never imported for the question."""
    return module in sys.modules and type(value).__module__.split(".")[0] == module


def foreign(value: Any) -> object:  # noqa: ANN401 (no dependency of ours)
    """A plainer value, or `UNKNOWN`."""
    if is_frame(value):
        return _frame(value)
    if is_from("pyarrow", value) and (plainly := getattr(value, "to_pylist", getattr(value, "as_py", None))):
        is_large = isinstance(value, Sized) and hasattr(value, "slice") and len(value) > MAX_VALUES
        return _begun(len(value), value.type, value.slice(0, MAX_VALUES).to_pylist()) if is_large else plainly()
    if is_from("pandas", value):
        return _pandas(value)
    if is_from("numpy", value) and hasattr(value, "tolist"):
        return _numpy(value)
    return UNKNOWN


def _numpy(value: Any) -> object:  # noqa: ANN401 (no dependency of ours)
    if str(getattr(value, "dtype", "")).endswith(("64[ns]", "64[ps]")):
        value = value.astype(f"{value.dtype.kind}8[us]")  # finer times have no Python type and become bare numbers
    if getattr(value, "size", 0) > MAX_VALUES:
        shape = list(value.shape)
        count = max(1, MAX_VALUES * shape[0] // value.size)
        kept = value[:count] if value[:count].size <= MAX_VALUES else value.ravel()[:MAX_VALUES]
        return {**_begun(value.size, value.dtype, kept.tolist(), kept.size), "shape": shape}
    plain = value.tolist()
    if type(plain) is type(value):  # a number finer than any of Python's
        return complex(value) if value.dtype.kind == "c" else float(value)
    return plain


def _pandas(value: Any) -> object:  # noqa: ANN401 (no dependency of ours)
    name = type(value).__name__
    if name in ("NAType", "NaTType"):
        return None
    if name in ("Period", "Interval"):
        return str(value)
    if hasattr(type(value), "tolist"):  # an array or an index; its own items are numpy's, and slow to turn one by one
        values = value[:MAX_VALUES].tolist()
        return _begun(len(value), value.dtype, values) if len(value) > MAX_VALUES else values
    return list(value) if isinstance(value, Iterable) else UNKNOWN


def _begun(total: int, dtype: object, values: list[object], kept: int = MAX_VALUES) -> JsonObject:
    """The first values of many, and what is not among them."""
    note = f"the first {kept:,} of {total:,} values"
    return {"shape": [total], "dtype": str(dtype), "values": values, "note": note}


def _frame(value: object) -> JsonObject:
    """A page of a data frame, and what is not in it."""
    frame = Frame(value)
    width = min(len(frame.names), MAX_COLUMNS)
    count = max(1, min(MAX_ROWS, MAX_CELLS // max(1, width)))
    rows, total = frame.page(AS_IT_IS, 0, count, slice(0, width))
    page = {"columns": list(frame.names[:width]), "dtypes": list(frame.dtypes[:width]), "rows": rows, "total": total}
    left_out = [f"the first {count:,} of {total:,} rows"] if total > count else []
    left_out += [f"the first {width:,} of {len(frame.names):,} columns"] if len(frame.names) > width else []
    return {**page, "note": "; ".join(left_out)} if left_out else page
