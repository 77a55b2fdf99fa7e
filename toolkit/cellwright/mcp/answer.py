"""What a server answers to a call, made into the output of one of our tools.

An answer holds texts, pictures, resources, and perhaps a structured value. The model reads the texts and sees the
pictures; the value is the structured one if there is one, else the text. The rule that must never break: only what is
surely a picture of a known kind and a sane size goes to a model, since a provider refuses the whole conversation for
one that is not; everything else becomes a line that says what it was.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cellwright.codec import canonical
from cellwright.errors import ToolError
from cellwright.messages import Image
from cellwright.text.picture import TYPES, is_whole
from cellwright.tool import Output
from cellwright.views.view import Group, Picture, Text, View, value_view

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock

MAX_IMAGES = 20
MAX_IMAGE = 5_000_000
"""Characters of base64 that a picture may have."""
MAX_META = 20_000


def output_of(answer: CallToolResult) -> Output:
    """The answer as a tool's output.

    Raises:
        ToolError: `server_error`, with the texts of an answer that says it is an error.
    """
    parts = [part for block in answer.content for part in _parts(block)]
    pictures = [part for part in parts if isinstance(part, Image)]
    images = tuple(pictures[:MAX_IMAGES])
    texts = [part for part in parts if isinstance(part, str)]
    if len(pictures) > MAX_IMAGES:
        texts.append(f"[{len(pictures) - MAX_IMAGES} more pictures, left out: {MAX_IMAGES} are shown at most]")
    text = "\n".join(texts)
    if answer.is_error:
        raise ToolError("server_error", text or "the server says that the call failed, and nothing more")
    structured = answer.structured_content
    value = text if structured is None else structured
    content = text or (f"[{len(images)} pictures]" if images and structured is None else None)
    return Output(value, content, _view(text, value, images), images, meta=_meta(answer))


def _parts(block: ContentBlock) -> Iterator[str | Image]:
    match block.type:
        case "text":
            yield block.text
        case "image":
            yield _image(block.mime_type, block.data)
        case "audio":
            yield f"[sound, {block.mime_type[:80]}, {len(block.data):,} characters of base64, not shown]"
        case "resource_link":
            yield f"[a link to {block.uri!s:.300}: {(block.description or block.name)[:300]}]"
        case "resource":
            resource = block.resource
            text, blob = getattr(resource, "text", None), getattr(resource, "blob", None)
            yield f"[{resource.uri!s:.300}]"
            yield text if isinstance(text, str) else _image(resource.mime_type or "unknown type", blob or "")
        case _:
            yield f"[something of the kind {block.type!s:.80}, which is not known here]"


def _image(media_type: str, data: str) -> Image | str:
    """The picture, or what is said in its place."""
    told = f"[{media_type[:80]}, {len(data):,} characters of base64, not shown"
    if media_type not in TYPES:
        return f"{told}: models take {', '.join(TYPES)}]"
    if len(data) > MAX_IMAGE:
        return f"{told}: at most {MAX_IMAGE:,} are]"
    try:
        picture = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return f"{told}: it is not base64]"
    return Image(media_type, data) if is_whole(picture, media_type) else f"{told}: it is no such picture, or damaged]"


def _view(text: str, value: object, images: tuple[Image, ...]) -> View | None:
    if not images:
        return None
    said: View | None = (Text(text) if text else None) if isinstance(value, str) else value_view(value)
    pictures = tuple(Picture(image.media_type, image.data) for image in images)
    return Group("", (said, *pictures) if said else pictures)


def _meta(answer: CallToolResult) -> dict[str, object]:
    """What the server wants kept beside the value; never shown to the model, and left out where it is huge."""
    meta = dict(answer.meta or {})
    return {"mcp": meta} if meta and len(canonical(meta)) <= MAX_META else {}
