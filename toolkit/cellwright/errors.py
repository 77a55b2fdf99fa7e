"""Errors, in two families, because two different readers have to act on them.

A *tool error* is written for the model: the run goes on, the message becomes the result of the call, and it
says what to try next. A *usage error* is written for the person: something in the set-up is wrong, nothing can
go on, and it says what to change. Never let one reach the other's reader.

    CellwrightError
        ToolError
        UsageError
            SchemaError
            RegistryError
            ModelError
            LogError
            UndoError
"""


class CellwrightError(Exception):
    """Everything Cellwright raises on purpose."""


class ToolError(CellwrightError):
    """A tool could not do what was asked; the model reads `message` and may try something else.

    `code` is a short stable name in snake_case (`not_found`, `not_unique`, `stale`, ...). `view` may hold a view (of
    `cellwright.views.view`) of what was done before it failed, for the person. `still_running`: it could not be ended.
    """

    def __init__(self, code: str, message: str, view: object = None, *, still_running: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.view = view
        self.still_running = still_running


def unknown_name(kind: str, name: str, *known: str) -> ToolError:
    """The error for a name that nothing of this kind has which the run has begun."""
    there = ", ".join(known) or "none"
    return ToolError("not_found", f"there is no {kind} {name[:100]!r} in this run; there are: {there}")


class UsageError(CellwrightError):
    """The person who set things up has to change something; the message says what."""


class SchemaError(UsageError):
    """A tool's JSON Schema is not valid; the message names the place."""


class RegistryError(UsageError):
    """A tool can't be added, replaced or found in a registry."""


class ModelError(UsageError):
    """A model could not give a turn: its script ended, its stream broke off, its provider refused."""


class LogError(UsageError):
    """An event log can't be written or read."""


class UndoError(UsageError):
    """What a call did can't be taken back, or done again, as things are; the message says what stands in the way."""
