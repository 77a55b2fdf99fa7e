"""`cellwright trust`: shows what a project's own files of rules allow, and lets them count once the person agrees.

A folder from elsewhere may bring rules that allow anything. So what they allow counts for nothing until a person has
read it; what they deny holds from the start. The rule that must never break: what is trusted is what was shown, byte
for byte, and a file that changes afterwards is shown again.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cellwright.console.narrator import tell
from cellwright.console.usage import add_command
from cellwright.errors import UsageError
from cellwright.permission.project import Project
from cellwright.person.typed_line import typed_line


def add_trust(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Adds the command."""
    what = "show what the rules in a project's folder allow, and trust them"
    parser = add_command(commands, "trust", what, "../shop")
    folder = "the project's folder; by default this one"
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help=folder)
    return parser


def trust(options: argparse.Namespace) -> int:
    """Shows each file that waits for trust, then asks.

    Raises:
        UsageError: if the folder is not there.
    """
    folder = Path(options.folder).resolve()
    if not folder.is_dir():
        raise UsageError(f"the folder {folder} is not there; give another")
    project = Project.at(folder)
    for path, data, layer in project.untrusted():
        tell(f"{path} allows:")
        for rule in layer.untrusted:
            tell(f"  {rule}")
        try:
            said = typed_line("Trust this file as it is now? [y]es or [n]o: ").strip().lower()
        except EOFError:
            said = ""
        if said not in ("y", "yes"):
            print(f"cellwright: {path} stays untrusted; what it allows is asked about", file=sys.stderr)
            return 1
        project.trust(path, data)
    print(f"cellwright: no rule in {project.folder} waits for your trust", file=sys.stderr)
    return 0
