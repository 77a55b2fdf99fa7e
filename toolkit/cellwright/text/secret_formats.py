"""What secrets look like: in the environment by the names of variables, elsewhere by the formats of their issuers.

Each format begins with fixed letters, which is what makes looking for all of them cheap: where the letters are not in
a text, the format need not be tried. The formats are those in the rules of gitleaks and the plugins of
detect-secrets, and in what the issuers say of their keys. The rule that must never break: a repetition is bounded, or
can't begin again within itself, so that no text makes the pass slow.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, repeat
from urllib.parse import quote, unquote

from msgspec import Struct

SHORTEST = 8
"""Characters of the shortest value of a variable that is masked; shorter ones stand in too much ordinary text."""

SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|KEYS?(?![A-Z])|(?:^|_)PASS(?![A-Z])|_(?:PWD|AUTH)$"
)
PLAIN_NAME = re.compile(r"(?:^|_)(?:URL|URI|HOST|ENDPOINT|FILE|PATH|DIR|SOCK|NAME)$")
"""Names that tell where a secret is, not the secret."""


def secret_values(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that look secret: by name, with a value that is long enough and no path that is there; and the
    passwords in the addresses that variables hold, since a program may print one without its address."""
    found = {name: value.strip() if _looks_secret(name) else _password_in(value) for name, value in environment.items()}
    return {name: value for name, value in found.items() if len(value) >= SHORTEST and not _is_path(value)}


def spellings(value: str) -> Iterator[str]:
    """The ways in which a value is often written: as it is, in JSON, in an address, in base64."""
    plain = value.encode("utf-8", "surrogateescape")
    yield base64.b64encode(plain).decode("ascii").rstrip("=")
    yield quote(plain, safe="")
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield value


PASSWORD = re.compile(r"(?<!\w)[a-z][\w+.-]{0,40}://[^\s/?#:@]*:([^\s/@]{1,1000})@", re.I)
WORD = re.compile(r"[a-z]{1,11}", re.I)
"""A password that is a plain word, as `postgres`, stands in too much ordinary text."""


def _password_in(value: str) -> str:
    found = PASSWORD.search(value) if "://" in value else None
    return "" if found is None or WORD.fullmatch(found[1]) else unquote(found[1])


@lru_cache(maxsize=1024)
def _looks_secret(name: str) -> bool:
    name = name.upper()
    return bool(SECRET_NAME.search(name)) and not PLAIN_NAME.search(name)


def _is_path(value: str) -> bool:
    try:
        return os.path.isabs(value) and os.path.exists(value)
    except ValueError:  # a zero byte: no path
        return False


class Format(Struct, frozen=True):
    """A secret that is known by its looks: fixed letters, what may stand between, then the secret."""

    label: str
    start: str
    secret: str
    kept: str | None = None
    """What stands between the fixed letters and the secret; both stay. None if the fixed letters are of the secret."""

    @property
    def middle(self) -> str:
        """The pattern between the fixed letters and the secret.

        A secret begins where a word does. The sign of a removed line in a diff is no part of a word.
        """
        if self.kept is not None:
            return self.kept
        start = re.escape(self.start)
        return f"(?:(?<![A-Za-z0-9_-]{start})|(?m:(?<=^-{start})))"


PRIVATE_KEY = Format(
    "private key",
    "-----BEGIN ",
    r"(?:[^-]|-(?!----)){0,16000}+(?:-{5,6}END [A-Z0-9 ]{3,40}-----)?",
    r"(?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----",
)
_ASSIGNED = r"""["']?\s{0,3}[:=]\s{0,3}["']?"""
_AWS_SECRET = "[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"  # noqa: S105 (a pattern)
_BEARER = r"(?=[^\s\d]{0,64}\d)[A-Za-z0-9._~+/=-]{12,}"
_CHAR = r"""[^\s"'$(){}<>\[\],;]"""
_END = r"""(?=["'\s,;)}]|\Z)"""
_WORD = "[A-Za-z_](?:[a-z_]{0,40}+|[A-Z_]{0,40}+)"
_CODE = rf"=|{_WORD}(?:\.{_WORD}\d{{0,2}}+[a-z_]{{0,40}}+){{1,8}}+:?{_END}"
"""What is compared, and the attribute of a name: source tells where a secret is, and is read for what it does."""
_VALUE = rf"""(?!{_CODE})(?={_CHAR}{{0,128}}\d)(?={_CHAR}{{0,128}}[A-Za-z]){_CHAR}{{8,128}}+{_END}"""
_BASIC = r"[A-Za-z0-9+/]{8,}={0,2}"

FORMATS = (
    PRIVATE_KEY,
    Format("aws key", "AKIA", "[A-Z0-9]{16}(?![A-Za-z0-9])"),
    Format("aws key", "ASIA", "[A-Z0-9]{16}(?![A-Za-z0-9])"),
    Format("aws key", "secret_access_key", _AWS_SECRET, _ASSIGNED),
    Format("aws key", "SECRET_ACCESS_KEY", _AWS_SECRET, _ASSIGNED),
    Format("aws key", "ecretAccessKey", _AWS_SECRET, _ASSIGNED),
    Format("github token", "gh", "[pousr]_[A-Za-z0-9]{20,}"),
    Format("github token", "github_pat_", "[A-Za-z0-9_]{20,}"),
    Format("gitlab token", "glpat-", "[A-Za-z0-9_-]{20,}"),
    Format("google key", "AIza", "[A-Za-z0-9_-]{35,}"),
    Format("google token", "ya29.", "[A-Za-z0-9_-]{20,}"),
    Format("huggingface token", "hf_", "[A-Za-z0-9]{30,}"),
    Format("npm token", "npm_", "[A-Za-z0-9]{36,}"),
    Format("pypi token", "pypi-", "AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"),
    Format("sendgrid key", "SG.", r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    Format("slack token", "xox", "[abeoprs]-[A-Za-z0-9-]{10,}"),
    Format("slack token", "xapp-", "[A-Za-z0-9-]{20,}"),
    Format("slack address", "hooks.slack.com/", "[A-Za-z0-9_/+-]{20,}", "(?:services|workflows)/"),
    Format("stripe key", "sk_", "(?:live|test)_[A-Za-z0-9]{10,}"),
    Format("api key", "sk_", "[a-f0-9]{48}(?![A-Za-z0-9])"),
    Format("stripe key", "rk_", "(?:live|test)_[A-Za-z0-9]{10,}"),
    Format("api key", "sk-", "(?:(?:proj|ant|svcacct|admin|or)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})"),
    Format("api key", "gsk_", "[A-Za-z0-9]{40,}"),
    Format("api key", "xai-", "[A-Za-z0-9]{40,}"),
    Format("api key", "tvly-", "[A-Za-z0-9-]{20,}"),
    Format("api key", "pplx-", "[A-Za-z0-9]{40,}"),
    Format("api key", "nvapi-", "[A-Za-z0-9_-]{40,}"),
    Format("api key", "lsv2_", "(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    Format("databricks token", "dapi", "[a-f0-9]{32}(?![A-Za-z0-9])"),
    Format("digitalocean token", "dop_v1_", "[a-f0-9]{64}"),
    Format("azure key", "AccountKey=", "[A-Za-z0-9+/]{40,}={0,2}", ""),
    Format("age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,60}"),
    Format("password", "PASSWORD=", _VALUE, "[\"']?"),
    Format("password", "PASSWD=", _VALUE, "[\"']?"),
    Format("secret", "_SECRET=", _VALUE, "[\"']?"),
    Format("token", "_TOKEN=", _VALUE, "[\"']?"),
    Format("api key", "API_KEY=", _VALUE, "[\"']?"),
    Format("json web token", "eyJ", r"[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    Format("token", "Bearer ", _BEARER, " *"),
    Format("token", "bearer ", _BEARER, " *"),
    Format("password", "uthorization: Basic ", _BASIC, ""),
    Format("password", 'uthorization": "Basic ', _BASIC, ""),
    Format("password", "://", r"[^\s/@:\"'<>(){}$*]{4,128}(?=@[A-Za-z0-9\[])", r"[^\s/:@\"'<>]{0,64}:"),
)
"""In the order in which they are tried at one place. The last is the password in an address."""

_LINE = re.compile(r"\A(?P<before>[ +-]?+ *+(?:\d+\t)?+)(?=\S).+")
_RUN = re.compile(r"[A-Za-z0-9+/=]{40,}")
_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")


def without_key(block: str, mark: Callable[[str], str]) -> str:
    """What follows the first line of a private key, masked line by line, so that numbered lines and diffs stay lines.

    Where the end of the key is missing, only long runs of its letters are masked. Text that merely speaks of keys
    has no such runs.
    """
    end = re.search(r"-{5,6}END [A-Z0-9 ]+-----\Z", block)
    body, rest = (block[: end.start()], end[0]) if end else (block, "")
    if mark(PRIVATE_KEY.label) in body or not (_BODY if end else _RUN).search(body):
        return block
    marks = chain([mark(PRIVATE_KEY.label)], repeat("⟨masked⟩"))
    if not end:
        return _RUN.sub(lambda _: next(marks), body)
    return "\n".join(_LINE.sub(lambda line: line["before"] + next(marks), line) for line in body.split("\n")) + rest
