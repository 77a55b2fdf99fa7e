"""A question of a tool in a real JupyterLab: a click answers it, ticks and words are read back, nothing in it acts."""

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
