"""What an agent is given, once it is sure that each of it is what it should be.

A class is given for an instance, the name of a model for the model, one hook for a list of them; Python would say so in
the midst of a run only, in words about something else. So what a person gives is looked at when the agent is made. The
rule that must never break: what is wrong is told at once, with what came and what to write in its place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from cellwright.declared import is_above_0
from cellwright.errors import UsageError
from cellwright.hooks.hook import Hook
from cellwright.log.events import Observer
from cellwright.models.model import Model
from cellwright.permission.decision import Mode
from cellwright.permission.policy import Policy
from cellwright.person.approval import Approver
from cellwright.runs.budget import Budget
from cellwright.text.secret_formats import SHORTEST

Each = TypeVar("Each")


def given_model(model: Model) -> Model:
    """The model; the name of a model is easily taken for it, and so is its class.

    Raises:
        UsageError: if it is none.
    """
    if not isinstance(model, type) and isinstance(getattr(model, "name", None), str) and _has(model, "stream"):
        return model
    way = f"write model({model!r})" if isinstance(model, str) else 'write model("scripted:tour")'
    raise UsageError(f"{model!r:.80} is no model; {way}, or make one such as ScriptedModel([...])")


def given_policy(policy: Policy | Mode) -> Policy:
    """The policy, also where a mode was given.

    Raises:
        UsageError: if it is neither.
    """
    if isinstance(policy, str):
        return Policy(policy)
    if isinstance(policy, Policy):
        return policy
    raise UsageError(f"{policy!r:.80} is no policy; write policy=Policy(allow={{'edit_file'}}), or the name of a mode")


def given_system(system: str) -> str:
    """The system prompt.

    Raises:
        UsageError: if it is no text.
    """
    if not isinstance(system, str):
        raise UsageError(f"system={system!r:.80} is no text; write system='You are ...', or leave it out")
    return system


def given_approver(approver: Approver | None) -> Approver | None:
    """The approver, if there is one.

    Raises:
        UsageError: if it is none.
    """
    if approver is not None and (isinstance(approver, type) or not _has(approver, "ask")):
        raise UsageError(f"{approver!r:.80} is no approver; give one such as ScriptedApprover([Allow()])")
    return approver


def given_observers(observers: Sequence[Observer]) -> tuple[Observer, ...]:
    """The observers.

    Raises:
        UsageError: for what is no list of them.
    """
    for each in given_list("observers", observers):
        if isinstance(each, type) or not _has(each, "on_event"):
            raise UsageError(f"{each!r:.80} is no observer; give an object with a method on_event(event)")
    return tuple(observers)


def given_hooks(hooks: Sequence[Hook]) -> tuple[Hook, ...]:
    """The hooks.

    Raises:
        UsageError: for what is no list of them.
    """
    for each in given_list("hooks", hooks):
        if not isinstance(each, Hook):
            raise UsageError(f"{each!r:.80} is no hook; write Hook('before_call', function), or command_hook(...)")
    return tuple(hooks)


def given_budget(budget: Budget) -> Budget:
    """The budget.

    Raises:
        UsageError: if it is none.
    """
    if not isinstance(budget, Budget):
        raise UsageError(f"{budget!r:.80} is no budget; write budget=Budget(steps=50)")
    return budget


def given_timeout(timeout: float | None) -> float | None:
    """The seconds that a tool may take, if they are limited.

    Raises:
        UsageError: if they are no number above 0.
    """
    if timeout is None or is_above_0(timeout, int | float):
        return timeout
    raise UsageError(f"timeout={timeout!r:.80} is no number of seconds above 0; leave it out for no limit")


def given_secrets(secrets: Mapping[str, str] | None, token: str = "") -> dict[str, str]:
    """The secrets to mask by their names, with the token of a gateway if there is one.

    Raises:
        UsageError: for one that is too short to be told from other text, or no mapping.
    """
    if not isinstance(secrets, Mapping | None):
        raise UsageError(f"secrets={type(secrets).__name__} is no mapping; write secrets={{'the name': 'the secret'}}")
    named = dict(secrets or {})
    short = [name for name, secret in named.items() if not isinstance(secret, str) or len(secret) < SHORTEST]
    if short:
        raise UsageError(
            f"the secret {short[0]!r} is no text of at least {SHORTEST} characters; shorter ones are in other text"
        )
    return {**named, **({"gateway token": token} if len(token) >= SHORTEST else {})}


def given_list(name: str, given: Collection[Each]) -> Collection[Each]:
    """What stands in a list.

    Raises:
        UsageError: if it is none, such as a single thing.
    """
    if not isinstance(given, Collection) or isinstance(given, str):
        raise UsageError(f"{name}={given!r:.80} is no list; write {name}=[...]")
    return given


def _has(given: object, method: str) -> bool:
    return callable(getattr(given, method, None))
