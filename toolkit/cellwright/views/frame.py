"""A data frame of pandas, polars or pyarrow, read page by page.

A frame may have a million rows and more, of which a person looks at some and a model at fewer. So it is never turned
into rows as a whole: it is sorted and filtered by its own library, and what leaves it is a page. narwhals speaks to all
of the libraries in one way; it is imported when the first frame is met. The rule that must never break: reading changes
nothing, and the frame of the one who gave it stays as it was.
"""

from __future__ import annotations

import datetime
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from cellwright.views.row_filter import COMPARISONS, RowFilter, read_filter

if TYPE_CHECKING:
    import narwhals

FRAMES = {
    *(("pandas", "DataFrame"), ("pandas", "Series"), ("polars", "DataFrame"), ("polars", "Series")),
    *(("pyarrow", "Table"), ("pyarrow", "RecordBatch")),
}
"""Package and name of the classes that are read."""
Kind = Literal["integer", "number", "bool", "date", "text", "other"]
"""What stands in a column, as far as it matters to a reader."""
_KINDS: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (("Int", "UInt"), "integer"),
    (("Float", "Decimal"), "number"),
    (("Boolean",), "bool"),
    (("Date", "Time", "Duration"), "date"),
    (("String", "Categorical", "Enum"), "text"),
)
_NUMBER = "number"
"""The name of the column that numbers the rows; no column of a frame has it, since those are named by their place."""


class Order(Struct, frozen=True):
    """Which rows, in which order."""

    column: int | None = None
    """The column that is sorted by; None for the order of the frame."""
    descending: bool = False
    filter: str = ""


AS_IT_IS = Order()


def is_frame(value: object) -> bool:
    """Whether it is a data frame, or one column of one."""
    return any(found in FRAMES for found in _classes(value))


def _classes(value: object) -> Iterator[tuple[str, str]]:
    """Package and name of each class that it is of."""
    return ((kind.__module__.partition(".")[0], kind.__name__) for kind in type(value).__mro__)


def _is_missing(value: object) -> bool:
    """NaN, NaT or NA, in a cell that may hold anything: an array compares with itself to an array."""
    if isinstance(value, float | datetime.datetime):
        return value != value
    return type(value).__name__ == "NAType"


def kind_of(dtype: str) -> Kind:
    """What stands in a column of a type, by narwhals' name of the type."""
    return next((kind for starts, kind in _KINDS if dtype.startswith(starts)), "other")


class Frame:
    """The rows of a data frame. It keeps the order that was asked for last."""

    def __init__(self, native: Any) -> None:  # noqa: ANN401 (of whichever library)
        import narwhals

        plain, self.names = _plain(native)
        self._frame: narwhals.DataFrame[Any] = narwhals.from_native(plain, eager_only=True)
        self.dtypes = tuple(str(dtype).partition("(")[0] for dtype in self._frame.schema.values())
        self.total = len(self._frame)
        self._order, self._numbers = AS_IT_IS, None
        self._lock = threading.Lock()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What stands in each column."""
        return tuple(map(kind_of, self.dtypes))

    def page(self, order: Order, start: int, count: int, columns: slice) -> tuple[list[Sequence[Any]], int]:
        """Some rows of these columns, and how many rows there are in that order.

        Raises:
            ValueError: for a filter that can't be compared with its column.
        """
        names = [str(place) for place in range(len(self.names))[columns]]
        numbers = self._numbers_in(order)
        if not names or numbers is None:
            return self._rows(slice(start, start + count), names) if names else [], self.total
        return self._rows(numbers[start : start + count].to_list(), names), len(numbers)

    def _rows(self, wanted: slice | list[int], names: list[str]) -> list[Sequence[Any]]:
        """pandas has NaN for what is missing where no number can stand, which is then no number but missing."""
        rows = self._frame[wanted, names].rows()
        numeric = [kind_of(self.dtypes[int(name)]) in ("number", "integer") for name in names]
        return [[v if ok or not _is_missing(v) else None for v, ok in zip(row, numeric, strict=True)] for row in rows]

    def _numbers_in(self, order: Order) -> narwhals.Series[Any] | None:
        """The numbers of the rows in that order; None for all of them as they stand."""
        if order == AS_IT_IS:
            return None
        with self._lock:
            if order != self._order:
                self._numbers, self._order = self._arranged(order), order
            return self._numbers

    def _arranged(self, order: Order) -> Any:  # noqa: ANN401 (a series; narwhals is imported late)
        import narwhals

        rows = self._frame
        wanted = read_filter(order.filter, self.names)
        if order.column is not None and not 0 <= order.column < len(self.names):
            raise ValueError(f"there is no column {order.column}; there are {len(self.names)}")
        by = None if order.column is None else str(order.column)
        numbered = rows.with_row_index(_NUMBER)
        if wanted is not None:
            tests = [test for place in self._looked_at(wanted) if (test := self._test(wanted, place)) is not None]
            if not tests:
                return numbered.head(0)[_NUMBER]
            numbered = numbered.filter(narwhals.any_horizontal(*tests, ignore_nulls=True))
        numbered = numbered.select(_NUMBER, *([by] if by else []))
        return (numbered.sort(by, descending=order.descending, nulls_last=True) if by else numbered)[_NUMBER]

    def _looked_at(self, wanted: RowFilter) -> Sequence[int]:
        return range(len(self.names)) if wanted.column is None else [wanted.column]

    def _test(self, wanted: RowFilter, place: int) -> narwhals.Expr | None:
        """The comparison of one column with what is wanted; None if it can't be in it."""
        import narwhals

        column, kind = narwhals.col(str(place)), kind_of(self.dtypes[place])
        if wanted.sign == "~":
            if kind in ("integer", "number"):
                return None if wanted.number is None else column == wanted.number
            texts = column if self.dtypes[place] == "String" else column.cast(narwhals.String)
            return None if kind == "other" else texts.str.to_lowercase().str.contains(wanted.text.lower(), literal=True)
        test: narwhals.Expr = COMPARISONS[wanted.sign](column, _like(wanted, kind))
        return test


def _like(wanted: RowFilter, kind: Kind) -> Any:  # noqa: ANN401 (a value of the column's kind)
    """The text of a filter as a value that the column can be compared with."""
    match kind:
        case "integer" | "number" if wanted.number is not None:
            return wanted.number
        case "bool" if wanted.text.lower() in ("true", "false"):
            return wanted.text.lower() == "true"
        case "date":
            return datetime.datetime.fromisoformat(wanted.text)
        case "text":
            return wanted.text
    raise ValueError(f"{wanted.text!r} can't be compared with that column, which holds {kind} values")


def _plain(native: Any) -> tuple[Any, tuple[str, ...]]:  # noqa: ANN401 (of whichever library)
    """The frame with its columns named by their places, so that any names will do; and the names."""
    package, kind = next(found for found in _classes(native) if found in FRAMES)
    if package == "pyarrow":
        return native.rename_columns([str(place) for place in range(native.num_columns)]), tuple(native.column_names)
    if kind == "Series":
        native = native.to_frame("value" if native.name in (None, "") else native.name)
    if package == "polars":
        return native.rename({name: str(place) for place, name in enumerate(native.columns)}), tuple(native.columns)
    return _plain_pandas(native)


def _plain_pandas(native: Any) -> tuple[Any, tuple[str, ...]]:  # noqa: ANN401 (no dependency of ours)
    """An index that says something becomes columns. The copy is a shallow one: names of its own, but the same data."""
    index = native.index
    names = [str(column) for column in native.columns]
    plain = native.copy(deep=False)
    if type(index).__name__ != "RangeIndex" or index.name is not None:
        levels = [str(name) if name is not None else "index" for name in index.names]
        plain.columns = [str(place + len(levels)) for place in range(len(names))]
        plain = plain.reset_index(names=[f"{place}" for place in range(len(levels))])
        return plain, (*levels, *names)
    plain.columns = [str(place) for place in range(len(names))]
    return plain, tuple(names)
