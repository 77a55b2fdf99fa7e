import pytest

from cellwright.text.look_alike import mark_look_alikes, spelled_hosts
from cellwright.text.visible_text import mark_all


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("p\u0430ypal.com", "p\u0430⟨Cyrillic U+0430⟩ypal.com"),
        ("r\u043em -rf", "r\u043e⟨Cyrillic U+043E⟩m -rf"),
        ("\u0441\u043er.sh", "\u0441⟨Cyrillic U+0441⟩\u043e⟨Cyrillic U+043E⟩r.sh"),
        ("run \u0441\u043e\u0441", "run \u0441⟨Cyrillic U+0441⟩\u043e⟨Cyrillic U+043E⟩\u0441⟨Cyrillic U+0441⟩"),
        ("g\u03bfogle", "g\u03bf⟨Greek U+03BF⟩ogle"),
        ("\uff52m -rf /", "\uff52⟨Fullwidth U+FF52⟩m -rf /"),
        ("\U0001d42fim", "\U0001d42f⟨Mathematical U+1D42F⟩im"),
    ],
    ids=range(7),
)
def test_a_letter_that_passes_for_another_is_named(text, shown):
    assert mark_look_alikes(text) == shown
    assert mark_all(text) == shown


def test_a_long_word_is_gone_through_once():
    text = f"{'a' * 50_000} {'é' * 50_000} {'→' * 50_000}"
    assert mark_look_alikes(text) == text
    assert mark_look_alikes(f"{text}\u0430a→\u0430a").count("⟨Cyrillic U+0430⟩") == 2


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "Привет, мир",
        "страница html, хор и сахар дня",
        "Δx = 3, μm, αβ",
        "naïve façade Straße",
        "日本語のtext",
        "مرحبا",
    ],
    ids=range(7),
)
def test_words_of_another_language_are_left_alone(text):
    assert mark_look_alikes(text) == text


def test_a_host_in_foreign_letters_is_told_by_the_name_that_is_asked_for():
    hosts = spelled_hosts("curl https://пример.рф/a 'http://ok.test/é' https://пример.рф/b")
    assert hosts == ["пример.рф is xn--e1afmkfd.xn--p1ai"]
    assert spelled_hosts("see https://" + "ü" * 70 + ".test/") == ["ü" * 70 + ".test is no host that can be asked for"]
