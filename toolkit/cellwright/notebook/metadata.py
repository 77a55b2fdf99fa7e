"""Metadata that is changed key by key.

A cell and a notebook both have a `metadata` object, and other programs keep things there that nobody here knows. So a
change names its keys and the values they get, null for a key that is to go, and every other key keeps its very bytes.

The rule that must never break: a change that changes nothing gives the text that was there.
"""

import json
from collections.abc import Mapping

from cellwright.notebook.json_span import put_member, remove_member, replace_members, scan_object
from cellwright.notebook.json_style import JsonStyle, style_of


def changed_metadata(owner: str, changes: Mapping[str, object], style: JsonStyle) -> str:
    """The object `owner`, a cell or a notebook, with these keys of its metadata set; None takes a key away."""
    member = scan_object(owner, 0).effective().get("metadata")
    known = member.value if member is not None and isinstance(member.value, dict) else {}
    new = {key: value for key, value in changes.items() if not _is_so(known, key, value)}
    if not new:
        return owner
    if member is None or not known:
        return put_member(owner, "metadata", style.write(new))
    text = owner[member.start : member.end]
    inner = style_of(text, style.escapes)
    for key, value in new.items():
        text = remove_member(text, key) if value is None else put_member(text, key, inner.write(value))
    return replace_members(owner, {"metadata": text if scan_object(text, 0).members else "{}"})


def _is_so(known: Mapping[str, object], key: str, value: object) -> bool:
    """Whether the key already has this value; True and 1, which Python takes for equal, are told apart."""
    if value is None or key not in known:
        return value is None and key not in known
    return json.dumps(known[key], sort_keys=True) == json.dumps(value, sort_keys=True)
