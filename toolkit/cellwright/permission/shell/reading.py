"""Whether a simple command is known to only read, and to read only in the working folder.

The program, its options and the words must all be known: one word that is not written out could be any option.
The rule that must never break: what is not known does not count as reading.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from cellwright.env import Env, contained_path
from cellwright.errors import ToolError
from cellwright.permission.credentials import CREDENTIALS, leads_to_credentials
from cellwright.permission.shell.git_commands import GLOBAL, SUBCOMMANDS
from cellwright.permission.shell.known_commands import DECLARING, FIRST_IS_TEXT, NO_PATHS, PROGRAMS, TEXTUAL
from cellwright.permission.shell.little_languages import awk_only_prints, jq_only_prints, sed_only_prints
from cellwright.permission.shell.options import Arguments, Options, read_arguments
from cellwright.permission.shell.script import Command
from cellwright.permission.shell.steering import STEERING
from cellwright.permission.shell.variables import is_plain_name
from cellwright.permission.shell.wildcard import Wildcards
from cellwright.permission.shell.word import HOLE, Word
from cellwright.permission.shell.wrappers import TRUSTED_FOLDERS, program

MAX_WORDS = 200
"""Words of a command that are looked at, since each may be a path to follow."""
STREAMS = frozenset({"-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"})


def only_reads(command: Command, env: Env, folders: Sequence[str] = (".",), wildcards: Wildcards | None = None) -> bool:
    """Whether the command only reads, seen from each of the folders (relative to the working folder)."""
    name, words = program(command), command.words
    if not name or len(words) > MAX_WORDS or words[0].text.removesuffix(name) not in ("", *TRUSTED_FOLDERS):
        return False
    if name in TEXTUAL:
        return True
    if name in DECLARING:
        flags = [word.text for word in words[1:] if word.text.startswith("-")]
        may_be_array = name != "export" or bool(flags)
        names = [word for word in words[1:] if not word.text.startswith("-")]
        known = all(re.fullmatch(r"-[Aagprsvx]+", flag) for flag in flags)
        return known and bool(names) and all(is_plain_name(word, may_be_array) for word in names)  # none prints all
    if not all(_is_known(name, word) for word in words):
        return False
    if name == "test":  # its options are operators; `-v` evaluates the name after it
        return not any("[" in word.text or word.text in ("-v", "-R") for word in words)
    found = _known(name, words[1:])
    if found is None:
        return False
    full_name, arguments, options = found
    if not _fits(full_name, arguments, options):
        return False
    if name == "git" and any(_holds_open_repository(folder, env) for folder in _git_folders(words, folders)):
        return False
    files = named_files(command)
    wildcards = wildcards or Wildcards()
    if files is None or any(_holds_credentials(text, env, folders, wildcards) for text in files.walked):
        return False
    return all(is_inside(text, env, folders, wildcards) for text in _paths(full_name, arguments, words))


class Files(Struct, frozen=True):
    """What a command of a known program reads."""

    named: tuple[str, ...]
    """Paths as they are written, with holes for what is not known of them."""
    walked: tuple[str, ...]
    """Those of which everything inside is read, too; they may be folders."""
    is_open: bool
    """Whether a word may turn out to be any file, or an option that names one."""


def named_files(command: Command) -> Files | None:
    """The files that a command reads; None if the program or an option is not known."""
    name, words = program(command), command.words
    if name in TEXTUAL or name in ("cd", "test"):  # which read no content
        return Files((), (), is_open=False)
    found = _known(name, words[1:]) if name else None
    if found is None:
        return None
    full_name, arguments, options = found
    given = {option for option, _ in arguments.options}
    if options.needs and not given & set(options.needs.split()):
        return None
    named = tuple(_paths(full_name, arguments, words))
    if name == "git":
        named += tuple(text.partition(":")[2] for text in named if ":" in text)
    walks = full_name in WALKING and (not WALKING[full_name] or bool(given & WALKING[full_name]))
    any_file = name not in NO_PATHS and any(
        is_open(word) and (word.splits or word.text[0] in ("-", HOLE) or word.text in named) for word in words[1:]
    )
    return Files(named, (named or (".",)) if walks else (), any_file)


def is_open(word: Word) -> bool:
    """Whether a word may turn out to be anything: it holds an expansion or braces, not just a wildcard for files."""
    return _is_expanded(word) and not word.text.startswith("/dev/fd/")


def _is_expanded(word: Word) -> bool:
    """`[a]/../..` counts as well: it leads anywhere."""
    written = word.source
    return word.splits or (HOLE in word.text and ("$" in written or "`" in written or "/" in written.partition("[")[2]))


RECURSIVE = frozenset({"-r", "-d", "--recursive", "--directories"})
WALKING = {**dict.fromkeys(("diff", "egrep", "fgrep", "grep"), RECURSIVE), "git grep": frozenset(), "rg": frozenset()}
"""Programs that read all that is in a folder, and the options with which they do (none: always)."""


def is_inside(text: str, env: Env, folders: Sequence[str] = (".",), wildcards: Wildcards | None = None) -> bool:
    """Whether a path lies in the working folder, from wherever it is seen, and is no place for credentials."""
    known = text if HOLE not in text else text.partition(HOLE)[0].rpartition("/")[0] or "."
    if text in STREAMS or re.fullmatch(r"/dev/fd/.*", text):
        return True
    if text.startswith(("~", "/" + HOLE)) or ".." in text.partition(HOLE)[2].split("/"):
        return False
    if any(part.startswith(".") and HOLE in part for part in text.split("/")):
        return False  # `.?` may be `..`, and `.s*` a place for credentials
    try:
        paths = [contained_path(str(Path(folder) / known), env.cwd) for folder in folders]
    except ToolError:
        return False
    if any(leads_to_credentials(path.relative_to(env.cwd).parts) for path in paths):
        return False
    if HOLE not in text:
        return True
    wildcards, cwd = wildcards or Wildcards(), str(env.cwd)
    found = [wildcards.matches(text, env.cwd / folder) for folder in folders]
    below = [match.parts_below(cwd) for each in found for match in each or ()]
    if None in found or any(parts is None or leads_to_credentials(parts) for parts in below):
        return False
    return not (text.startswith(HOLE) and any(part.startswith("-") for parts in below for part in parts or ()))


def _holds_credentials(text: str, env: Env, folders: Sequence[str], wildcards: Wildcards) -> bool:
    """Whether a folder that is walked through is, or may be, one like a person's home."""
    starts = [env.cwd / folder for folder in folders]
    found = [wildcards.matches(text, start) if HOLE in text else () for start in starts]
    places = [str(start / text.partition(HOLE)[0]) for start in starts]
    places += [match.path for each in found for match in each or () if os.path.isdir(match.path)]
    return None in found or any(os.path.lexists(f"{place}/{name}") for place in places for name in CREDENTIALS)


def _git_folders(words: Sequence[Word], folders: Sequence[str]) -> list[Path]:
    """The folders from which git looks for a repository; each `-C` is seen from the one before."""
    inner = [words[at + 1].text for at, word in enumerate(words[:-1]) if word.text == "-C"]
    return [Path(folder, *inner) for folder in folders]


def _holds_open_repository(folder: Path, env: Env) -> bool:
    """Whether git might find a repository that is no `.git`, in a folder or above it.

    The settings of a repository name programs that git runs, and nothing keeps a tool from writing those of this one.
    """
    try:
        path = contained_path(str(folder), env.cwd)
    except ToolError:
        return True
    above = [place for place in (path, *path.parents) if place.is_relative_to(env.cwd)]
    return any(os.path.lexists(place / "HEAD") for place in above)


def _is_known(name: str, word: Word) -> bool:
    """A word that is written out, or a wildcard for files that can't turn out to be an option."""
    if word.is_literal:
        return True
    return (
        not _is_expanded(word)
        and not word.text.startswith("-")
        and not (name in STEERING and word.text.startswith(HOLE))
    )


def _known(name: str, words: Sequence[Word]) -> tuple[str, Arguments, Options] | None:
    """The program with its subcommand, its arguments and its options, as far as they are known."""
    if name == "git" and not any(word.text == "--version" for word in words[:1]):
        before = read_arguments(words, GLOBAL)
        if before is None or any(value and not re.fullmatch(r"[\w./-]+", value) for _, value in before.options):
            return None
        words = words[before.start :]
        table = {f"git {key}": options for key, options in SUBCOMMANDS.items()}
    else:
        table = PROGRAMS
    for length in (2, 1, 0):
        full_name = " ".join([name, *(word.text for word in words[:length])])
        if len(words) >= length and full_name in table:
            options = table[full_name]
            arguments = read_arguments(words[length:], options)
            return (full_name, arguments, options) if arguments else None
    return None


def _fits(name: str, arguments: Arguments, options: Options) -> bool:
    """Whether these arguments only read, with what is special about the program."""
    given, operands = {option for option, _ in arguments.options}, [word.text for word in arguments.operands]
    values = [value for _, value in arguments.options]
    if options.most is not None and len(operands) > options.most:
        return False
    counts = options.most is not None and name not in NO_PATHS
    if HOLE in "".join((*values, *(operands if counts else operands[:1] if name in LANGUAGES else ()))):
        return False  # a wildcard may stand for several words: `uniq a*` writes to the second
    if options.needs and not given & set(options.needs.split()):
        return False
    match name:
        case "sed":
            scripts = [value for option, value in arguments.options if option in ("-e", "--expression")]
            return all(sed_only_prints(script) for script in scripts or operands[:1] or ["w"])
        case "awk" | "gawk" | "mawk":
            return bool(operands) and awk_only_prints(operands[0])
        case "jq":
            return all(map(jq_only_prints, operands[:1]))
        case "diff":  # it follows links in the folders, unless it is told not to
            return not given & RECURSIVE or "--no-dereference" in given
        case "ls":
            return not (given & {"-R", "--recursive"} and given & {"-L", "--dereference"})
        case "ps":
            return not any("e" in operand for operand in operands)  # which prints what each process has set
        case "strings":
            return not any(operand.startswith("@") for operand in operands)
        case "date":
            return all(operand.startswith("+") for operand in operands)
        case "printf":
            return bool(operands)
        case "set":
            return bool(given or operands) and set(values) <= {"pipefail", "errexit", "nounset", "xtrace", "noglob"} | {
                ""
            }
        case "tar":
            return ":" not in "".join(values)
        case "cd":
            return len(operands) == 1
    return True


LANGUAGES = frozenset({"awk", "gawk", "jq", "mawk", "sed"})
"""Programs that are told in a word what to do, so that all of it must be known."""
LOOKED_FOR = frozenset({"-e", "--regexp", "--expression", "--files", "--type-list"})
"""Options in whose presence the first operand is a path."""


def _paths(name: str, arguments: Arguments, words: Sequence[Word]) -> list[str]:
    """The texts among the words that name files."""
    if name in NO_PATHS:
        return []
    given = {option for option, _ in arguments.options}
    skipped = 1 if name in FIRST_IS_TEXT and not given & LOOKED_FOR else 0
    wild = [word for word in arguments.operands[:skipped] if HOLE in word.text and not is_open(word)]
    paths = [word.text for word in (*arguments.operands[skipped:], *wild)]  # a wildcard is a name, and perhaps others
    if name == "tar":
        paths += [value for option, value in arguments.options if option in ("-f", "--file")]
    if name.startswith("git "):
        paths += [words[at + 1].text for at, word in enumerate(words[:-1]) if word.text == "-C"]
    return paths
