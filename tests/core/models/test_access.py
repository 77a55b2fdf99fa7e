import pytest

from cellwright.errors import ModelError
from cellwright.models.access import NO_KEY, access_to

KEY = "key-of-the-test-1234567890"


def test_the_key_comes_from_the_environment_or_is_given(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", f" {KEY}\n")
    assert access_to("anthropic", "m", None, None).secret == KEY
    assert access_to("anthropic", "m", None, "another").secret == "another"


def test_a_missing_key_is_told_with_its_variable(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=r"no key for openai: set OPENAI_API_KEY, or write model\('openai:m', api_key"):
        access_to("openai", "m", None, None)


def test_the_key_of_a_provider_is_not_sent_to_the_server_of_somebody_else(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("CELLWRIGHT_API_KEY", raising=False)
    assert access_to("openai", "m", "http://example.org/v1", None).secret == NO_KEY
    monkeypatch.setenv("CELLWRIGHT_API_KEY", "of-that-server")
    assert access_to("openai", "m", "http://example.org/v1", None).secret == "of-that-server"


def test_a_key_stands_in_no_text_about_its_access():
    access = access_to("openai", "m", "http://me:password@127.0.0.1:1/v1", KEY)
    assert (KEY in repr(access), KEY in str(access), "password" in access.name + access.where) == (False, False, False)


@pytest.mark.parametrize(
    ("base_url", "name", "local"),
    [
        (None, "openai:m", False),
        ("http://127.0.0.1:11434/v1", "openai:m@127.0.0.1:11434", True),
        ("http://localhost/v1", "openai:m@localhost", True),
        ("http://[::1]:8/v1", "openai:m@[::1]:8", True),
        ("https://example.org/v1", "openai:m@example.org", False),
    ],
    ids=range(5),
)
def test_a_model_is_called_by_its_provider_and_by_its_host(base_url, name, local):
    access = access_to("openai", "m", base_url, KEY)
    assert (access.name, access.is_local) == (name, local)


@pytest.mark.parametrize("address", ["127.0.0.1:11434", "ollama", "ftp://x", ""])
def test_what_is_no_address_of_a_server_is_refused(address):
    with pytest.raises(ModelError, match="is none of a server; write base_url='http://"):
        access_to("openai", "m", address, None)
