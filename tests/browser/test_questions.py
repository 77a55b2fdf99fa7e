"""A question of a tool in a real JupyterLab: a click answers it, ticks and words are read back, nothing in it acts."""

from playwright.sync_api import expect

from .driver import LabPage
from .scene import SET_UP, attack, shot

ASKS = """
choices = [
    {"label": "Parquet", "description": "typed columns, a tenth of the size"},
    {"label": "CSV", "description": "opens everywhere"},
    "Both of them",
]
steps = [("Read the sales", "completed"), ("Choose a format", "in_progress"), ("Save the table", "pending")]
todo = {"items": [{"content": content, "status": status} for content, status in steps]}
which = {"question": "In which format shall I save the cleaned table?", "choices": choices}
turn = Turn("Two ways are open.", [("todo", todo), ("ask_user", which)])
several = {"question": "Which regions belong in the report?", "choices": ["North", "South", "East"], "multiple": True}
agent = Agent(ScriptedModel([turn, Turn(calls=[("ask_user", several)]), "Saved."]), tools=["todo", "ask_user"])
run = await agent.run("Clean the sales table and save it.")
print("heard", *(result.content for result in run.results[1:]))
"""
HOSTILE_ASK = f"""
bad = {attack("asked")!r}
call = ("ask_user", {{"question": bad, "choices": [{{"label": bad[:200], "description": bad[:500]}}, "plain"]}})
run = await Agent(ScriptedModel([Turn(calls=[call]), "done"]), tools=["ask_user"]).run("Ask.")
print("heard", run.results[0].content)
"""


def test_a_click_on_a_choice_answers_and_ticks_are_read_back(lab: LabPage):
    lab.open(lab.server.write_notebook("asks/asks.ipynb", [SET_UP + ASKS]))
    lab.run_cell(0)
    lab.button("Parquet").wait_for()
    shot(lab, "question-choices", 0)
    lab.click_button("Parquet")
    lab.wait_output(0, "Which regions belong in the report?")
    ticks = lab.cell(0).locator(".cw-choice-row input[type=checkbox]")
    ticks.nth(0).check()
    ticks.nth(2).check()
    lab.click_button("Answer")
    lab.wait_output(0, "The model will read:")
    lab.screenshot("question-ticked", lab.cell(0))
    lab.click_button("Send this answer")
    lab.wait_output(0, "heard The person chose: Parquet The person chose: North, East")
    lab.wait_done(0)
    lab.cell(0).locator(".cw-record").wait_for()
    lab.screenshot("question-record", lab.cell(0))
    assert (lab.page_errors, lab.outside_requests) == ([], [])


def test_own_words_reach_the_model_and_nothing_hostile_acts(lab: LabPage):
    lab.open(lab.server.write_notebook("own-words/own-words.ipynb", [SET_UP + HOSTILE_ASK]))
    lab.run_cell(0)
    lab.click_button("Answer in own words")
    lab.cell(0).locator(".cw-ask textarea").fill("neither of them")
    lab.click_button("Continue")
    lab.click_button("Send this answer")
    lab.wait_output(0, "heard The person wrote: neither of them")
    assert lab.page.evaluate("Object.keys(window).filter((name) => name.startsWith('X_'))") == []
    assert (lab.page_errors, lab.outside_requests) == ([], [])


TWO_WRITES = """
calls = [("write_file", {"path": f"{name}.txt", "content": f"note {name}\\n"}) for name in "ab"]
turns = [Turn("Two notes.", [*calls, ("run_command", {"command": "rm -f old"})]), "done"]
agent = Agent(ScriptedModel(turns), tools=["write_file", "run_command"])
"""
AWAITED = SET_UP + TWO_WRITES + "run = await agent.run('Write.')\nprint('after', *(r.ok for r in run.results))"
LATER = SET_UP + TWO_WRITES + "asyncio.get_running_loop().call_later(1.5, lambda: agent.start('Write.'))\nNone"


def active(lab: LabPage) -> str:
    """The classes of what has the focus, and the text on it if it is a button."""
    return lab.page.evaluate(
        "document.activeElement.className + (document.activeElement.localName === 'button' ? "
        "' | ' + document.activeElement.textContent : '')"
    )


def wait_active(lab: LabPage, words: str) -> None:
    lab.page.wait_for_function(
        "(words) => (document.activeElement.className + ' ' + document.activeElement.textContent).includes(words)",
        arg=words,
    )


def tab_to(lab: LabPage, button: str) -> None:
    while button not in active(lab):
        lab.page.keyboard.press("Tab")


def press(lab: LabPage, *keys: str) -> None:
    for key in keys:
        lab.page.keyboard.press(key)


def test_a_question_is_answered_by_keys_and_none_of_them_by_accident(lab: LabPage):
    lab.open(lab.server.write_notebook("keys/keys.ipynb", [AWAITED, "second = 2"]))
    lab.run_cell(0)
    wait_active(lab, "cw-ask")
    press(lab, "Enter", "Control+Enter", "d", "d", "b")
    assert "cw-ask" in active(lab)
    lab.button("Allow all 2 of these…").wait_for()
    tab_to(lab, "Allow once")
    press(lab, "Control+Enter")
    for name in ("Allow…", "Allow all 2 of these…", "Deny", "Deny with reason"):
        press(lab, "Tab", "d", "d", "ArrowDown")  # on another button of the page they delete the cell, and go on
        assert name in active(lab)
    for back in (["Escape"], ["Tab", "Tab", "Enter"]):  # the second is the button *Back*
        press(lab, "Enter")
        wait_active(lab, "widget-input")
        press(lab, *back)
        wait_active(lab, "Deny with reason")
    lab.screenshot("question-keys", lab.cell(0))
    press(lab, "Shift+Tab", "Enter")
    wait_active(lab, "b.txt")
    assert (lab.prompt(0), lab.page.locator(".jp-Notebook .jp-Cell").count()) == ("[*]:", 2)


def test_only_a_single_press_by_a_person_counts(lab: LabPage):
    lab.open(lab.server.write_notebook("press/press.ipynb", [AWAITED]))
    lab.run_cell(0)
    lab.button("Allow once").wait_for()
    lab.page.evaluate("document.querySelectorAll('.cw-ask button').forEach((button) => button.click())")
    lab.page.wait_for_timeout(300)
    assert lab.button("Allow once").is_enabled()
    lab.button("Deny").dblclick()
    lab.wait_output(0, "It would make b.txt, a new file of 1 line.")
    lab.page.wait_for_timeout(300)
    expect(lab.cell(0).locator(".cw-call.cw-denied")).to_have_count(1)


def test_a_question_takes_no_focus_from_typing_and_all_of_a_turn_can_be_allowed(lab: LabPage):
    lab.open(lab.server.write_notebook("typing/typing.ipynb", [LATER, "x = 1"]))
    lab.run_cell(0)
    lab.wait_done(0)
    lab.cell(1).locator(".cm-content").click()
    lab.page.keyboard.press("Control+End")
    text = " + 10" * 12
    lab.page.keyboard.type(text, delay=60)
    lab.button("Allow all 2 of these…").wait_for()
    lab.page.keyboard.type(" # end")
    assert lab.cell(1).locator(".cm-content").inner_text().strip() == f"x = 1{text} # end"
    lab.click_button("Allow all 2 of these…")
    lab.wait_output(0, "Not among these, and asked about by itself")
    lab.screenshot("question-all-of-these", lab.cell(0))
    lab.click_button("Allow exactly these 2")
    lab.wait_output(0, "May this command run?")
    assert [(lab.server.root / "typing" / f"{name}.txt").exists() for name in "ab"] == [True, True]


def test_a_question_of_a_kernel_that_is_gone_can_not_be_pressed_and_says_so(lab: LabPage):
    lab.open(lab.server.write_notebook("gone/gone.ipynb", [AWAITED]))
    lab.run_cell(0)
    lab.button("Allow once").wait_for()
    lab.restart()
    lab.wait_output(0, "this question is no longer active")
    expect(lab.cell(0).locator(".cw-ask button:enabled")).to_have_count(0)
    lab.screenshot("question-of-a-dead-kernel", lab.cell(0))
