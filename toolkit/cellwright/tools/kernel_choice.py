"""Which kernel is meant: the run's own, another that is installed, or that of a notebook.

A notebook says in its metadata which kernel it wants, often by a name that only its author's machine has. What is
meant by that is the language: another kernel of the same language does as well, and that is said. The rule that must
never break: no code runs in a kernel of another language than it was written for; where there is none, the error names
those that are installed.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels.kernel_session import KernelSession
from cellwright.notebook.stored import StoredNotebook
from cellwright.text.secret_formats import secret_values

USUAL = "python3"
"""The kernel that a run has for code that is of no notebook."""
SAME = {"python3": "python", "python2": "python", "ipython": "python", "ipython3": "python", "ir": "r"}
"""Names that languages go by in notebooks, and their own."""


class KernelChoice(Struct, frozen=True):
    """A kernel of a run, started or not."""

    name: str
    """What it is called in the run: the path of its notebook, or the name of its kernel."""
    kernel_name: str
    language: str
    cwd: Path
    env: dict[str, str | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What there is to say of the choice, such as that another kernel had to be taken."""
    stored: StoredNotebook | None = None
    """The notebook whose kernel it is."""
    server: str = ""
    """The address of the server on which it runs; empty for this machine."""

    @property
    def title(self) -> str:
        """The kernel for people: its name, and the notebook that it belongs to."""
        title = self.name if self.stored is None else f"{self.kernel_name} of {self.name}"
        return title + self.place

    @property
    def place(self) -> str:
        """Where it runs, if that is not this machine."""
        return f" on {self.server}" if self.server else ""

    def session(self, env: Env) -> KernelSession:
        """The run's kernel of this name, started when code first runs in it."""
        return env.kernels.session(self.name, self.kernel_name, self.cwd, self.env)


def chosen_kernel(given: str | None, env: Env) -> KernelChoice:
    """The kernel that a model names: the path of a notebook, an installed kernel or a language; none for the usual.

    Raises:
        ToolError: `no_kernel`, or what reading the notebook says.
    """
    if given is not None and given.strip().lower().endswith(".ipynb"):
        return notebook_kernel(StoredNotebook.read(given, env), env)
    wanted = USUAL if given is None else given.strip()
    found = env.kernels.installed()
    name = _installed(wanted, wanted, found)
    if name is None:
        raise _missing(f"there is no kernel {wanted[:100]!r}", wanted, found)
    withheld = dict.fromkeys(secret_values(os.environ))  # the code is a model's, as in a command line
    server, note = _elsewhere(name, env)
    return KernelChoice(name, name, found[name], env.cwd, withheld, tuple(filter(None, (note,))), None, server)


def started_kernel(given: str | None, env: Env) -> tuple[KernelChoice, KernelSession]:
    """The kernel that a model names, if it was started in this run.

    Raises:
        ToolError: `not_started`, or what `chosen_kernel` says.
    """
    choice = chosen_kernel(given, env)
    session = env.kernels.find(choice.name)
    if session is not None and (session.kernel.starts or session.busy_for is not None):
        return choice, session
    others = [name for name in env.kernels.names() if name != choice.name]
    more = f"; there are: {', '.join(others)}" if others else ""
    why = "; that of the earlier run has ended with it" if env.kernels.ended_before(choice.name) else ""
    raise ToolError("not_started", f"no code has run in the kernel {choice.title} in this run{why}{more}")


def free_kernel(given: str | None, env: Env) -> tuple[KernelChoice, KernelSession]:
    """The same, if its variables are there, and nothing is running in it.

    Raises:
        ToolError: `kernel_died`, `kernel_busy`, or what `started_kernel` says.
    """
    choice, session = started_kernel(given, env)
    session.require_free()
    if not session.kernel.is_alive:
        what = f"the kernel {choice.title} is not there any more, and its variables are lost"
        raise ToolError("kernel_died", f"{what}; the next code that runs in it starts it anew")
    return choice, session


def notebook_kernel(stored: StoredNotebook, env: Env) -> KernelChoice:
    """The kernel that a notebook names, or another of its language if that one is not installed.

    Raises:
        ToolError: `no_kernel`.
    """
    spec = stored.document.metadata.get("kernelspec")
    named = str(spec.get("name") or "") if isinstance(spec, dict) else ""
    language = _language(stored, named)
    found = env.kernels.installed()
    name = _installed(named, language, found)
    if name is None:
        what = f"the kernel {named!r} for {language}" if named else f"a kernel for {language}"
        raise _missing(f"{stored.shown} needs {what}, which is not installed", named, found)
    notes = (
        ()
        if name == named or not named
        else (f"the notebook names the kernel {named!r}, which is not installed; {name} is used instead",)
    )
    variables: dict[str, str | None] = {"JPY_SESSION_NAME": str(stored.path)}
    server, note = _elsewhere(stored.shown, env)
    told = (*notes, note) if note else notes
    return KernelChoice(stored.shown, name, language, stored.path.parent, variables, told, stored, server)


def _elsewhere(name: str, env: Env) -> tuple[str, str]:
    """Where kernels are that are not on this machine, and what there is to say of that before the first code runs."""
    gateway, held = env.kernels.gateway, env.kernels.find(name)
    if gateway is None:
        return "", ""
    begun = held is not None and held.kernel.starts
    return gateway.address, "" if begun else f"it runs on {gateway.address}, and sees the files that are there"


def _language(stored: StoredNotebook, named: str) -> str:
    """The language of a notebook that names a kernel or none; where it is told by the kernel's name alone, that."""
    metadata = stored.document.metadata
    told = [
        part.get(key)
        for part, key in ((metadata.get("language_info"), "name"), (metadata.get("kernelspec"), "language"))
        if isinstance(part, dict)
    ]
    return stored.document.language if any(told) or not named else named


def _installed(name: str, language: str, found: Mapping[str, str]) -> str | None:
    """The installed kernel of this name, or else the one that is best for the language."""
    if name in found:
        return name
    wanted = SAME.get(language.lower(), language.lower())
    same = [kernel for kernel, of in found.items() if SAME.get(of.lower(), of.lower()) == wanted]
    return USUAL if USUAL in same else min(same, default=None)


def _missing(what: str, name: str, found: Mapping[str, str]) -> ToolError:
    there = ", ".join(f"{kernel} ({language})" for kernel, language in found.items()) or "none"
    near = difflib.get_close_matches(name, found, 1)
    return ToolError("no_kernel", f"{what}.{f' Did you mean {near[0]}?' if near else ''} Installed are: {there}")
