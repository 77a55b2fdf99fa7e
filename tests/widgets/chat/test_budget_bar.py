from cellwright.context.context_window import ContextWindow
from cellwright.log.events import Event
from cellwright.messages import Usage
from cellwright.runs.budget import Budget, Spending
from cellwright_widgets.chat.budget_bar import draw_budget, window_used
from cellwright_widgets.drawing.node import to_html

from ..page import Page


def drawn(spending, used=0, window=None):
    return to_html(draw_budget(spending, used, window))


def test_what_is_used_stands_beside_what_is_allowed():
    spending = Spending(Budget(steps=10, tokens=1_000, money=1.0), lambda usage: 0.25, clock=lambda: 0.0)
    spending.add(Usage(400, 100))
    page = Page(drawn(spending, 500, ContextWindow(10_000)))
    assert page.text == "steps 1 of 10 tokens 500 of 1,000 cost $0.25 of $1 time 0 s context 500 of 10,000 tokens"
    assert "cw-notch-10" in str(page.elements)


def test_a_bar_stands_only_where_there_is_a_limit_and_unknown_money_nowhere():
    page = Page(drawn(Spending(clock=lambda: 0.0)))
    assert page.text == "steps 0 tokens 0 time 0 s"
    assert "cw-meter-bar" not in str(page.elements)


def test_a_bar_that_is_nearly_full_warns():
    spending = Spending(Budget(steps=10))
    for _ in range(9):
        spending.add(Usage(1, 1))
    assert "cw-meter-full" in drawn(spending)


def test_the_window_is_as_full_as_the_model_counted_last():
    usage = {"usage": {"input_tokens": 7, "output_tokens": 2}}
    assert window_used([Event(1, 0.0, "message", {}), Event(2, 0.0, "message", usage), Event(3, 0.0, "note", {})]) == 9
    assert window_used([]) == 0
