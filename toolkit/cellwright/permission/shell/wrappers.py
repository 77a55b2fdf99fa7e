"""Commands that run another command: the inner one is what matters, and it is judged like any other.

`timeout 5 touch x`, `env A=1 touch x`, `find . -exec touch {} +`, `sh -c 'touch x'` and `ssh host touch x` all run
`touch`. A wrapper that adds nothing of its own (`nice`, `time`) needs no rule; one that does (`sudo`, `ssh`) needs one
beside the inner command. The rule that must never break: where the inner command can't be found, it is `UnclearError`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from cellwright.permission.shell.grammar import UnclearError
from cellwright.permission.shell.options import Options, read_arguments
from cellwright.permission.shell.script import Assignment, Command, Script
from cellwright.permission.shell.word import HOLE, Word

TRUSTED_FOLDERS = ("/bin/", "/usr/bin/", "/usr/local/bin/")
"""Where a program is what its name says."""
NO_OPTIONS = Options(mixed=False)


class Wrapping(Struct, frozen=True):
    """How a wrapper's words lead to the inner command."""

    options: Options = NO_OPTIONS
    before: int = 0
    """Operands before the inner command, such as the seconds of `timeout`."""
    assigns: bool = False
    """Whether `NAME=value` may stand before the inner command."""
    adds: bool = False
    """Whether the wrapper does something of its own, so that it needs a rule, too."""
    joins: bool = False
    """Whether the words are joined and read by a shell."""
    feeds: bool = False
    """Whether words from elsewhere are added to the inner command."""


def _options(
    short: str = "", valued: str = "", long: str = "", long_valued: str = "", numeric: bool = False
) -> Options:
    return Options(short, valued, "", long, long_valued, numeric, mixed=False)


WRAPPERS: dict[str, Wrapping] = {
    "builtin": Wrapping(),
    "command": Wrapping(_options("p")),
    "coproc": Wrapping(assigns=True),
    "doas": Wrapping(_options("nL", "uC"), adds=True),
    "env": Wrapping(_options("i0v", "u", "ignore-environment null debug", "unset"), assigns=True),
    "exec": Wrapping(_options("cl", "a")),
    "ionice": Wrapping(_options("t", "cn", "ignore", "class classdata")),
    "nice": Wrapping(_options("", "n", "", "adjustment", numeric=True)),
    "nohup": Wrapping(),
    "setsid": Wrapping(_options("cfw", "", "ctty fork wait")),
    "ssh": Wrapping(
        _options("46AaCfGgKkMNnqsTtVvXxYy", "BbcDEeFIiJLlmOoPpQRSWw"), before=1, adds=True, joins=True
    ),
    "stdbuf": Wrapping(_options("", "ioe", "", "input output error")),
    "sudo": Wrapping(
        _options("AbEHkKnPS", "CghpRrTtu", "askpass background non-interactive preserve-env= set-home stdin",
                 "chdir group host prompt role type user"),
        assigns=True,
        adds=True,
    ),
    "time": Wrapping(_options("pv", "", "portability verbose"), assigns=True),
    "timeout": Wrapping(_options("fpv", "ks", "foreground preserve-status verbose", "kill-after signal"), before=1),
    "watch": Wrapping(
        _options("bcdegtw", "nq", "beep color differences= errexit chgexit no-title no-wrap", "interval equexit"),
        joins=True,
    ),
    "xargs": Wrapping(
        _options("0oprtx", "adEILnPs", "null interactive no-run-if-empty verbose exit open-tty eof= max-lines="
                 " replace=", "arg-file delimiter max-args max-chars max-procs"),
        feeds=True,
    ),
}  # fmt: skip
SHELLS = frozenset({"ash", "bash", "dash", "ksh", "mksh", "posh", "rbash", "sh", "yash", "zsh"})
BARE = frozenset({
    "busybox", "toybox", "chroot", "unshare", "nsenter", "flock", "parallel", "strace", "ltrace", "script", "su",
    "runuser", "pkexec", "chrt", "taskset", "numactl", "prlimit", "setarch", "linux32", "linux64", "systemd-run",
    "start-stop-daemon", "fakeroot", "proot", "unbuffer", "xvfb-run", "dbus-run-session", "dbus-launch", "entr",
    "csh", "tcsh", "fish", "pwsh",
})  # fmt: skip
"""Wrappers and shells of which only the name is known: what they run can't be told, so they are never understood."""

FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
FD_RUNS = frozenset({"-x", "-X", "--exec", "--exec-batch"})
RUNNING = {"find": FIND_RUNS, "fd": FD_RUNS, "fdfind": FD_RUNS}
"""Programs that search for files, and the options after which stands what they run for each."""
FD_VALUED = "cCdeEjoSt"
"""The short options of fd that take the rest of their word as a value."""
FD_MARKS = ("{}", "{/}", "{//}", "{.}", "{/.}")
"""What fd puts a path, or a part of it, in the place of."""

Reader = Callable[[str], Script]
"""Reads a text as a command line."""


class Inside(Struct, frozen=True):
    """What a wrapper runs, and whether the wrapper itself needs a rule."""

    script: Script
    adds: bool


def program(command: Command) -> str:
    """The name of the program without its folder; empty if it is not written out."""
    return command.words[0].text.rsplit("/", 1)[-1] if command.words and command.words[0].is_literal else ""


FEEDING = frozenset({"BASH_ENV", "ENV", "PROMPT_COMMAND", "PS4"})
"""Variables that hold what a shell runs by itself."""


def is_fed(command: Command) -> bool:
    """Whether it is a shell that runs what it is fed: `sh` in a pipe, `bash <(...)`, `source /dev/stdin`."""
    if program(command) not in SHELLS | {"source", "."}:
        return False
    if any(found.name in FEEDING for found in command.assignments):
        return True
    files = [word.text for word in command.words[1:] if not word.text.startswith("-")]
    return not files or files[0].startswith("/dev/")


def unwrapped(command: Command, read: Reader) -> Inside | None:
    """What the command runs, or None if it is no wrapper.

    Raises:
        UnclearError: if it runs something that can't be read.
    """
    name, words = program(command), command.words
    path = words[0].text if words else ""
    is_named = "/" not in path or path.removesuffix(name) in TRUSTED_FOLDERS
    if name in BARE:
        raise UnclearError(f"what {name} runs can't be told")
    if name in SHELLS:
        inside = _of_shell(name, words[1:], read)
    elif name == "eval":
        inside = Inside(_read_joined(name, words[1:], read), adds=False)
    elif name == "trap":
        inside = _of_trap(words[1:], read)
    elif name in RUNNING:
        inside = _of_search(words[1:], RUNNING[name])
    elif name in WRAPPERS and not _only_asks(name, words[1:]):
        inside = _of_wrapper(name, WRAPPERS[name], words[1:], read)
    else:
        return None
    return inside if is_named or inside is None else replace(inside, adds=True)


def _only_asks(name: str, words: tuple[Word, ...]) -> bool:
    """`command -v name` looks a command up and runs none."""
    return name == "command" and bool(words) and words[0].text in ("-v", "-V")


def _of_wrapper(name: str, wrapping: Wrapping, words: tuple[Word, ...], read: Reader) -> Inside:
    found = read_arguments(words, wrapping.options)
    if found is None:
        raise UnclearError(f"an option of {name} is not known")
    rest = words[found.start :]
    if any(not word.is_literal for word in rest[: wrapping.before]) or len(rest) < wrapping.before:
        raise UnclearError(f"what {name} runs can't be told")
    rest = rest[wrapping.before :]
    if name == "env" and rest and rest[0].text == "-":
        rest = rest[1:]
    assignments: list[Assignment] = []
    while wrapping.assigns and rest and "=" in rest[0].text:
        key, _, value = rest[0].text.partition("=")
        assignments.append(Assignment(key, Word(value, value, rest[0].splits)))
        rest = rest[1:]
    if wrapping.feeds:
        rest = _fed(rest, found.options)
    if not rest:
        alone = [Command((), tuple(assignments))] if assignments else []
        return _inside(alone, wrapping.adds or name == "env")  # which then prints every variable
    adds = wrapping.adds or any(option in ("-a", "--arg-file") for option, _ in found.options)
    if wrapping.joins:
        return Inside(_read_joined(name, rest, read), adds)
    return _inside([Command(rest, tuple(assignments))], adds)


def _inside(commands: list[Command], adds: bool) -> Inside:
    return Inside(Script(tuple(commands), (), frozenset()), adds)


def _fed(words: tuple[Word, ...], options: tuple[tuple[str, str], ...]) -> tuple[Word, ...]:
    """The command that xargs makes of its input: words in the place of a mark, or added at the end.

    A mark and a number of words exclude each other, and the one that is given last counts; so both may.
    """
    marks = [value or "{}" for option, value in options if option in ("-I", "--replace")]
    words = words or (Word.literal("echo"),)
    for mark in marks:
        words = tuple(_marked(word, mark) for word in words)
    is_marked = marks and not any(option in ("-L", "-n", "--max-args", "--max-lines") for option, _ in options)
    return words if is_marked else (*words, Word.unknown())


def _marked(word: Word, mark: str) -> Word:
    """The word with unknown text in the place of a mark. It may turn out to be anything, so it counts as splitting."""
    return Word(word.text.replace(mark, HOLE), word.source, splits=True) if mark in word.text else word


def _of_shell(name: str, words: tuple[Word, ...], read: Reader) -> Inside | None:
    known = _options("abcefhilmnprtuvxBCEHPT", "Oo", "login noprofile norc posix")
    found = read_arguments(words, known)
    if found is None or any(word.text.startswith("+") for word in found.operands[:1]):
        raise UnclearError(f"an option of {name} is not known")
    if ("-c", "") not in found.options:
        return None  # it runs a file or its input: that takes a rule for the shell itself
    if not found.operands or not found.operands[0].is_literal:
        raise UnclearError(f"what {name} -c runs is not written out")
    return Inside(read(found.operands[0].text), adds=False)


def _of_trap(words: tuple[Word, ...], read: Reader) -> Inside | None:
    if len(words) < 2 or words[0].text in ("", "-", "-p", "-l"):
        return None
    first = 1 if words[0].text == "--" else 0
    return Inside(_read_joined("trap", words[first : first + 1], read), adds=False)


def _read_joined(name: str, words: tuple[Word, ...], read: Reader) -> Script:
    if any(not word.is_literal for word in words):
        raise UnclearError(f"what {name} runs is not written out")
    return read(" ".join(word.text for word in words))


def _of_search(words: tuple[Word, ...], running: frozenset[str]) -> Inside | None:
    """The commands of `-exec` and its like. What the search does itself needs a rule, or is known to only read."""
    commands: list[Command] = []
    at = 0
    while at < len(words):
        at += 1
        option = words[at - 1].text
        if option not in running:
            if _may_run(words[at - 1], running):
                raise UnclearError(f"{words[at - 1].source} may run something that can't be told")
            continue
        inner: list[Word] = []
        while at < len(words) and not _ends_command(words[at], option, inner):
            inner.append(words[at])
            at += 1
        if (at == len(words) and running is FIND_RUNS) or not inner:
            raise UnclearError("what find runs has no end")
        if running is FD_RUNS:
            inner.append(Word.unknown())
        for mark in FD_MARKS if running is FD_RUNS else ("{}",):
            inner = [_marked(word, mark) for word in inner]
        commands.append(Command(tuple(inner)))
    return _inside(commands, adds=True) if commands else None


def _may_run(word: Word, running: frozenset[str]) -> bool:
    """Whether a word that is no option to run something may be one: in a cluster, with a value, or not all known."""
    known, hole, _ = word.text.partition(HOLE)
    option, equals, _ = known.partition("=")
    if not option.startswith("-") or option == word.text == "--":
        return False
    if running is FIND_RUNS or option.startswith("--"):
        is_whole = not hole or bool(equals)
        return any(run.startswith(option) for run in running) and not (is_whole and running is FIND_RUNS)
    for letter in option[1:]:
        if letter in FD_VALUED:
            return False
        if f"-{letter}" in running:
            return True
    return bool(hole)


def _ends_command(word: Word, option: str, inner: list[Word]) -> bool:
    """A `+` ends a command only right after `{}`; elsewhere it is a word like others, as in `sort + -o f`."""
    is_plus = word.text == "+" and option in ("-exec", "-execdir") and bool(inner) and inner[-1].text == "{}"
    return word.text == ";" or is_plus
