r"""Rules: the name of a tool, and perhaps a pattern for what it is called with.

`read_file` means every call of that tool, `read_file(docs/*)` calls on such paths, `run_command(git status)` that
command, `web_fetch(domain:example.org)` pages of that domain, `mcp__server` every tool of a server, and
`mcp__server__tool@0123456789ab` that tool as long as it says of itself what it said when that was written: a server can
change what its tools are, and an answer was about what was shown. Patterns are held
against typed arguments: the resolved path relative to the working folder, the words of each simple command; never
against a rendered text, in which `a; b` looks like one.
The rule that must never break: names are exact, and a wildcard is only where someone wrote `*`.
"""

from __future__ import annotations

import hashlib
import re

from msgspec import Struct

from cellwright.definition import written
from cellwright.errors import UsageError
from cellwright.permission.patterns import STAR, escaped, path_pattern, word_patterns
from cellwright.tool import NAME, Tool

RULE = re.compile(r"(?P<tool>[^()@]*)(?:@(?P<digest>[0-9a-f]{12}))?(?:\((?P<pattern>.*)\))?", re.S)
SERVER = re.compile(r"mcp__(?:(?!__).)+", re.S)


class Rule(Struct, frozen=True):
    """A rule that has been read. `str(rule)` is its text, and reading that gives the rule again.

    Raises:
        UsageError: for a name or pattern that can't be read.
    """

    tool: str
    pattern: str | None = None
    digest: str = ""
    """What `digest_of` gave for the tool that it is about; empty for whatever has the name."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.tool):
            raise UsageError(
                f"{str(self)!r} is no rule; a rule is the exact name of a tool, as read_file, or of a tool with a "
                "pattern in parentheses, as read_file(docs/*)"
            )
        if self.pattern is None:
            return
        if SERVER.fullmatch(self.tool):
            raise UsageError(f"{str(self)!r}: a rule for a whole server takes no pattern; name one of its tools")
        if not self.pattern.strip():
            raise UsageError(f"{str(self)!r}: the pattern is empty; write {self.tool} alone for every call")
        if any("\ue000" <= char <= "\ue002" or char == "\0" for char in self.pattern):
            raise UsageError(f"{str(self)!r}: the pattern holds a character that no argument has")
        try:
            word_patterns(self.pattern) and path_pattern(self.pattern)
        except ValueError as error:
            raise UsageError(f"{str(self)!r}: {error}") from None

    @classmethod
    def read(cls, text: object) -> Rule:
        """The rule that a text describes.

        Raises:
            UsageError: if it describes none.
        """
        found = RULE.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise UsageError(
                f"{text!r} is no rule; a rule is the exact name of a tool, as read_file, or of a tool with a pattern "
                "in parentheses, as read_file(docs/*)"
            )
        return cls(found["tool"], found["pattern"], found["digest"] or "")

    @classmethod
    def for_words(cls, tool: str, words: tuple[str, ...]) -> Rule:
        """The rule for exactly this simple command and no other."""
        return cls(tool, " ".join(escaped(word) for word in words))

    @classmethod
    def for_path(cls, tool: str, path: str) -> Rule:
        """The rule for exactly this path, relative to the working folder."""
        return cls(tool, escaped(path))

    def __str__(self) -> str:
        named = f"{self.tool}@{self.digest}" if self.digest else self.tool
        return named if self.pattern is None else f"{named}({self.pattern})"

    def names(self, tool: Tool) -> bool:
        """Whether the rule speaks of this tool, or of the server that it belongs to."""
        if self.digest and self.digest != digest_of(tool):
            return False
        is_server = SERVER.fullmatch(self.tool) is not None
        return self.tool == tool.name or (is_server and tool.name.startswith(f"{self.tool}__"))

    def restricts(self, tool: Tool) -> bool:
        """Whether the rule, if it denies or asks, speaks of this tool: by its name, or by one that it counts as."""
        return self.names(tool) or any(self.tool in names for names in tool.counts_as.values())

    @property
    def is_exact(self) -> bool:
        """Whether it names one path or one command, without a wildcard."""
        return self.pattern is not None and STAR not in path_pattern(self.pattern)

    @property
    def covers_all(self) -> bool:
        """Whether it covers every call of what it names."""
        return self.pattern is None or self.pattern == "*"


def digest_of(tool: Tool) -> str:
    """A short name for what a model is told of a tool: 12 hexadecimal digits."""
    return hashlib.sha256(written(tool.definition, tool.input_schema.text).encode()).hexdigest()[:12]
