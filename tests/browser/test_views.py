"""The live view in a real JupyterLab: it grows, draws everything, survives a reload, and nothing in it acts.

Each notebook has a folder of its own, in which its kernel works: a file that another test has left there may not be
written by a model that has not read it, and nobody would be asked.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from cellwright_widgets.cards.item_view import draw_item
from cellwright_widgets.cards.story import Said
from cellwright_widgets.drawing.node import CONTROLS, TAGS, element
from cellwright_widgets.drawing.style import STATIC
from cellwright_widgets.live.transcript import SCRIPTS

from .axe import grave_faults
from .driver import LabPage, LabServer
from .scene import ASK, GALLERY, MANY, SET_UP, SPEAK, WRITES, shot

CELLS = {"set-up": SET_UP, "speak": SPEAK, "many": MANY, "stop": ASK}
PLACE = {name: index for index, name in enumerate(CELLS)}
DRAWN = {
    "diff": ".cw-diff .cw-ins ins.cw-word",
    "notebook_diff": ".cw-nb .cw-nb-deleted .cw-row.cw-del",
    "markdown": ".cw-prose .cw-list .cw-list .cw-bullet",
    "table": ".cw-table td.cw-number",
    "terminal": ".cw-terminal .cw-hue-0.cw-bold",
    "image": "figure.cw-figure > img.cw-image",
    "error": ".cw-error .cw-error-type",
    "code": ".cw-code .cw-k-keyword",
    "group": ".cw-group > h4.cw-title",
    "text": ".cw-text .cw-pre",
}
"""What only that kind of view is drawn with."""

WATCH = """
window.frames_drawn = 0;
(function frame() { frames_drawn++; requestAnimationFrame(frame); })();
"""
"""Counts the frames that were drawn."""

SLOWLY = """(() => {
const { json } = Response.prototype, { send } = WebSocket.prototype;
Response.prototype.json = async function () {
  const read = await json.call(this);
  return new Promise((done) => setTimeout(() => done(read), 100));
};
window.asked = 0;
WebSocket.prototype.send = function (data) {
  if ((typeof data === "string" ? data : new TextDecoder().decode(data)).includes('"since"')) asked++;
  send.call(this, data);
};
})()"""
"""Batches are unpacked more slowly than they come; counts what is asked for."""

COUNTED = [f"number: {number}" for number in range(300)]

WATCH_TEXTS = """
window.texts_seen = new Set(); window.blocks_seen = 0;
new MutationObserver(() => document.querySelectorAll(".cw-tail").forEach((tail) => {
  texts_seen.add(tail.textContent);
  blocks_seen = Math.max(blocks_seen, tail.children.length);
}))
  .observe(document.body, { childList: true, subtree: true, characterData: true });
"""
"""Notes each text that grew on the page, as it was on the way, and how many blocks it had."""

SCRIPT = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS).partition("export default")[0]
LITTLE_ROOM = """async ([thought, card]) => {
const sheet = new Sheet(document.body.appendChild(make("div", "cw")));
const inner = () => sheet.items.get(2).querySelector("[data-fold=inner]");
const opened = (fold) => new Promise((done) => {
  fold.addEventListener("toggle", done, { once: true });
  fold.open = true;
});
room = 0;
sheet.put(1, thought);
sheet.grow(1, "and grew.");
const grown = sheet.items.get(1).textContent;
room = 100;
for (let times = 0; times < 20; times++) sheet.put(2, card);
const left = [inner() !== null, room + roomOf(sheet.list)];
room = -1000;
sheet.put(2, card);
const unfilled = inner() === null;
await opened(sheet.items.get(2));
await opened(inner());
const answer = build(["p", { "data-part": "side" }, ["sight"]]);
new Presses({}, sheet.list).replace({ part: inner().querySelector("[data-part]") }, answer);
sheet.items.get(2).open = false;
for (let times = 0; times < 3; times++) sheet.put(2, card);
await opened(sheet.items.get(2));
const again = [inner().open, inner().textContent];
for (let place = 300; place > 2; place--) sheet.put(place, ["p", {}, [`${place}`]]);
const small = [...sheet.list.children].every((block) => block.childElementCount <= 50);
const places = [...sheet.list.querySelectorAll("[data-place]")].map((item) => Number(item.dataset.place));
return { grown, left, unfilled, again, small, sorted: places.every((place, at) => place === at + 1) };
}"""
"""A sheet with hardly any room: a text grows, a card is drawn anew, a part answered, items come in disorder."""


@pytest.fixture(scope="module")
def stage(lab_server: LabServer, chromium: Browser) -> Iterator[LabPage]:
    """One page for several tests: each runs a cell of its own to its end."""
    with LabPage(lab_server, chromium, (1280, 900)) as page:
        page.open(lab_server.write_notebook("stage/stage.ipynb", list(CELLS.values())))
        start(page, "set-up")
        page.wait_output(PLACE["set-up"], "set up")
        yield page


def start(page: LabPage, name: str) -> int:
    page.run_cell(PLACE[name])
    return PLACE[name]


def test_a_text_appears_in_pieces_and_in_blocks_while_the_model_speaks(stage: LabPage):
    stage.page.evaluate(WATCH_TEXTS)
    cell = start(stage, "speak")
    stage.wait_done(cell)
    seen = stage.page.evaluate("[...texts_seen]")
    whole = stage.cell(cell).locator(".cw-said").inner_text()
    assert len(seen) >= 5
    assert all(text.strip() in whole for text in seen)
    assert "word59" in whole
    assert 3 <= stage.page.evaluate("blocks_seen") <= 6, "what is added lays out the last of a few blocks"


def test_three_hundred_cards_are_all_there_and_the_page_draws_them_as_they_come(stage: LabPage):
    stage.page.evaluate(WATCH)
    stage.page.evaluate(SLOWLY)
    cell = start(stage, "many")
    cards = stage.cell(cell).locator(".cw-live .cw-done")
    for seen in (10, 20, 30, 40, 50):
        cards.nth(seen - 1).wait_for()
        (stage.server.root / f"stage/saw-{seen}").touch()
    stage.button("Allow once", cell).wait_for()
    cards.nth(299).wait_for()
    assert [brief.strip() for brief in cards.locator(".cw-brief").all_text_contents()] == COUNTED
    assert stage.page.evaluate("asked") == 1, "what is on its way is not asked for"
    assert stage.page.evaluate("frames_drawn") >= 20
    assert cards.last.locator(".cw-call-body").count() == 0, "closed, and one of many"
    cards.last.locator("summary").first.click()
    cards.last.get_by_text("what the model saw").wait_for()
    stage.click_button("Allow once", cell)
    stage.wait_done(cell)
    stage.cell(cell).locator(".cw-record").wait_for()
    assert re.findall(r"number: \d+", stage.cell(cell).locator(".cw-record").text_content()) == COUNTED


def test_where_there_is_no_room_nothing_is_lost_and_a_card_drawn_anew_takes_no_more(chromium: Browser):
    side = element("p", "", "side", attrs={"data-part": "side"})
    inner = element("details", "", element("summary", "", "In"), side, attrs={"data-fold": "inner"})
    card = element("details", "", element("summary", "", "Card"), element("p", "", inner), attrs={"data-fold": "card"})
    page = chromium.new_page()
    page.add_script_tag(content=SCRIPT)
    assert page.evaluate(LITTLE_ROOM, [draw_item(Said("It began ", thinking=True)), card]) == {
        "grown": "Thinking…It began and grew.",
        "left": [True, 100],
        "unfilled": True,
        "again": [True, "Insight"],
        "small": True,
        "sorted": True,
    }
    page.close()


def acting_parts(page: LabPage, root: str) -> list[str]:
    """Elements and attributes that no drawing of ours has, signs that hide text, and marks that a script has left."""
    return page.page.evaluate(
        """([root, allowed]) => {
        const tags = new Set("SCRIPT IFRAME SVG VIDEO BASE A LINK FORM OBJECT B I U".split(" "));
        const names = /^(on|href|srcset|style|action|poster|ping|formaction|background|xlink|srcdoc)/;
        const hidden = /[\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]/;
        const roots = [...document.querySelectorAll(root)];
        const all = roots.flatMap((one) => [...one.querySelectorAll("*")]);
        const drawn = all.filter((one) => one.closest(".cw"));
        const isTold = ({ name }) => name !== "data-press"; // which goes to the kernel, and nowhere else
        const told = (one) => [...one.attributes].filter(isTold).map((given) => given.value);
        const tag = (one) => tags.has(one.tagName.toUpperCase()) && !one.closest("button");
        return [
          ...(roots.length ? [] : ["nothing is shown"]),
          ...all.filter(tag).map((one) => one.outerHTML.slice(0, 100)),
          ...drawn.flatMap((one) => one.getAttributeNames().filter((name) => names.test(name))),
          ...drawn.map((one) => one.localName).filter((name) => !allowed.includes(name)),
          ...drawn.filter((one) => !one.children.length && hidden.test(one.textContent)).map((one) => one.outerHTML),
          ...drawn.flatMap(told).filter((text) => hidden.test(text)),
          ...all.filter((one) => one.tagName === "IMG" && !one.src.startsWith("data:image/")).map((one) => one.src),
          ...Object.keys(window).filter((name) => name.startsWith("X_")),
        ];
        }""",
        [root, sorted({*TAGS, *CONTROLS, "style", "textarea"})],
    )


def test_only_a_person_presses_stop(stage: LabPage):
    cell = start(stage, "stop")
    stage.button("Allow once", cell).wait_for()
    stage.page.evaluate("document.querySelector('.cw-stop:not([hidden])').click()")
    stage.page.wait_for_timeout(500)
    assert stage.prompt(cell) == "[*]:"
    stage.click_button("Stop", cell)
    stage.wait_output(cell, "after cancelled")
    stage.wait_done(cell)


def test_every_kind_of_view_is_drawn(themed: tuple[LabPage, str]):
    page, theme = themed
    page.open(page.server.write_notebook(f"gallery-{theme}/gallery-{theme}.ipynb", [SET_UP + GALLERY]))
    page.run_cell(0)
    page.button("Allow once").wait_for()
    shot(page, f"views-asking-{theme}", 0)
    live = page.cell(0).locator(".cw-live")
    assert {kind: live.locator(mark).count() for kind, mark in DRAWN.items() if not live.locator(mark).count()} == {}
    assert grave_faults(page, ".cw-live, .cw-ask") == []
    page.click_button("Allow once")
    page.wait_done(0)
    record = page.cell(0).locator(".cw-record")
    record.wait_for()
    shot(page, f"views-record-{theme}", 0)
    assert {
        kind: record.locator(mark).count() for kind, mark in DRAWN.items() if not record.locator(mark).count()
    } == {}
    assert page.page.evaluate("[...document.querySelectorAll('.cw-image')].every((image) => image.naturalWidth > 100)")
    assert grave_faults(page, ".cw-record") == []
    assert (page.page_errors, page.outside_requests) == ([], [])


def test_what_a_person_allows_for_longer_is_not_asked_again(lab: LabPage):
    lab.open(lab.server.write_notebook("granted/granted.ipynb", [SET_UP + WRITES]))
    lab.run_cell(0)
    lab.click_button("Allow…")
    lab.wait_output(0, "write_file(notes/*)")
    shot(lab, "views-allow-for-longer", 0)
    lab.cell(0).locator(".cw-grant").nth(1).get_by_role("button", name="for the session").click()
    lab.wait_output(0, "wrote True True True")
    lab.wait_done(0)
    shot(lab, "views-granted", 0)
    assert (lab.page_errors, lab.outside_requests) == ([], [])


@pytest.mark.parametrize("saved", [True, False])
def test_a_question_survives_a_reload_of_the_page_and_its_record_stays(lab: LabPage, saved: bool):
    lab.open(lab.server.write_notebook(f"reload-{saved}/reload-{saved}.ipynb", [SET_UP, ASK]))
    lab.run_all()
    lab.button("Allow once").wait_for()
    before = lab.cell(1).locator(".cw-list-of-items").inner_text()
    if saved:
        lab.save()
    lab.reload(wait_kernel=False)
    lab.cell(1).locator(".cw-list-of-items .cw-asking").wait_for()
    assert lab.cell(1).locator(".cw-list-of-items").inner_text() == before
    lab.click_button("Allow once")
    lab.cell(1).locator(".jp-RenderedHTML .cw-record").wait_for()
    lab.save()
    lab.restart()
    lab.reload()
    lab.wait_output(1, "The model answered.")
    assert lab.cell(1).locator(".cw-record").count() == 1
    assert ("before" in lab.output_text(1).split()) == saved
    assert "Error displaying widget" not in lab.output_text(1)
    assert lab.page_errors == []
