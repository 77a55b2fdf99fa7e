"""Entering mode bypass: two confirmations, each a sentence that says what the person agrees to.

In this mode nothing is asked, so that a slip of the hand at its door costs more than anywhere else. A flag is set by
habit; two sentences are typed by someone who read them. The rule that must never break: no rule file, no tool and no
hook can give this consent, and it is kept nowhere: each agent and each command line is told anew.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from cellwright.errors import UsageError

FIRST = "ask me nothing"
SECOND = "I can lose what it changes"
HOW_TO_ENTER = (
    "mode bypass asks nothing, so it is entered by two confirmations; write Policy('bypass', "
    f"consent=BypassConsent({FIRST!r}, {SECOND!r})), which is in cellwright.permission.bypass"
)


class BypassConsent(Struct, frozen=True):
    """Both confirmations, word for word.

    Raises:
        UsageError: if one of them says something else.
    """

    first: str
    second: str

    def __post_init__(self) -> None:
        for said, wanted in ((self.first, FIRST), (self.second, SECOND)):
            if said != wanted:
                raise UsageError(f"mode bypass was not entered: {said!r} is not {wanted!r}")


def confirmed(read: Callable[[str], str]) -> BypassConsent:
    """Asks a person for both confirmations, one after the other; `read` gives what is typed after a prompt.

    Raises:
        UsageError: if one of them is not given.
    """
    try:
        first = read(f"Mode bypass runs all that no guard and no deny rule stops.\nTo enter it, type {FIRST!r}: ")
        BypassConsent(first.strip(), SECOND)
        second = read(f"What such a call changes, no one has looked at before.\nTo go on, type {SECOND!r}: ")
    except EOFError:
        raise UsageError("mode bypass was not entered: standard input is closed") from None
    return BypassConsent(first.strip(), second.strip())
