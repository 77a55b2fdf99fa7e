"""The place in a document over which a page draws a live view.

What stands there is a record in plain HTML, which the saved notebook keeps and which any reader sees. Where the kernel
that wrote it is still there, the page draws the live view over it (`static/place.js`), and gives the record back when
the view is closed. So nothing has to be replaced when a kernel goes, as a widget in an output would have to be. The
rule that must never break: a place is found by a name that nobody can guess, so no other output can pose as one.
"""

from __future__ import annotations

import secrets

from cellwright.messages import JsonObject


def new_place() -> str:
    """The name of a new place."""
    return secrets.token_hex(8)


def placed(place: str, html: str, text: str) -> JsonObject:
    """The record as a MIME bundle, with its place around it."""
    return {"text/html": f'<div class="cw-place" data-place="{place}">{html}</div>', "text/plain": text}
