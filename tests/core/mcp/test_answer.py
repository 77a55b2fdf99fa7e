"""What a server answers, made into an output."""

import base64

import pytest
from mcp_types import BlobResourceContents, CallToolResult, EmbeddedResource, ImageContent, TextContent

from cellwright.errors import ToolError
from cellwright.mcp.answer import MAX_IMAGE, MAX_IMAGES, output_of

PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0\0\0\1" * 2 + b"\0" * 9 + b"\0\0\0\0IEND\xaeB`\x82"
PNG = base64.b64encode(PICTURE).decode()


def answer(*content, **facts):
    return output_of(CallToolResult(content=list(content), **facts))


def test_texts_are_joined_and_are_the_value_where_there_is_no_other():
    output = answer(TextContent(text="a"), TextContent(text="b"))
    assert (output.value, output.content, output.view) == ("a\nb", "a\nb", None)


def test_a_structured_value_stays_one_and_is_told_where_nothing_else_is():
    output = answer(structured_content={"a": 1})
    assert (output.value, output.content) == ({"a": 1}, None)


def test_a_picture_is_seen_by_both():
    output = answer(ImageContent(data=PNG, mime_type="image/png"))
    assert ([image.data for image in output.images], output.content) == ([PNG], "[1 pictures]")
    assert output.view.views[0].media_type == "image/png"


@pytest.mark.parametrize(
    ("data", "kind", "why"),
    [
        ("!!!!", "image/png", "not base64"),
        (PNG, "image/jpeg", "no such picture"),
        (base64.b64encode(PICTURE[:-1]).decode(), "image/png", "damaged"),
        (PNG, "image/svg+xml", "models take"),
        (PNG + "A" * MAX_IMAGE, "image/png", "at most"),
    ],
)
def test_what_is_not_surely_a_picture_becomes_a_line(data, kind, why):
    output = answer(ImageContent(data=data, mime_type=kind))
    assert (output.images, why in output.content) == ((), True)


def test_of_many_pictures_some_are_left_out_and_that_is_said():
    output = answer(*[ImageContent(data=PNG, mime_type="image/png")] * (MAX_IMAGES + 2))
    assert (len(output.images), "2 more pictures" in output.content) == (MAX_IMAGES, True)


def test_a_resource_of_bytes_is_told_by_its_address_and_size():
    blob = BlobResourceContents(uri="file:///a.bin", blob="AAAA", mime_type="application/x")
    output = answer(EmbeddedResource(resource=blob))
    assert output.content == (
        "[file:///a.bin]\n[application/x, 4 characters of base64, not shown: models take image/png, image/jpeg, "
        "image/gif, image/webp]"
    )


def test_an_answer_that_is_an_error_is_raised_with_its_text():
    with pytest.raises(ToolError, match="no table") as raised:
        answer(TextContent(text="no table"), is_error=True)
    assert raised.value.code == "server_error"


def test_what_is_to_be_kept_is_kept_unless_it_is_huge():
    assert answer(_meta={"a/b": 1}).meta == {"mcp": {"a/b": 1}}
    assert answer(_meta={"a/b": "x" * 30_000}).meta == {}
