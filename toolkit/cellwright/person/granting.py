"""What a person may grant when they are asked about a call, and what becomes of a grant they give.

Offered are rules that would have let this call run. Nothing is offered that holds a secret, since rules are kept and
shown, and nothing where a hook asked, which would ask again all the same. The rule that must never break: a grant
holds at once for what comes after, and if the project can't keep it, the log says so.
"""

from __future__ import annotations

from cellwright.calls.passage import Passage
from cellwright.errors import UsageError
from cellwright.permission.grant import SCOPES, Grant, Scope
from cellwright.permission.offers import Offer, offers


def offered(passage: Passage) -> tuple[Offer, ...]:
    """The rules that may be granted, the narrowest first."""
    policy, masking = passage.setup.policy, passage.setup.log.masking
    if passage.decision is None or passage.decision.by == "hook":
        return ()
    found = offers(passage.found, passage.args, passage.env, policy)
    return tuple(offer for offer in found if all(masking.text(rule) == rule for rule in offer.rules))


def scopes(passage: Passage) -> tuple[Scope, ...]:
    """How long a grant may last: for the project only where its rules were loaded, and so will be again."""
    is_kept = passage.setup.policy.project is not None
    return tuple(scope for scope in SCOPES if scope != "project" or is_kept)


def keep(grant: Grant, passage: Passage) -> None:
    """A grant holds from here on. If the project can't keep it, it lasts as long as the session, and that is told."""
    project = passage.setup.policy.project
    passage.setup.grants.add(grant)
    if grant.scope != "project" or project is None:
        return
    try:
        told_where = f"the grant is kept in {project.keep(grant.rules)}"
    except UsageError as error:
        told_where = f"the grant lasts only as long as the session: {error}"
    passage.setup.log.record("note", text=told_where)
