"""A stand-in for ripgrep where that is not installed: slower, of the same meaning, run as a program in its place.

It takes the options that Cellwright gives and answers in ripgrep's own forms, so nothing else has to know which of the
two is there; and since it is a process of its own, a pattern that never ends is ended with it. What differs: patterns
are those of Python's `re`, without `\\p{...}` and `[[:class:]]`, which it refuses; and it knows few file types.
"""

from __future__ import annotations

import argparse
import base64
import codecs
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cellwright.messages import JsonObject
from cellwright.tools.glob_rules import GlobError, rule_of
from cellwright.tools.plain_walk import Walk

TYPES = {
    "c": "*.[ch]", "cpp": "*.{cpp,cc,cxx,hpp,hh,h}", "css": "*.css", "go": "*.go", "html": "*.{html,htm}",
    "java": "*.java", "js": "*.{js,jsx,cjs,mjs}", "json": "*.json", "julia": "*.jl", "jupyter": "*.ipynb",
    "md": "*.{md,markdown}", "markdown": "*.{md,markdown}", "py": "*.{py,pyi}", "python": "*.{py,pyi}",
    "r": "*.{r,R,Rmd,rmd}", "rust": "*.rs", "sh": "*.{sh,bash}", "sql": "*.sql", "toml": "*.toml",
    "ts": "*.{ts,tsx,cts,mts}", "typescript": "*.{ts,tsx,cts,mts}", "txt": "*.txt", "xml": "*.xml",
    "yaml": "*.{yaml,yml}",
}  # fmt: skip


class RefusedError(Exception):
    """The program can't do what was asked; the text says why."""


class Line(Struct, frozen=True):
    """A line that matches, or with `multiline` several, or one around a match."""

    number: int
    data: bytes
    first: int
    """Where the match begins in it; -1 for a line around one."""


def main(arguments: list[str]) -> int:
    """The program; its exit code is ripgrep's."""
    try:
        return 0 if run(_options(arguments)) else 1
    except (RefusedError, GlobError) as error:
        print(error, file=sys.stderr)
        return 2


def run(options: argparse.Namespace) -> bool:
    """Does what the options ask; whether something was found."""
    names = options.targets if options.targets != ["."] else _walk(options).files()
    if options.files:
        return sum(_put(name.encode("utf-8", "surrogateescape") + b"\0") for name in names) > 0
    pattern = _compiled(options)
    searched = matched = lines = 0
    for name in names:
        data = _read(name)
        if data is None:
            continue
        searched += 1
        found = _search(data, pattern, options)
        count = sum(line.first >= 0 for line in found)
        if count:
            matched, lines = matched + 1, lines + count
        if count or (options.include_zero and not _is_binary(data, options)):
            _tell(name, data, found, count, options)
    if options.json:
        stats = {"searches": searched, "searches_with_match": matched, "matched_lines": lines}
        _record("summary", {"stats": stats})
    if options.stats:
        _put(f"\n{lines} matched lines\n{matched} files contained matches\n{searched} files searched\n".encode())
    return matched > 0


REGEXP = "--regexp="


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for flag in ("files", "null", "json", "binary", "text", "crlf", "ignore-case", "multiline", "count", "stats"):
        parser.add_argument(f"--{flag}", action="store_true")
    for flag in (
        "files-with-matches",
        "fixed-strings",
        "include-zero",
        "no-ignore",
        "line-number",
        "no-filename",
        "with-filename",
    ):
        parser.add_argument(f"--{flag}", action="store_true")
    for flag in ("no-config", "hidden", "no-require-git", "no-ignore-global", "no-ignore-dot"):
        parser.add_argument(f"--{flag}", action="store_true")
    for flag in ("glob", "iglob", "type-add", "type", "ignore-file"):
        parser.add_argument(f"--{flag}", action="append", default=[])
    for flag in ("context", "max-count", "threads"):
        parser.add_argument(f"--{flag}", type=int, default=0)
    for flag in ("engine", "sort", "color", "encoding"):
        parser.add_argument(f"--{flag}", default="")
    end = arguments.index("--")
    # argparse takes a pattern of two hyphens for the end of the options
    regexps = [argument for argument in arguments[:end] if argument.startswith(REGEXP)]
    found = parser.parse_args(_joined([argument for argument in arguments[:end] if argument not in regexps]))
    found.regexp = "".join(regexps[-1:]).removeprefix(REGEXP)
    found.targets = arguments[end + 1 :]
    return found


def _joined(arguments: list[str]) -> list[str]:
    """Options with their values behind `=`, since a value may look like an option."""
    valued = ("--glob", "--iglob", "--type-add", "--type", "--ignore-file")
    made: list[str] = []
    for argument in arguments:
        if made and made[-1] in valued:
            made[-1] += f"={argument}"
        else:
            made.append(argument)
    return made


def _walk(options: argparse.Namespace) -> Walk:
    by_name = {name: [glob] for name, glob in TYPES.items()}
    for one in options.type_add:
        name, _, glob = one.partition(":")
        by_name.setdefault(name, []).append(glob)
    for name in options.type:
        if name not in by_name:
            raise RefusedError(f"unrecognized file type: {name}")
    globs = [*((glob, False) for glob in options.glob), *((glob, True) for glob in options.iglob)]
    types = [glob for name in options.type for glob in by_name[name]]
    for text in (*options.glob, *types):
        rule_of(text)
    for file in options.ignore_file:
        for number, line in enumerate(Path(file).read_text("utf-8").split("\n"), 1):
            _check_rule(line, Path(file).name, number)
    return Walk(globs, types, options.ignore_file, not options.no_ignore)


def _check_rule(line: str, file: str, number: int) -> None:
    try:
        rule_of(line)
    except GlobError as error:
        print(f"{file}: line {number}: {error}", file=sys.stderr)


_AS_RIPGREP = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\(\?<(?=[A-Za-z_])", re.S)
SPELLED = {
    r"\<": r"\b(?=\w)", r"\>": r"\b(?<=\w)", r"\z": r"\Z", r"\h": r"[ \t]", r"\H": r"[^ \t]", "(?<": "(?P<"
}  # fmt: skip
"""What Python spells otherwise, outside of classes."""


def _in_python(found: re.Match[str]) -> str:
    return SPELLED.get(found[0], found[0])


def _compiled(options: argparse.Namespace) -> re.Pattern[str]:
    text = re.escape(options.regexp) if options.fixed_strings else _AS_RIPGREP.sub(_in_python, options.regexp)
    if "[[:" in text and not options.fixed_strings:
        raise RefusedError("classes such as [[:alpha:]] need ripgrep, which is not installed")
    try:
        return re.compile(text, re.M | re.I * options.ignore_case)
    except (re.error, RecursionError, OverflowError) as error:
        place = getattr(error, "pos", None) or 0
        said = getattr(error, "msg", "it is too large")
        raise RefusedError(f"PCRE2: error compiling pattern at offset {place + len('(?:')}: {said}") from None


def _read(name: str) -> bytes | None:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"{name}: {error.strerror} (os error {error.errno})", file=sys.stderr)
        return None


def _is_binary(data: bytes, options: argparse.Namespace) -> bool:
    return b"\0" in data and not options.text and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _search(data: bytes, pattern: re.Pattern[str], options: argparse.Namespace) -> list[Line]:
    text = _decoded(data, options.encoding)
    if "\0" in text and not (options.text or options.binary):
        return []  # ripgrep takes back what it found before the zero byte
    if options.multiline:
        if options.crlf and not re.search(r"[\r\n]|\\[rnRvs]", pattern.pattern):
            text = text.replace("\r\n", "\n")  # so that $ fits before both
        return [_lines(text, match.start(), match.end()) for match in pattern.finditer(text)]
    rows = re.findall(r"[^\n]*\n|[^\n]+", text.replace("\0", "\n"))
    hits: dict[int, int] = {}
    for number, row in enumerate(rows):
        bare = row.removesuffix("\n")
        match = pattern.search(bare.removesuffix("\r") if options.crlf else bare)
        if match:
            hits[number] = match.start()
            if len(hits) == options.max_count:
                break
    around = range(-options.context, options.context + 1)
    wanted = sorted({hit + step for hit in hits for step in around if 0 <= hit + step < len(rows)})
    return [_line(rows[number], number + 1, hits.get(number, -1)) for number in wanted]


def _line(row: str, number: int, first: int) -> Line:
    return Line(number, _bytes(row), len(_bytes(row[:first])) if first > 0 else first)


def _lines(text: str, start: int, end: int) -> Line:
    first = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", max(start, end - 1))
    stop = len(text) if stop < 0 else stop + 1
    before = len(_bytes(text[first:start]))
    return Line(text.count("\n", 0, first) + 1, _bytes(text[first:stop]), before)


def _decoded(data: bytes, label: str) -> str:
    if label and label != "none":
        return data.decode(label, "replace")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _tell(name: str, data: bytes, found: list[Line], count: int, options: argparse.Namespace) -> None:
    shown = _bytes(name) if name != "-" else b"<stdin>"
    if options.files_with_matches:
        _put(shown + b"\0")
    elif options.count:
        _put(shown + b"\0" + str(count).encode() + b"\n")
    elif options.json:
        for kind, details in _records(shown, found):
            _record(kind, details)
        offset = data.index(b"\0") if _is_binary(data, options) else None
        _record("end", {"path": _text(shown), "binary_offset": offset})
    else:
        for line in found:
            _put(str(line.number).encode() + b":" + line.data)


def _records(name: bytes, found: list[Line]) -> Iterator[tuple[str, JsonObject]]:
    yield "begin", {"path": _text(name)}
    for line in found:
        spans = [{"start": line.first}] if line.first >= 0 else []
        place = {"path": _text(name), "lines": _text(line.data), "line_number": line.number, "submatches": spans}
        yield ("match" if spans else "context"), place


def _record(kind: str, data: JsonObject) -> None:
    _put(json.dumps({"type": kind, "data": data}, separators=(",", ":")).encode() + b"\n")


def _text(data: bytes) -> JsonObject:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(data).decode()}


def _put(data: bytes) -> int:
    sys.stdout.buffer.write(data)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
