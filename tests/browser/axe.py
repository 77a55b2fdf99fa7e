"""What axe-core, the checker that the makers of browsers share, finds in our drawings.

Only what stands below our own elements is judged: JupyterLab has faults of its own, which are not ours to mend. All
folds are opened and all scrolled areas shown whole first, since axe passes over what it can't see.
"""

from axe_playwright_python.sync_playwright import Axe

from .driver import LabPage

GRAVE = ("serious", "critical")
EVERYWHERE = ".cw, .cw-ask, .cw-run"
"""All that we draw: transcripts, records, cards that ask."""
SHOWN_WHOLE = """
body { overflow: visible !important }
.cw.cw :is(.cw-area, .cw-diff, .cw-nb, .cw-scroll, .cw-pre), .cw-ask .widget-html { max-height: none !important }
"""
"""The body of JupyterLab is no pixel high and hides what stands out of it: axe takes all of the page for hidden."""
BOTTOM = "(all) => Math.ceil(Math.max(...all.map((one) => one.getBoundingClientRect().bottom)))"


def grave_faults(lab: LabPage, place: str = EVERYWHERE) -> list[str]:
    """Every serious or critical fault below elements like this, with where it is and why it is one."""
    lab.page.locator(place).first.wait_for()
    size = lab.page.viewport_size
    shown = lab.page.add_style_tag(content=SHOWN_WHOLE)
    lab.page.evaluate("document.querySelectorAll('.cw details').forEach((fold) => { fold.open = true; })")
    lab.page.set_viewport_size({"width": 1280, "height": lab.page.locator(place).evaluate_all(BOTTOM) + 50})
    lab.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    found = Axe().run(lab.page, place, {"resultTypes": ["violations", "passes"]}).response
    shown.evaluate("(style) => style.remove()")
    lab.page.set_viewport_size(size)
    assert any(rule["id"] == "color-contrast" for rule in found["passes"]), "axe saw no text"
    return [
        f"{fault['id']}: {node['html'][:160]} ({node['failureSummary']})"
        for fault in found["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]
