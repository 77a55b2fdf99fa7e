"""A batch of drawings on its way to a page, made small.

A thousand cards of one tool are the same elements and labels a thousand times over, two kilobytes each. So what is sent
is packed by zlib, which leaves a tenth of it in a millisecond, and a page unpacks it with what every browser brings
(`static/parcel.js`). The rule that must never break: what is unpacked is what was packed, to the letter.
"""

from __future__ import annotations

import json
import zlib

SMALL = 1_000
"""Characters up to which packing is not worth a page's while, as with the words of a stream."""


def packed(items: object) -> bytes | None:
    """The items, packed; nothing if they are few enough to go as they are."""
    text = json.dumps(items)  # all ASCII: half of a pair of letters, which no encoding takes, is kept as well
    return zlib.compress(text.encode()) if len(text) > SMALL else None
