from cellwright.views.file_diff import diff_view
from cellwright.views.table import table_view
from cellwright.views.view import Group, Terminal, Text, as_json
from cellwright_widgets.cards.record import LIMIT, TEXT_LIMIT, TEXT_SHARE, record_html, record_text

from ..page import HOSTILE, Page, assert_harmless
from ..run_events import call_events, whole_run


def test_the_record_tells_the_whole_run():
    page = Page(record_html(whole_run(*call_events(view=as_json(diff_view("a\n", "b\n", "x.py"))))))
    for words in ("Look at a.py", "read_file", "allowed: read-only", "- a", "+ b", "All good.", "The model answered."):
        assert words in page.text


def test_it_needs_nothing_from_elsewhere():
    html = record_html(whole_run(*call_events()))
    assert "http" not in html
    assert html.count("<style>") == 1
    assert html.index("</style>") < html.index("Look at")


def test_hostile_texts_stay_text():
    calls = [fact for text in HOSTILE for fact in call_events(name=text, content=text, view=as_json(Text(text)))]
    assert_harmless(Page(record_html(whole_run(*calls, answer="\n\n".join(HOSTILE)))))


def test_formulas_are_not_set_in_it():
    (article,) = [attrs for tag, attrs in Page(record_html(whole_run(answer="$$x$$"))).elements if tag == "article"]
    assert {"mathjax_ignore", "tex2jax_ignore"} <= set((article["class"] or "").split())


def test_it_is_bounded_and_says_what_it_leaves_out():
    big = {"view": as_json(Text("x" * 90_000)), "content": "y" * 90_000, "name": "read_file" * 10}
    calls = [fact for number in range(2_000) for fact in call_events(call=f"c{number}", **big)]
    html = record_html(whole_run(*calls))
    assert len(html) < LIMIT + 50_000
    assert "items are shortened" in html
    assert "more items are left out" in html
    assert "All good." in html


def test_a_long_run_loses_details_before_it_loses_a_call():
    calls = [fact for number in range(600) for fact in call_events(call=f"c{number}", content="y" * 2_000)]
    html = record_html(whole_run(*calls, *call_events(call="bad", ok=False, content="It broke there.")))
    in_full = html.count('class="cw-call-body"')
    assert 1 < in_full < 600
    assert "It broke there." in html, "what went wrong has room first"
    assert Page(html).text.count("✓ read_file a.py done 1.0 s\n") == 601 - in_full
    assert "left out" not in html
    assert len(html) < LIMIT + 50_000


def test_a_long_run_stands_in_folds_that_say_what_they_hold():
    calls = [
        fact for number in range(240) for fact in call_events(call=f"c{number}", ok=number % 100 != 7, name="a\nb")
    ]
    html = record_html(whole_run(*calls))
    texts = [Page(part).text for part in html.split('<details class="cw-fold cw-stretch"')]
    assert [text.split("·")[0].removeprefix(">").strip() for text in texts[1:]] == [
        "100 calls of a b",
        "100 calls of a b",
        "40 calls of a b",
    ]
    assert "100 calls of a b · 99 done · 1 failed" in texts[1]
    assert "\n✓ a b a.py done 1.0 s\n" in texts[3], "a name with a line break in it stands in one row"
    assert "Look at a.py" in texts[0], "what was asked is in sight"
    assert texts[3].endswith("The model answered.")


def test_a_result_that_is_too_long_keeps_its_start_and_its_end():
    long = "".join(f"row {number}\n" for number in range(60_000))
    view = as_json(Group("exit code 0", (Terminal(long),)))
    text = Page(record_html(whole_run(*call_events(view=view, content=long)))).text
    for words in ("row 0\n", "row 59999", "characters in 5", "1 item is shortened", "exit code 0"):
        assert words in text
    assert "row 30000\n" not in text


def test_the_end_hides_nothing_in_plain_text():
    ended = whole_run()[-1]
    text = record_text([ended._replace(data=ended.data | {"stop_reason": "model_error", "error": "\x1b[2Jgone\u202e"})])
    assert text == "Stopped: the model failed. ⟨U+001B⟩[2Jgone⟨U+202E⟩"


def test_an_empty_log_is_an_empty_record():
    assert record_text([]) == ""
    assert "waiting" in Page(record_html([])).text


def test_the_text_reads_like_the_run():
    table = as_json(table_view(["n"], [[1]], 5))
    text = record_text(whole_run(*call_events(view=table)))
    assert text.split("\n\n") == [
        "You: Look at a.py",
        "read_file  a.py  [done]\n  n\n  1\n  4 more rows",
        "Model: All good.",
        "The model answered.",
    ]


def test_the_text_is_bounded_too_and_says_what_it_leaves_out():
    one = record_text(whole_run(*call_events(view=as_json(Text("x" * 900_000))), answer="y" * 900_000))
    assert len(one) < 3 * TEXT_SHARE
    assert one.count(" left out …]") == 2
    many = [fact for number in range(3_000) for fact in call_events(call=f"c{number}", view=as_json(Text("x" * 500)))]
    long = record_text(whole_run(*many))
    assert (len(long) < TEXT_LIMIT + 1_000, long[:14], long[-19:]) == (True, "You: Look at a", "The model answered.")
    assert " left out …]" in long
