"""The source of a cell: one text to its reader, a string or a list of lines in the file.

Both spellings are valid, and a program that turns one into the other makes every later comparison noisy. So a
source is written the way the one before it was, and a line that stays keeps its very bytes.

The rule that must never break: a line ends at a newline and nowhere else. U+2028 and form feed are characters
inside a line (`str.splitlines` would cut there, and so does the reference writer).
"""

from cellwright.notebook.json_span import ArraySpan, scan_array
from cellwright.notebook.json_style import JsonStyle
from cellwright.text.text_diff import split_lines


def read_source(value: object) -> str:
    """The text of a `source` member: a string as it is, a list joined."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def write_source(source: str, like: str, style: JsonStyle) -> str:
    """The JSON text of `source`, as a string or a list of lines, laid out as the JSON text `like` is."""
    if not like.startswith("["):
        return style.write(source)
    lines, span = split_lines(source), scan_array(like, 0)
    if not lines or not span.items:
        return style.write(lines)
    opening, between, close = _layout(like, span, style)
    kept = {item.value: like[item.start : item.end] for item in span.items if isinstance(item.value, str)}
    written = (kept.get(line) or style.write(line) for line in lines)
    return "[" + opening + between.join(written) + close + "]"


def _layout(like: str, span: ArraySpan, style: JsonStyle) -> tuple[str, str, str]:
    first, last = span.items[0], span.items[-1]
    opening, close = like[1 : first.start], like[last.end : span.end - 1]
    if len(span.items) > 1:
        return opening, like[first.end : span.items[1].start], close
    return opening, "," + opening if opening else style.comma, close
