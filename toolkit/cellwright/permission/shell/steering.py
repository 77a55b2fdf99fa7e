"""Options by which a harmless-looking command runs a program, writes a file or deletes one.

Who allows `find *` means searching, not `find . -delete`; who allows `git log *` does not mean `--output=file`.
So no wildcard covers these words: a rule must have them written. The same holds for a word that is not known, where
it could turn out to be one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from cellwright.permission.shell.word import HOLE, Word

STEERING: dict[str, tuple[str, ...]] = {
    "awk": ("-f", "-i", "-l", "-E", "--file", "--include", "--load", "--exec"),
    "curl": ("-o", "-O", "-K", "-T", "-c", "-J", "--output", "--remote-name", "--config", "--upload-file"),
    "date": ("-s", "--set"),
    "fd": ("-x", "-X", "--exec"),
    "find": ("-delete", "-fprint", "-fls", "-okdir", "-ok"),
    "gawk": ("-f", "-i", "-l", "-E", "--file", "--include", "--load", "--exec"),
    "git": (
        "-c", "--config-env", "--exec", "--ext-diff", "--git-dir", "--open-files-in-pager", "--output",
        "--receive-pack", "--textconv", "--upload-pack", "--work-tree",
    ),
    "git bisect": ("run",),
    "git clone": ("-u",),
    "git difftool": ("-x", "--extcmd"),
    "git grep": ("-O",),
    "git rebase": ("-x",),
    "git submodule": ("foreach",),
    "hg": ("--config",),
    "make": ("--eval", "SHELL="),
    "man": ("-P", "--pager", "-H", "--html"),
    "printf": ("-v",),
    "rg": ("--pre", "--hostname-bin"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-o", "-S", "-F"),
    "sed": ("-i", "--in-place"),
    "sort": ("-o", "--output", "--compress-program"),
    "ssh": ("-o", "-F", "-E"),
    "tar": (
        "-I", "-F", "--to-command", "--checkpoint-action", "--use-compress-program", "--info-script",
        "--new-volume-script", "--rsh-command", "--rmt-command",
    ),
    "tree": ("-o", "--output"),
    "wget": ("-O", "-o", "-a", "-e", "--execute", "--use-askpass", "--output-document"),
    "yq": ("-i", "--inplace"),
    "zip": ("-T", "-TT", "--unzip-command"),
}  # fmt: skip
"""For each program the beginnings of such words."""


def steering_places(program: str, words: Sequence[Word]) -> frozenset[int]:
    """The places of words that no wildcard covers."""
    subcommands = (f"{program} {word.text}" for word in words[1:] if f"{program} {word.text}" in STEERING)
    starts = [start for key in (program, *subcommands) for start in STEERING.get(key, ())]
    return frozenset(
        place for place, word in enumerate(words) if place and any(_may_be(word, start) for start in starts)
    )


def _may_be(word: Word, start: str) -> bool:
    known, hole, _ = word.text.partition(HOLE)
    if hole and len(known) < len(start):
        return start.startswith(known) and (
            bool(known) or word.splits or word.source.startswith(("$", '"$', "`", '"`'))
        )
    if start.startswith("--"):
        option = known.partition("=")[0]
        return known.startswith(start) or (len(option) > 3 and option.startswith("--") and start.startswith(option))
    if len(start) == 2 and start[0] == "-":
        return _in_cluster(known, start[1])
    return known.startswith(start)


def _in_cluster(text: str, letter: str) -> bool:
    """Whether a letter stands among short options in one word: `-ni` holds `-i`."""
    return text[:1] == "-" and text[1:2] != "-" and letter in text[1:]
