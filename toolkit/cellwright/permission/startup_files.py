"""Files that decide what runs later, without anyone being asked again.

A rule that allows, a hook of git, a line in a shell's profile: who can write these can have anything run, however each
call is judged. In a project there are a few of them; where the working folder is a person's home, there are many, and
the person's own rules and what they trust lie among them. The rule that must never break: tools write none of these
files, by whichever name, and in no mode.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from cellwright.permission.sources import user_permissions

STARTUP_FILES = frozenset(
    [
        *(".cellwright", ".config/cellwright"),
        *(".git", ".gitconfig", ".config/git"),
        *(".ipython", ".jupyter", ".local/share/jupyter"),
        *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
        *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".config/fish"),
    ]
)
"""Files and folders, anywhere below the working folder and in any case: rules, git, kernels, shells."""

SETTINGS = frozenset(
    [
        *(".vscode", ".idea", ".devcontainer", ".envrc", ".husky", ".pre-commit-config.yaml", ".github/workflows"),
        *(".gitlab-ci.yml", ".gitmodules", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc"),
        *(".ripgreprc", ".condarc", "pip.conf", "ipython_config.py", "sitecustomize.py", "usercustomize.py"),
        *(".claude", ".codex", ".continue", ".cursor", ".gemini", ".kiro", ".roo", ".windsurf", ".zed", ".mcp.json"),
        *("agents.md", "claude.md", "gemini.md", ".aider.conf.yml", ".clinerules", ".cursorrules", ".windsurfrules"),
        ".github/copilot-instructions.md",
    ]
)
"""What editors, package managers, servers and other agents obey or run by themselves; an edit of it may be wanted."""


def is_setting(parts: Sequence[str]) -> bool:
    """Whether a path is, or lies in, what other programs obey."""
    name = _folded(parts[-1]) if parts else ""
    return _is_among(SETTINGS, parts) or name.endswith(".pth") or re.fullmatch(JUPYTER, name) is not None


JUPYTER = r"jupyter_\w*config\.(py|json)"
"""Settings that Jupyter's programs read, and run, from the folder in which they are started."""


def own_rules() -> Path:
    """The folder of the person's own rules, with links followed."""
    return Path(os.path.realpath(user_permissions().parent))


def decides_what_runs(path: Path, cwd: Path, own: Path | None = None) -> bool:
    """Whether a file below the working folder is one of them; the person's rules are, wherever they lie.

    Of many files, the folder of those rules is given, so that it is found out once.
    """
    return path.is_relative_to(own or own_rules()) or names_startup_file(path.relative_to(cwd).parts)


def names_startup_file(parts: Sequence[str]) -> bool:
    """Whether one of the parts of a path, or some in a row, is such a place."""
    return _is_among(STARTUP_FILES, parts)


def _is_among(places: frozenset[str], parts: Sequence[str]) -> bool:
    folded = [_folded(part) for part in parts]
    rows = ["/".join(row) for row in (*pairwise(folded), *zip(folded, folded[1:], folded[2:], strict=False))]
    return bool(places & {*folded, *rows})


def _folded(part: str) -> str:
    """A name as the most careless file system sees it: no case, no invisible letters, no dots and blanks at its end."""
    seen = "".join(char for char in part if unicodedata.category(char) != "Cf")
    return seen.rstrip(" .").casefold() or part
