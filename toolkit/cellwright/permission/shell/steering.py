"""Options by which a harmless-looking command runs a program, writes a file or deletes one.

Who allows `find *` means searching, not `find . -delete`; who allows `git log *` does not mean `--output=file`.
So no wildcard covers these words: a rule must have them written. The same holds for a word that is not known, where
it could turn out to be one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cellwright.permission.shell.little_languages import awk_reaches_out, curl_reaches_out, sed_reaches_out
from cellwright.permission.shell.word import HOLE, Word

VIM = ("-c", "+", "--cmd", "-S", "-s", "-u", "-w", "-W")
STEERING: dict[str, tuple[str, ...]] = {
    "awk": ("-f", "-i", "-l", "-E", "--file", "--include", "--load", "--exec"),
    "bat": ("--pager",),
    "bind": ("-x", "-f"),
    "cargo": ("--config",),
    "compgen": ("-C", "-F"),
    "complete": ("-C", "-F"),
    "curl": (
        "-o", "-O", "-K", "-T", "-c", "-D", "-J", "--output", "--remote-name", "--remote-header-name", "--config",
        "--upload-file", "--cookie-jar", "--dump-header", "--trace", "--stderr", "--libcurl", "--etag-save", "--hsts",
        "--alt-svc", "--engine", "--unix-socket", "--abstract-unix-socket", "--output-dir",
    ),
    "date": ("-s", "--set"),
    "emacs": ("-eval", "--eval", "-l", "--load", "-f", "--funcall", "--script", "-batch", "--batch"),
    "enable": ("-f",),
    "fd": ("-x", "-X", "--exec"),
    "fdfind": ("-x", "-X", "--exec"),
    "file": ("-C", "--compile"),
    "find": ("-delete", "-fprint", "-fls", "-okdir", "-ok"),
    "gawk": ("-f", "-i", "-l", "-E", "--file", "--include", "--load", "--exec"),
    "git": (
        "-c", "--config-env", "--exec", "--ext-diff", "--git-dir", "--open-files-in-pager", "--output",
        "--receive-pack", "--textconv", "--upload-pack", "--work-tree",
    ),
    "git apply": ("--unsafe-paths",),
    "git archive": ("-o",),
    "git bisect": ("run",),
    "git checkout-index": ("--prefix",),
    "git clone": ("-u", "--template"),
    "git config": (
        "alias.", "browser.", "core.", "credential.", "diff.", "difftool.", "filter.", "gpg.", "include",
        "interactive.", "man.", "merge.", "mergetool.", "pager.", "protocol.", "remote.", "sendemail.",
        "sequence.", "trailer.", "uploadpack.", "url.",
    ),
    "git difftool": ("-x", "--extcmd"),
    "git fast-export": ("--export-marks",),
    "git fast-import": ("--export-marks", "--export-pack-edges"),
    "git filter-branch": ("--commit-filter", "--env-filter", "--index-filter", "--msg-filter", "--parent-filter",
                          "--setup", "--tag-name-filter", "--tree-filter"),
    "git format-patch": ("-o",),
    "git grep": ("-O",),
    "git init": ("--template",),
    "git instaweb": ("-b", "-d", "--browser", "--httpd"),
    "git interpret-trailers": ("--in-place",),
    "git rebase": ("-x",),
    "git send-email": ("--sendmail-cmd", "--smtp-server", "--to-cmd", "--cc-cmd"),
    "git submodule": ("foreach",),
    "go": ("-exec", "-toolexec", "-vettool", "--exec", "--toolexec", "--vettool"),
    "hash": ("-p",),
    "hg": ("--config",),
    "iconv": ("-o", "--output"),
    "less": ("-o", "-O", "-k", "+", "--log-file", "--LOG-FILE", "--lesskey"),
    "make": ("--eval", "SHELL="),
    "man": ("-P", "--pager", "-H", "--html"),
    "mapfile": ("-C",),
    "npm": ("--script-shell", "--node-options"),
    "npm config": ("editor", "git", "init-module", "node-options", "script-shell", "shell"),
    "nvim": VIM,
    "pandoc": ("-F", "-L", "-o", "--filter", "--lua-filter", "--output", "--pdf-engine"),
    "pnpm": ("--script-shell", "--node-options"),
    "printf": ("-v",),
    "readarray": ("-C",),
    "rg": ("--pre", "--hostname-bin"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-o", "-S", "-F"),
    "sed": ("-i", "-f", "--in-place", "--file"),
    "shuf": ("-o", "--output"),
    "sort": ("-o", "--output", "--compress-program"),
    "split": ("--filter",),
    "ssh": ("-o", "-F", "-E"),
    "svn": ("--config-option", "--diff-cmd", "--diff3-cmd", "--editor-cmd"),
    "tar": (
        "-I", "-F", "-P", "--absolute-names", "--to-command", "--checkpoint-action", "--use-compress-program",
        "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command",
    ),
    "tree": ("-o", "--output"),
    "vi": VIM,
    "view": VIM,
    "vim": VIM,
    "wget": ("-O", "-P", "-o", "-a", "-e", "--execute", "--use-askpass", "--output-document", "--output-file",
             "--append-output", "--body-file", "--config", "--directory-prefix", "--post-file", "--save-cookies"),
    "xxd": ("-r", "--revert"),
    "yarn": ("--script-shell",),
    "yq": ("-i", "--inplace"),
    "zip": ("-T", "-TT", "--unzip-command"),
}  # fmt: skip
"""For each program the beginnings of such words."""


SCRIPTS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("awk", "gawk", "mawk"), awk_reaches_out),
    "curl": curl_reaches_out,
    "sed": sed_reaches_out,
}
"""For each program that is told what to do in a word, whether such a word steers."""


def steering_places(program: str, words: Sequence[Word]) -> frozenset[int]:
    """The places of words that no wildcard covers."""
    subcommands = (f"{program} {word.text}" for word in words[1:] if f"{program} {word.text}" in STEERING)
    starts = [start for key in (program, *subcommands) for start in STEERING.get(key, ())]
    steers = SCRIPTS.get(program)
    return frozenset(
        place
        for place, word in enumerate(words)
        if place and (any(_may_be(word, start) for start in starts) or (steers is not None and steers(word.text)))
    ) | _bundle(program, words, starts)


def _bundle(program: str, words: Sequence[Word], starts: Sequence[str]) -> frozenset[int]:
    """The first word of tar is options, with or without a dash."""
    is_one = program == "tar" and len(words) > 1 and words[1].text[:1] != "-"
    letters = {start[1] for start in starts if len(start) == 2}
    return frozenset({1} if is_one and letters & set(words[1].text) else ())


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
    return known.lower().startswith(start.lower())


def _in_cluster(text: str, letter: str) -> bool:
    """Whether a letter stands among short options in one word: `-ni` holds `-i`."""
    return text[:1] == "-" and text[1:2] != "-" and letter in text[1:]
