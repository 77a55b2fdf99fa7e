"""How a command of `cellwright` is introduced: what it does, in a line, and an example that can be typed.

A person meets a command twice, in the list of all and in its own help, and what they look for is what to type. So both
say the same words, and an example stands below the options. The rule that must never break: an example is one that the
command understands.
"""

from __future__ import annotations

import argparse

TOLD = """\
`cellwright COMMAND --help` tells more of each, with an example.

Exit codes: 0 it is done; 1 it failed or was denied; 2 it can't be done as it was said; 130 you stopped it.
Standard output holds answers and data alone, standard error the rest.
"""


def program() -> argparse.ArgumentParser:
    """The program itself, which commands are added to."""
    return argparse.ArgumentParser(
        prog="cellwright",
        description="An agent toolkit that lives in a Jupyter kernel.",
        epilog=TOLD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str, example: str
) -> argparse.ArgumentParser:
    """Adds a command, and gives what its options are added to."""
    return commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=f"example: cellwright {name} {example}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
