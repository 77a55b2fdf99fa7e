import re

import pytest

from cellwright.text.masking import mark
from cellwright.text.secret_formats import FORMATS, secret_values, spellings, without_key


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "openai_apikey",
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "DB_PASSWORD",
        "PGPASSWORD",
        "MYSQL_PWD",
        "DB_PASS",
        "LDAP_PASSWD",
        "SSH_PASSPHRASE",
        "CREDENTIALS",
        "NPM_AUTH",
        "CLIENT_SECRET",
        "SIGNING_KEYS",
    ],
)
def test_a_variable_with_a_secret_name_is_a_secret(name):
    assert secret_values({name: "v4lue-of-it"}) == {name: "v4lue-of-it"}


@pytest.mark.parametrize(
    "name",
    ["PATH", "PWD", "OLDPWD", "HOME", "LANG", "XKB_KEYBOARD", "KEYMAP", "TOKEN_URL", "DB_PASSWORD_FILE", "MY_COMPASS"],
)
def test_a_variable_with_another_name_is_none(name):
    assert secret_values({name: "v4lue-of-it"}) == {}


def test_a_value_that_is_short_or_a_path_that_is_there_is_no_secret(tmp_path):
    environment = {"A_TOKEN": "1234567", "GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path), "B_KEY": "/no/such/file"}
    assert secret_values(environment) == {"B_KEY": "/no/such/file"}


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("postgres://bob:hunt%21er2secret@db:5432/x", {"DB_URL": "hunt!er2secret"}),
        ("redis://:abc123def456@cache", {"DB_URL": "abc123def456"}),
        ("jdbc:redis://:abc123def456@cache", {"DB_URL": "abc123def456"}),
        ("postgres://postgres:postgres@localhost/db", {}),
        ("postgres://bob:h1@db", {}),
        ("https://example.org/a:b@c", {}),
    ],
)
def test_a_password_in_the_address_that_a_variable_holds_is_a_secret(address, found):
    assert secret_values({"DB_URL": address}) == found


def test_the_spellings_of_a_value_are_those_of_json_addresses_and_base64():
    assert {'a "b"/ü', 'a \\"b\\"/ü', 'a \\"b\\"/\\u00fc', "a%20%22b%22%2F%C3%BC", "YSAiYiIvw7w"} == set(
        spellings('a "b"/ü')
    )


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.label} {form.start}")
def test_each_format_begins_with_fixed_letters_and_compiles(form):
    pattern = re.compile(re.escape(form.start) + form.middle + form.secret)
    assert (pattern.groups, len(form.start) >= 2) == (0, True)


def test_a_private_key_is_masked_line_by_line():
    body = "\nMIIEowIBAAKCAQEAsecret\nxyz=\n-----END RSA PRIVATE KEY-----"
    assert without_key(body, mark) == "\n⟨masked: private key⟩\n⟨masked⟩\n-----END RSA PRIVATE KEY-----"


def test_what_only_speaks_of_private_keys_stays():
    text = '" in text and text.endswith("-----END PRIVATE KEY-----'
    assert without_key(text, mark) == text
    assert without_key('" in text: raise ValueError(explain_everything)', mark).startswith('" in text: raise')
