import base64
import enum
import hashlib
import json
import random
import re
import time
import uuid
from collections import Counter
from pathlib import Path

import pytest

from cellwright.codec import NotJsonError, to_json
from cellwright.text.masking import Masking, unmasked
from cellwright.views.file_diff import Diff
from cellwright.views.table import Table
from cellwright.views.view import Group, Text

from ..masked_samples import INNOCENT, KEYS

TOKEN = "t0p/secret value"
MASKING = Masking({"MY_TOKEN": TOKEN, "OTHER": "0ther-secret"})


@pytest.mark.parametrize(("text", "label"), KEYS)
@pytest.mark.parametrize("around", ["{}", "key={}\n", '{{"k": "{}"}}', "+{}", "-{}", "x ({}) y", "     1\t{}"])
def test_a_key_of_a_known_format_is_masked_wherever_it_stands(text, label, around):
    counts = Counter()
    masked = MASKING.text(around.format(text), counts)
    assert f"⟨masked: {label}⟩" in masked
    assert counts == {label: 1}
    pieces = [text[i : i + 10] for i in range(len(text) - 9)]
    assert not [piece for piece in pieces if piece in masked and re.search(r"\d", piece)]


@pytest.mark.parametrize("text", INNOCENT)
def test_ordinary_text_is_left_as_it_is(text):
    counts = Counter()
    assert (MASKING.text(text, counts), counts) == (text, Counter())


def test_hashes_and_random_base64_are_not_taken_for_keys():
    chance = random.Random(7)
    for _ in range(300):
        blob = base64.b64encode(chance.randbytes(600)).decode()
        texts = [blob, hashlib.sha1(blob.encode()).hexdigest(), str(uuid.UUID(int=chance.getrandbits(128)))]
        assert [MASKING.text(text) for text in texts] == texts


@pytest.mark.parametrize(
    "text",
    [
        TOKEN,
        f"x{TOKEN}y",
        json.dumps({"a": [TOKEN]}),
        "https://h/?t=t0p%2Fsecret%20value",
        base64.b64encode(TOKEN.encode()).decode(),
    ],
    ids=["alone", "within", "json", "address", "base64"],
)
def test_a_known_value_is_masked_in_each_of_its_spellings(text):
    counts = Counter()
    masked = MASKING.text(text, counts)
    assert ("⟨masked: MY_TOKEN⟩" in masked, "secret" in masked, counts) == (True, False, {"MY_TOKEN": 1})


def test_of_two_values_the_longer_goes_first():
    masking = Masking({"SHORT": "abcdefgh", "LONG": "abcdefghijkl"})
    assert masking.text("abcdefghijkl abcdefgh") == "⟨masked: LONG⟩ ⟨masked: SHORT⟩"


def test_masking_what_is_masked_changes_nothing_and_counts_the_same():
    text = "\n".join([TOKEN, *(key for key, _ in KEYS)])
    first, second = Counter(), Counter()
    once = Masking({"MY_TOKEN": TOKEN, "NAME_SECRET": "MY_TOKEN"}).text(text, first)
    assert Masking({"MY_TOKEN": TOKEN, "NAME_SECRET": "MY_TOKEN"}).text(once, second) == once
    assert first == second


def test_json_is_masked_in_its_texts_and_keys_and_nowhere_else():
    value = {
        "a": [1, True, None, TOKEN],
        TOKEN: {"n": 2.5},
        f"{TOKEN}": "0ther-secret",
        "⟨masked: OTHER⟩": 1,
        "0ther-secret": 2,
    }
    assert MASKING.json(value) == {
        "a": [1, True, None, "⟨masked: MY_TOKEN⟩"],
        "⟨masked: MY_TOKEN⟩": "⟨masked: OTHER⟩",
        "⟨masked: OTHER⟩": 1,
        "⟨masked: OTHER⟩ (2)": 2,
    }


@pytest.mark.parametrize("text", [*(key for key, _ in KEYS), *INNOCENT, TOKEN, "⟨masked: OTHER⟩", "", "short"])
def test_data_is_masked_as_its_texts_are_the_first_time_and_every_time(text):
    fresh = Masking({"MY_TOKEN": TOKEN, "OTHER": "0ther-secret"})
    expected, counts = fresh.text(text), []
    for masking in (fresh, fresh, Masking({"MY_TOKEN": TOKEN, "OTHER": "0ther-secret"})):
        found = Counter()
        assert masking.json({"a": [text, {"b": 1.5, "c": None}]}, found) == {"a": [expected, {"b": 1.5, "c": None}]}
        assert masking.json({text: True}) == {expected: True}
        counts.append(found)
    assert counts[0] == counts[1] == counts[2]
    assert bool(counts[0]) == ("⟨masked: " in expected and text not in INNOCENT)


def test_data_without_secrets_is_given_back_itself():
    value = {"a": [1, "plain text of some length", {"b": "x"}]}
    assert MASKING.json(value) is value


class Word(enum.StrEnum):
    KEY = "a key of an enum"


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, None, True, "text of some length"], "b": {"c": ("x", 2**70)}},
        {Word.KEY: Word.KEY, "n": float("nan"), "p": Path("x")},
        {"a key of an enum": 1, "": {"k\ud83d": "v\ud83d"}},
        {"secret": [TOKEN, {TOKEN: 1}]},
        {1: 2, None: 3},
        [[], {}, ()],
    ],
    ids=range(6),
)
def test_data_of_its_own_is_the_masked_json_of_a_value_the_first_time_and_every_time(value):
    masking = Masking({"MY_TOKEN": TOKEN})
    for _ in range(2):
        own = masking.own(value)
        assert own == MASKING.json(to_json(value))
        assert {type(text) for text in texts_of(own)} <= {str}
        assert not any(part is inner for part in parts_of(own) for inner in parts_of(value))


def parts_of(value):
    """The dicts and lists in some data, itself included."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for inner in inside for part in parts_of(inner)] + [value] * isinstance(value, dict | list)


def texts_of(value):
    for part in parts_of(value):
        yield from (text for text in part if isinstance(text, str))
        yield from (text for text in (part.values() if isinstance(part, dict) else ()) if isinstance(text, str))


def test_data_that_contains_itself_is_refused():
    value = {"a": []}
    value["a"] += [value, value]
    with pytest.raises(NotJsonError, match="contains itself"):
        MASKING.own(value)


@pytest.mark.parametrize("length", [0, 5_000])
def test_a_secret_is_found_however_many_texts_were_seen_before_it(length):
    masking = Masking({"MY_TOKEN": TOKEN})
    plain = [f"some text without a secret {number} {'x' * length}" for number in range(1_500)]
    assert [masking.text(text) for text in plain] == plain
    assert [masking.text(text + TOKEN) for text in plain] == [f"{text}⟨masked: MY_TOKEN⟩" for text in plain]
    assert [masking.text(text) for text in plain] == plain


def test_a_view_is_masked_in_all_its_parts_and_kept_if_there_is_nothing():
    table = Table(("a",), ((TOKEN,),), 1)
    view = Group("t", (Text("x"), table, Diff(TOKEN, f"-{TOKEN}\n+x\n", 1, 1)))
    masked = MASKING.view(view)
    assert masked.views[1] == Table(("a",), (("⟨masked: MY_TOKEN⟩",),), 1)
    assert masked.views[2].unified == "-⟨masked: MY_TOKEN⟩\n+x\n"
    assert MASKING.view(view.views[0]) is view.views[0]


@pytest.mark.parametrize("sign", ["", "+", "-", " ", "    12\t"])
def test_a_private_key_keeps_the_lines_of_what_it_stands_in(sign):
    key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA0secret", "abc=", "-----END RSA PRIVATE KEY-----"]
    masked = MASKING.text("".join(f"{sign}{line}\n" for line in [*key, "after"])).splitlines()
    assert masked[0] == sign + key[0]
    assert masked[1:] == [f"{sign}⟨masked: private key⟩", f"{sign}⟨masked⟩", f"{sign}{key[3]}", f"{sign}after"]


def test_a_private_key_without_its_end_is_masked_too():
    masked = MASKING.text("-----BEGIN PRIVATE KEY-----\n" + "A1b2" * 16 + "\n" + "C3d4" * 16)
    assert masked == "-----BEGIN PRIVATE KEY-----\n⟨masked: private key⟩\n⟨masked⟩"


def test_the_first_mark_in_a_text_is_found_and_only_ours_are():
    assert MASKING.mark_in("a ⟨masked: aws key⟩ ⟨masked: MY_TOKEN⟩") == "⟨masked: aws key⟩"
    assert MASKING.mark_in("⟨masked: something else⟩") == ""


def test_what_a_person_left_as_it_was_shown_is_again_what_it_is():
    true = {"token": TOKEN, "n": 1, "list": [TOKEN, "b"], "gone": 1}
    shown = MASKING.json(true)
    assert unmasked(shown, shown, true) == true
    edited = {"token": shown["token"], "n": 2, "list": [shown["list"][0], "c", "d"], "new": "⟨masked: MY_TOKEN⟩"}
    assert unmasked(edited, shown, true) == {
        "token": TOKEN, "n": 2, "list": [TOKEN, "c", "d"], "new": "⟨masked: MY_TOKEN⟩",
    }  # fmt: skip


def test_the_environment_is_read_when_the_masking_is_made(monkeypatch):
    monkeypatch.setenv("CELLWRIGHT_TEST_TOKEN", "fr0m-the-environment")
    masking = Masking.of_environment({"MORE": "given-by-hand"})
    monkeypatch.setenv("CELLWRIGHT_TEST_TOKEN", "changed-since-then")
    masked = masking.text("fr0m-the-environment given-by-hand changed-since-then")
    assert masked == "⟨masked: CELLWRIGHT_TEST_TOKEN⟩ ⟨masked: MORE⟩ changed-since-then"


HOSTILE = [
    "eyJ",
    "--eyJ",
    "\n-eyJ",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    "://",
    "://:",
    "Bearer ",
    "gh",
    "x",
    "⟨masked: ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_makes_masking_slow(piece):
    def seconds(size):
        text = piece * (size // len(piece))
        started = time.thread_time()
        MASKING.text(text)
        return time.thread_time() - started

    small = min(seconds(100_000) for _ in range(3))
    assert seconds(1_000_000) < max(40 * small, 0.5)
