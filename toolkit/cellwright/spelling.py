"""The fields of a value, spelt wrongly.

A person writes `Policy(alow={...})` and reads that a keyword is unexpected, not of what, nor which was meant. So the
values that people write by hand, those of the public surface, say both. They are made by C, past `__new__` and
`__init__`, so a metaclass is the one place for it; a changed copy passes by here, and so do the values that the toolkit
makes by the thousand. The rule that must never break: what is spelt rightly is made as ever, and a type checker sees
the fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import StructMeta

from cellwright.errors import UsageError
from cellwright.schema import meant


class Spelling(StructMeta):
    """The metaclass of values that name the field that was meant.

    Raises:
        UsageError: for a field that there is not.
    """

    if not TYPE_CHECKING:

        def __call__(self, *values: object, **fields: object) -> object:
            """Makes a value."""
            for name in fields:
                if name not in self.__struct_fields__:
                    raise UsageError(f"{self.__name__} has no {name}={meant(name, list(self.__struct_fields__))}")
            return super().__call__(*values, **fields)
