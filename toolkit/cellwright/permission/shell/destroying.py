"""Whether a simple command takes away what can't be brought back.

It is asked for the mark on the card of a question, and for grants: one covers such a command only by its exact words.
It is a list of the well-known ones. The rule that must never break: nothing is allowed because it is not on the list.
"""

from __future__ import annotations

from cellwright.permission.shell.script import Command
from cellwright.permission.shell.wrappers import program

DESTROYING = frozenset(
    {"dd", "fdisk", "kill", "killall", "mkfs", "pkill", "rm", "rmdir", "shred", "srm", "truncate", "unlink", "wipefs"}
)
"""Programs that do it whatever their arguments are."""
BY_WORDS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("git", frozenset({"clean", "gc", "filter-branch", "prune"}), frozenset()),
    ("git", frozenset({"reset"}), frozenset({"--hard", "--merge"})),
    ("git", frozenset({"push"}), frozenset({"-f", "--force", "--force-with-lease", "--delete", "-d", "--mirror"})),
    ("git", frozenset({"checkout", "restore", "switch"}), frozenset({"--", ".", "-f", "--force", "--discard-changes"})),
    ("git", frozenset({"branch", "tag"}), frozenset({"-D", "-d", "--delete"})),
    ("git", frozenset({"stash"}), frozenset({"drop", "clear"})),
    ("find", frozenset(), frozenset({"-delete"})),
    ("rsync", frozenset(), frozenset({"--delete", "--remove-source-files"})),
)
"""A program, words of which one makes it so, and words of which one must stand there as well (none: no need)."""


def destroys(command: Command) -> bool:
    """Whether the command is known to take something away for good."""
    name, words = program(command), {word.text for word in command.words[1:]}
    if name in DESTROYING or name.startswith("mkfs."):
        return True
    return any(
        name == known and (not first or bool(first & words)) and (not second or bool(second & words))
        for known, first, second in BY_WORDS
    )
