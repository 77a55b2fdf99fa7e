"""The script of a transcript on a bare page, where the test plays the kernel: what comes at an awkward moment."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cellwright.undo.effect import Effect
from cellwright.undo.undoing import UndoPlan
from cellwright.views.table import Table
from cellwright_widgets.cards.undo_bar import draw_plan, draw_undo
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.drawing.style import STATIC
from cellwright_widgets.drawing.table_view import draw_table
from cellwright_widgets.live.transcript import SCRIPTS

SCRIPT = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
BEGIN = """async (script) => {
  window.sent = [];
  const heard = {};
  const on = (name, act) => { heard[name] = act; };
  const model = { get: () => 0, on, off: () => {}, send: (said) => sent.push(said) };
  window.say = (message) => heard["msg:custom"](message, []);
  const { default: view } = await import("data:text/javascript," + encodeURIComponent(script));
  view.render({ model, el: document.body });
}"""
CHANGED, UNDONE = draw_undo("c1", ["a.txt"], False), draw_undo("c1", ["a.txt"], True)


class Kernel:
    """Says what a kernel would to the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._batch = 0

    def draw(self, *parts: Node) -> None:
        """Draws the only item anew."""
        number, self._batch = self._batch, self._batch + 1
        node = element("div", "cw-call", *parts)
        self._say({"from": number, "to": number + 1, "now": 0, "items": [[0, node, None]]})

    def answer(self, node: Node) -> None:
        """Answers what was pressed last."""
        press = self.page.evaluate("sent.filter((said) => said.press).at(-1).press.id")
        self._say({"answer": press, "node": node})

    def _say(self, message: object) -> None:
        self.page.evaluate(f"say({json.dumps(message)})")


@pytest.fixture
def kernel(chromium: Browser) -> Iterator[Kernel]:
    page = chromium.new_page()
    page.evaluate(BEGIN, SCRIPT)
    yield Kernel(page)
    page.close()


def test_a_press_counts_though_its_card_is_drawn_anew_before_the_pointer_is_up(kernel: Kernel):
    kernel.draw(CHANGED)
    page = kernel.page
    page.get_by_text("Undo", exact=True).hover()
    page.mouse.down()
    kernel.draw(CHANGED, "drawn anew")
    page.mouse.up()
    assert page.evaluate("sent.at(-1).press.act") == "undo"
    expect(page.get_by_text("drawn anew")).to_be_visible()


def test_what_was_answered_stays_when_the_card_that_agrees_with_it_comes_later(kernel: Kernel):
    kernel.draw(UNDONE)
    page = kernel.page
    page.get_by_text("Redo", exact=True).click()
    kernel.answer(CHANGED)
    page.get_by_text("Undo to here…").click()
    kernel.answer(draw_plan("c1", UndoPlan((Effect("c1", "write_file", 1, 1),), ())))
    kernel.draw(CHANGED, "drawn anew")
    expect(page.get_by_text("drawn anew")).to_be_visible()
    expect(page.get_by_text("To be undone, the last first")).to_be_visible()
    kernel.draw(UNDONE, "by Python")
    expect(page.get_by_text("Redo", exact=True)).to_be_visible()
    kernel.draw(CHANGED, "and again")
    expect(page.get_by_text("and again")).to_be_visible()
    expect(page.get_by_text("To be undone, the last first")).to_have_count(0)


def test_an_answer_that_another_has_followed_never_comes_back(kernel: Kernel):
    kernel.draw(CHANGED)
    page = kernel.page
    page.get_by_text("Undo", exact=True).click()
    kernel.answer(UNDONE)
    page.get_by_text("Redo", exact=True).click()
    kernel.draw(UNDONE, "was undone")
    expect(page.get_by_text("was undone")).to_be_visible()
    kernel.answer(CHANGED)
    kernel.draw(CHANGED, "was redone")
    expect(page.get_by_text("was redone")).to_be_visible()
    expect(page.get_by_text("Redo", exact=True)).to_have_count(0)


TABLE = Table(("n", "t"), ((1 / 3, "a"), (2.5, "b")), 2, kinds=("number", "text"))


@pytest.mark.parametrize(
    ("to", "copied"),
    [("td:text('0.333333')", "0.3333333333333333"), ("td:text('b')", "0.3333333333333333\ta\n2.500000\tb")],
)
def test_what_is_rounded_is_copied_exactly(kernel: Kernel, to: str, copied: str):
    kernel.draw(draw_table(TABLE, TRANSCRIPT))
    page = kernel.page
    page.evaluate(
        "addEventListener('copy', ({ clipboardData }) => { window.copied = clipboardData.getData('text/plain'); })"
    )
    page.locator("td").first.dblclick()
    page.locator(to).click(modifiers=["Shift"], click_count=1 if "b" in to else 2)
    page.keyboard.press("Control+c")
    assert page.evaluate("copied") == copied
