"""What can go wrong between here and a provider, and what a person does about it.

Each SDK has errors of its own; what they share is a status, headers and a body, and that is what is read here. Some
servers report an error in the middle of a stream that began well, with a status that says all is well. The rule that
must never break: whoever reads the message learns what to do next, and nobody reads the key in it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cellwright.errors import ModelError
from cellwright.messages import clean_text
from cellwright.models.access import Access
from cellwright.text.masking import Masking
from cellwright.text.secret_formats import SHORTEST

SAID = 500
"""Characters of what a server said that are passed on."""
PASSING = {408, 409, 425, 429}
"""Statuses below 500 that may be others a moment later."""
LONGEST_WAIT = 60.0
"""Seconds that a server may ask to be waited for; beyond that a person decides."""
STATUS_OF = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "insufficient_quota": 402,
    "invalid_request_error": 400,
}
"""What an error in a stream is called, and the status it would have had as an answer."""


class StreamEndedError(Exception):
    """A stream ended before the provider said that it was at its end."""


class ReportedError(Exception):
    """A provider reported an error in a stream that its SDK reads on."""

    def __init__(self, body: object) -> None:
        super().__init__("the provider reported an error")
        self.body = body if isinstance(body, dict) else {}


class Failure(Struct, frozen=True):
    """Why an attempt failed."""

    said: str
    """What the server or the connection said."""
    status: int | None = None
    is_passing: bool = False
    """Whether the same request may succeed a moment later."""
    wait: float | None = None
    """Seconds that the server asks to be waited for."""


def failure_of(error: Exception) -> Failure:
    """What an exception of an SDK, of its HTTP library or of ours says."""
    status = _status(error)
    said = clean_text(str(_said(error) or error) or type(error).__name__)[:SAID]
    headers: Mapping[str, str] = _headers(error)
    told = headers.get("x-should-retry")
    if status is not None:
        is_passing = told == "true" if told in ("true", "false") else status in PASSING or status >= 500
        return Failure(said, status, is_passing, _wait(headers))
    names = {base.__name__ for one in (error, error.__cause__) for base in type(one).__mro__}
    if names & {"APITimeoutError", "ReadTimeout", "WriteTimeout"} and not _is_connecting(error):
        return Failure(said or "nothing came", None, False)
    # By name, since each SDK has its own HTTP library, and of none of them it is certain that it is there.
    return Failure(said, None, bool(names & {"APIConnectionError", "TransportError", "StreamEndedError", "OSError"}))


def told_of(failure: Failure, access: Access, tries: int, began: bool) -> ModelError:
    """The error for the person: what happened, and what to do next."""
    status = f" ({failure.status})" if failure.status else ""
    after = f" after {tries} tries" if tries > 1 else ""
    text = f"{access.where}{status}{after}: {failure.said}; {_next_step(failure, access, began)}"
    key = access.secret
    return ModelError(Masking({access.variable: key}).text(text) if len(key) >= SHORTEST else text)


def _next_step(failure: Failure, access: Access, began: bool) -> str:
    if began:
        return "what came of the turn is kept; go on with agent.start(..., after=run)"
    match failure.status:
        case 401 | 403:
            return f"the key was refused: set {access.variable} to one that is valid, or pass api_key="
        case 402:
            return "the account has no credit left there; add some, or use another model"
        case 404:
            return f"check the model's name, {access.model!r}, and the address"
        case 413:
            return "the conversation is too long for this model; start a new run, or use a model that takes more"
        case 429:
            wait = f" {failure.wait:.0f} s" if failure.wait else " a while"
            return f"the provider limits how much you ask; wait{wait}, then go on with agent.start(..., after=run)"
        case int(status) if status >= 500:
            return "the provider has trouble; try again later, or use another model"
        case int():
            return "the provider does not take this request; the text before says why"
    if failure.is_passing:
        return f"is the server running, and is {access.address} its address?"
    return "nothing came for too long; try again, or give it more time with idle= (seconds)"


def _status(error: Exception) -> int | None:
    """The status of the answer, or that which an error in the stream stands for."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    if isinstance(inner, dict):
        for name in (inner.get("type"), inner.get("code")):
            if isinstance(name, str) and name in STATUS_OF and not _answered(error):
                return STATUS_OF[name]
            if isinstance(name, int) and 400 <= name < 600 and not _answered(error):
                return name
    if _answered(error):
        return _answered(error)
    return 500 if isinstance(inner, dict) else None


def _answered(error: Exception) -> int | None:
    for name in ("status_code", "code"):
        status = getattr(error, name, None)
        if isinstance(status, int) and 400 <= status < 600:
            return status
    return None


def _said(error: Exception) -> str:
    body: Any = getattr(error, "body", None)
    for inner in (body.get("error"), body) if isinstance(body, dict) else ():
        if isinstance(inner, str) and inner:
            return inner
        if isinstance(inner, dict) and isinstance(inner.get("message"), str):
            return str(inner["message"])
    cause = error.__cause__
    return f"{error} {cause}" if cause is not None and str(cause) and str(cause) not in str(error) else ""


def _headers(error: Exception) -> Mapping[str, str]:
    """Those of the answer; some SDKs raise another error for it, and keep the first as its cause."""
    for one in (error, error.__cause__):
        headers = getattr(getattr(one, "response", None), "headers", None)
        if headers:
            return {str(name).lower(): str(value) for name, value in headers.items()}
    return {}


def _wait(headers: Mapping[str, str]) -> float | None:
    from email.utils import parsedate_to_datetime

    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "")
        try:
            wait = float(text) / unit
        except ValueError:
            try:
                wait = parsedate_to_datetime(text).timestamp() - time.time()
            except (TypeError, ValueError):
                continue
        if math.isfinite(wait):
            return max(0.0, wait)
    return None


def _is_connecting(error: Exception) -> bool:
    return "Connect" in type(error.__cause__).__name__
