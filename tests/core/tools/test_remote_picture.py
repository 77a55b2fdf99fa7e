import pytest

from cellwright import Env, Policy
from cellwright.catalogue import load
from cellwright.tools.remote_picture import opinion


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://example.org/p.png?q=data)",
        "![a [b] c](<//example.org/p>)",
        "![x][y]\n\n[y]: http://example.org/p",
        "![x](https:\\/\\/example.org/p)",
        "![x](&#104;ttps:&#47;&#47;example.org/p)",
        "<IMG SRC='//example.org/p'>",
        "<img src='/\\example.org/p'>",
        "<img src=HTTPS:example.org/p>",
        '<div style="background: url(https://example.org/p)">',
    ],
)
def test_a_text_that_may_load_something_from_elsewhere_is_asked_about(text):
    assert opinion([text])[0] == "ask"


def test_what_stands_in_several_edits_of_one_call_is_seen_together():
    assert opinion(["![x](", "https://example.org/p)"])[0] == "ask"


@pytest.mark.parametrize(
    "text",
    [
        "![d](attachment:dot.png)",
        "![d](plots/dot.png)",
        "![d](data:image/png;base64,iVBO//8A)",
        "see [the docs](https://example.org) and https://example.org",
        "x = 7 // 2 if a < b else 1",
        "read_url('https://example.org')",
        "![d](plots/dot.png) $$a \\\\[2pt] b$$",
        None,
    ],
)
def test_local_pictures_and_links_are_not(text):
    assert opinion([text]) is None


@pytest.mark.parametrize("name", ["notebook_edit", "notebook_patch"])
def test_mode_accept_edits_asks_and_a_rule_of_the_person_allows(name, tmp_path):
    change = {"cell_id": "a", "new_source": "![x](https://example.org/?q=data)"}
    args = {"path": "a.ipynb", **(change if name == "notebook_edit" else {"edits": [change]})}
    found = [Policy("accept_edits", allow).decide(load(name), args, Env(tmp_path)) for allow in ((), (name,))]
    assert [decision.decision for decision in found] == ["ask", "allow"]
