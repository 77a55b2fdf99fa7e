"""What a command may run that is no known wrapper: `npx rm a`, `docker exec box rm a`, `git rebase -x 'rm a'`.

Nobody can list all programs that run what stands among their words, and a rule that denies `rm` means it there, too.
So wherever a program may hand its words on, they are read as a command as well; what is found is a perhaps, never more.
The rule that must never break: this finds commands for rules that restrict. No allow rule is held against them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cellwright.permission.shell.script import Command
from cellwright.permission.shell.steering import steering_places
from cellwright.permission.shell.word import HOLE, Word
from cellwright.permission.shell.wrappers import program

WORDS_ARE_DATA = frozenset({
    "apropos", "black", "bzip2", "cat", "chgrp", "chmod", "chown", "chsh", "clang", "code", "cp", "curl", "dd",
    "deno", "dig", "ed", "emacs", "eslint", "flake8", "g++", "gcc", "gunicorn", "gzip", "help", "host", "info",
    "install", "isort", "java", "javac", "jest", "journalctl", "kill", "killall", "less", "ln", "man", "mkdir",
    "mkfifo", "mktemp", "more", "mv", "mypy", "mysql", "nano", "node", "nox", "nslookup", "perl", "php", "ping",
    "pkill", "prettier", "printenv", "psql", "pylint", "pytest", "python", "python3", "rm", "rmdir", "rsync", "ruby",
    "ruff", "scp", "shred", "sqlite3", "streamlit", "tar", "tee", "tldr", "touch", "tox", "truncate", "tsc", "unlink",
    "unzip", "uvicorn", "vi", "vim", "webpack", "wget", "whatis", "whereis", "which", "xz", "zip",
})  # fmt: skip
"""Common programs of which the first word is a file, a name or an address."""
SUBCOMMANDED = frozenset({
    "apk", "apt", "apt-get", "asdf", "aws", "az", "brew", "bun", "bundle", "cargo", "choco", "conda", "direnv", "dnf",
    "docker", "docker-compose", "dotnet", "dvc", "flatpak", "gcloud", "gh", "git", "glab", "go", "gradle", "gsutil",
    "guix", "hatch", "helm", "hg", "ip", "jupyter", "just", "kubectl", "lxc", "make", "mamba", "micromamba", "mise",
    "mvn", "nerdctl", "nix", "npm", "oc", "pacman", "pdm", "perf", "pip", "pip3", "pipx", "pixi", "pnpm", "podman",
    "poetry", "pyenv", "rbenv", "rclone", "rustup", "rye", "service", "snap", "svn", "systemctl", "task", "terraform",
    "tmux", "uv", "yarn", "yum",
})  # fmt: skip
"""Programs of which the first word is a command of their own."""
RUNS = frozenset(
    {"dlx", "exec", "foreach", "new", "new-session", "new-window", "run", "shell", "split-window", "stat", "x"}
)
"""Commands of theirs after which stands what is run."""
SCRIPTED = frozenset({"bun", "npm", "pnpm", "yarn"})
"""Those whose `run` takes the name of a script."""
IN_A_PLACE = frozenset({"direnv", "docker", "docker-compose", "flatpak", "kubectl", "lxc", "nerdctl", "oc", "podman"})
"""Those that name first where it is run: a container, a folder."""


def handed_on(command: Command, is_known: bool) -> Iterator[Sequence[Word]]:
    """The commands that may be run. Of a known program only its options run anything."""
    name, words = program(command), command.words
    for place in sorted(steering_places(name, words)):
        for word in words[place : place + 2]:
            yield from _spelled(word)
    if is_known or not name or name in WORDS_ARE_DATA:
        return
    for place in _starts(name, words):
        first = Word.literal(words[place].text.rsplit("/", 1)[-1])
        for found in (*_spelled(words[place]), (first, *words[place + 1 :])):
            if name in SUBCOMMANDED or found[0].text[:1] != HOLE:  # what scripts are given is rarely a program's name
                yield found


def _starts(name: str, words: Sequence[Word]) -> Iterator[int]:
    """The places at which a command may begin: behind options, each of which may have a value."""
    place, before = 1, 0
    if name in SUBCOMMANDED:
        runs = RUNS - {"run"} if name in SCRIPTED else RUNS
        place = next((at + 1 for at, word in enumerate(words) if at and word.text in runs), len(words))
        before = 1 if name in IN_A_PLACE else 0
    while place < len(words):
        yield place
        is_option, had_option = words[place].text.startswith("-"), words[place - 1].text.startswith("-")
        if not is_option and not had_option:
            if not before:
                return
            before -= 1
        place += 1


def _spelled(word: Word) -> Iterator[Sequence[Word]]:
    """The command that one word spells, `rm a`, perhaps behind a name: `alias.x=!rm a`."""
    for text in (word.text, *(word.text.split("=", at)[-1] for at in range(1, min(word.text.count("="), 3) + 1))):
        spelled = text.lstrip("! ").split()
        if spelled and spelled[0][0] != "-" and (len(spelled) > 1 or text != word.text):
            yield tuple(map(Word.literal, (spelled[0].rsplit("/", 1)[-1], *spelled[1:])))
