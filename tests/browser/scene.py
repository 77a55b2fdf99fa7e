"""Cells for browser tests: an agent that asks, one that shows every view, one that repeats hostile texts."""

from ..widgets.page import HOSTILE, made_up
from .driver import LabPage

SET_UP = """
import asyncio
from pathlib import Path
from cellwright import Env, Output, ScriptedModel, ToolError, Turn, tool
from cellwright.views.notebook_diff import CellDiff, NotebookDiff
from cellwright.text.text_diff import unified_diff
from cellwright.views.file_diff import diff_view
from cellwright.views.table import table_view
from cellwright.views.inquiry import Inquiry
from cellwright.views.todo_list import Todo
from cellwright.views.tree import tree_view
from cellwright.tool import Tool
from cellwright.views.view import Code, Failure, Group, Markdown, Picture, Terminal, Text, as_json, figure_view
from cellwright_widgets import Agent

def writer():
    write = Turn("I will write.", [("write_file", {"path": "note.txt", "content": "hello\\n"})], thinking="A note.")
    return Agent(ScriptedModel([write, "It is written."]), tools=["write_file"])

@tool(read_only=True, concurrency_safe=True)
async def count(number: int) -> str:
    "Counts; at each of the first five tens it waits for a file which says that what came before was seen."
    while number in (10, 20, 30, 40, 50) and not Path(f"saw-{number}").exists():
        await asyncio.sleep(0.02)
    return f"number {number}"

print("set up")
"""
ASK = "print('before')\nrun = await writer().run('Write a note.')\nprint('after', run.stop_reason)"
"""Prints of the person's own around the run."""
WRITES = """
notes = [Turn(calls=[("write_file", {"path": f"notes/{name}.txt", "content": "hello"})]) for name in ("a", "b", "c")]
agent = Agent(ScriptedModel([*notes[:2], "Written.", notes[2], "Again."]), tools=["write_file"])
first = await agent.run("Write two notes.")
second = await agent.run("Write a third.")
print("wrote", *(result.ok for run in (first, second) for result in run.results))
"""
"""Two files in a folder, and a second run that writes a third."""
SPEAK = """
words = " ".join(f"word{number}\\n" + "x" * 100 for number in range(60))
run = await Agent(ScriptedModel([words], pace=0.05), tools=[]).run("Speak slowly.")
"""
MANY = """
calls = [("count", {"number": number}) for number in range(300)]
steps = [Turn("I count on.", calls[at - 10 : at]) for at in (10, 20, 30, 40, 50)]
counting = [*steps, Turn("", calls[50:]), Turn("", [("write_file", {"path": "count.txt", "content": "x"})]), "Counted."]
run = await Agent(ScriptedModel(counting), tools=[count, "write_file"]).run("Count to 300.")
"""
GALLERY = """
from matplotlib.figure import Figure

figure = Figure(figsize=(6, 2.2))
figure.subplots().plot([3, 1, 4, 1, 5, 9, 2, 6])
OLD = "def mean(rows):\\n    total = 0\\n    for row in rows:\\n        total += row\\n    return total / len(rows)\\n"
NEW = OLD.replace("    total = 0\\n", "    total = 0.0\\n").replace("return total /", "return total  /") + "\\n# end"
ROWS = [["North", 412, 19.25, None], ["South", 388, 21.5, "incl. islands"], ["East", 97, 18.02, "long " * 40]]
REPORT = table_view(["region", "n", "mean", "note"], ROWS, 1_004)
CONSOLE = "\\x1b[1m== tests ==\\x1b[0m\\na.py \\x1b[32m.....\\x1b[31mF\\x1b[0m\\n\\x1b[31m\\x1b[1m1 failed\\x1b[0m\\n"
CHANGED = CellDiff("mean", "code", ("source",), old=2, new=2, unified=unified_diff(OLD, NEW, "a"), notes=("a note",))
GONE = CellDiff("junk", "code", ("deleted",), old=5, outputs_before=("49",), unified=unified_diff("1/0\\n", "", "a"))
PLAN = "## Plan\\n\\n1. **Read** it\\n2. Then\\n   - one\\n   - two\\n\\n| a | b |\\n|---|--:|\\n| x | 1 |\\n\\n> so"
VIEWS = {
    "diff": diff_view(OLD, NEW, "analysis/mean.py"),
    "notebook_diff": NotebookDiff("analysis/mean.ipynb", (CHANGED, GONE), 5, (("title", "", '"Mean"'),)),
    "markdown": Markdown(PLAN),
    "table": REPORT,
    "terminal": Terminal(CONSOLE),
    "image": figure_view(figure, "eight numbers"),
    "error": Failure("command_failed", "the command ended with code 1", "Traceback: line 3"),
    "code": Code(OLD, "python"),
    "group": Group("Both", (REPORT, figure_view(figure, "again"), Text("and a text"))),
    "text": Text("plain text\\nwith two lines and \\u202e a hidden sign"),
}

@tool(read_only=True)
def show(kind: str, env: Env) -> Output:
    "Shows a view."
    env.progress(f"drawing {kind}\\n")
    return Output(kind, view=VIEWS[kind])

FENCED = "```python\\nlist(rows)  # all\\n```\\n\\n"
ANSWER = f"## Result\\n\\n1. **All** kinds are *drawn*\\n2. with `code`\\n\\n{FENCED}Nothing is left."
SHOWS = [("show", {"kind": kind}) for kind in (*VIEWS, "none")]
ASKS = ("write_file", {"path": "mean.py", "content": NEW})
turn = Turn("I will show each view, then write.", [*SHOWS, ASKS], thinking="Ten views.")
agent = Agent(ScriptedModel([turn, ANSWER]), tools=[show, "write_file"])
run = await agent.run("Show me every kind of view, and save the code.")
"""


def attack(name: str) -> str:
    """HTML that would run, load or press something if any part of it became an element."""
    press = "[...document.querySelectorAll('button')].forEach(b => b.click())"
    return (
        f'<script>window.X_{name}=1</script><img src=/no.png onerror="window.X_{name}=1;{press}">'
        f"<img src='http://evil.test/{name}'><div style=\"background:url(http://evil.test/{name}-css)\">css</div>"
        f"<style>*{{background:url(http://evil.test/{name}-style)}}</style><iframe src='http://evil.test/'></iframe>"
        f"<svg onload='window.X_{name}=1'></svg><details open ontoggle='window.X_{name}=1'>d</details>"
        f"<video src='http://evil.test/{name}' poster='http://evil.test/{name}'></video><base href='http://evil.test/'>"
        f"<a href='javascript:window.X_{name}=1'>js</a> ![a](http://evil.test/{name}) [j](javascript:window.X_{name}=1)"
    )


PLACES = (
    "prompt",
    "said",
    "thought",
    "name",
    "arguments",
    "result",
    "view",
    "error",
    "table",
    "path",
    "progress",
    "asked",
    "tool",
    "field",
    "file",
)
"""Where a text of another's making is shown."""
CASES = {f"case{i}": text for i, text in enumerate((*HOSTILE, *made_up(24)))}
HOSTILE_RUN = f"""
A = { ({place: attack(place) for place in PLACES} | CASES)!r}
CASES = [A[name] for name in A if name.startswith("case")]

def hostile_cell(text):
    source = unified_diff("", text + "\\n".join(CASES), text)
    facts = ((text, text, CASES[0]), *((case, "", case) for case in CASES))
    cases = tuple(CASES)
    shown = tuple(as_json(view) for view in (Text(text), Markdown(text), Terminal(text), Failure(text, text, text)))
    return CellDiff(text, text, ("added",), None, 0, text, source, text, facts, (text,), cases, shown, shown, cases)

@tool(read_only=True)
def repeat(text: str, env: Env) -> Output:
    "Says it."
    for said in (A["progress"], *CASES):
        env.progress(said + "\\n")
    rows = [[A["table"], *CASES[:5]], CASES[5:11], *([case, *CASES[:5]] for case in CASES)]
    steps = [(" ".join(case.split())[:200], "pending") for case in (A["view"], *CASES)]
    tree = {{"branch": {{A["view"]: [A["view"], {{A["view"]: None}}]}}, "cases": {{case: case for case in CASES}}}}
    views = (
        Todo(tuple(dict(steps).items())), Inquiry.of(A["view"][:200], [(case[:50], case) for case in CASES[:6]]),
        tree_view(tree),
        *map(Text, CASES), Code(A["view"], A["view"]), Terminal(A["view"]), Picture("image/png", A["view"], A["view"]),
        Picture("image/svg+xml", A["view"], A["view"]), Failure(A["error"], A["error"], A["error"]),
        table_view(rows[0], rows), diff_view(A["view"], A["view"] + CASES[0], A["path"]),
        Markdown(A["view"] + "\\n\\n".join(CASES)), NotebookDiff(A["path"], (hostile_cell(A["view"]),), 1),
    )
    return Output(A["result"], A["result"], Group(A["view"], views), meta={{A["result"]: A["result"]}})

@tool(read_only=True)
def fail(text: str) -> str:
    "Fails."
    raise ToolError("not_found", A["error"] + text)

def formed():
    # what a tool of another server says of itself, which a form is made of
    field = {{"type": "string", "description": A["field"]}}
    other = {{"enum": [A["field"], *CASES], "title": A["field"]}}
    schema = {{"type": "object", "properties": {{A["field"][:60]: field, "choice": other}}}}
    return Tool.from_schema("form", A["tool"], schema, lambda args, env: "formed")

given = {{"text": A["arguments"]}}
calls = [("repeat", given), ("fail", given), (A["name"], given), ("repeat", A["arguments"]),
         ("write_file", {{"path": "x", "content": A["asked"] + "\\n".join(CASES).replace("\\0", "")}}),
         ("form", {{A["field"][:60]: A["field"], "choice": CASES[0]}})]
said = A["said"] + "\\n\\n" + "\\n\\n".join(CASES)
model = ScriptedModel([Turn(said, calls, thinking=A["thought"]), said], name=A["said"])
run = await Agent(model, tools=[repeat, fail, formed(), "write_file"]).run(A["prompt"])
"""
HOSTILE_FILES = f"""
from cellwright_widgets import Inspector, UndoPanel

names = ["<img src onerror=window.X_file=1>.txt", "&lt;b&gt; \u202etxt.exe", "new/<base href=' + '>.txt"]
calls = [("write_file", {{"path": name, "content": name}}) for name in names]
hidden = Agent(ScriptedModel([Turn("", calls), "Done."]), tools=["write_file"], policy="accept_edits")
files = await hidden.run("Write.")
display(UndoPanel(files), Inspector(run, {attack("inspector")!r}))
"""
"""Files with such names, and the run before taken apart."""


def shot(page: LabPage, name: str, cell: int) -> None:
    """The whole output of a cell, at two widths, without the side bar."""
    outputs = page.cell(cell).locator(".jp-OutputArea").first
    page.page.keyboard.press("Control+b")
    for width in (1280, 700):
        page.page.set_viewport_size({"width": width, "height": 900})
        height = outputs.evaluate("(element) => element.scrollHeight")
        page.page.set_viewport_size({"width": width, "height": min(5_000, height + 300)})
        page.screenshot(f"{name}-{width}", outputs)
    page.page.set_viewport_size({"width": 1280, "height": 900})
    page.page.keyboard.press("Control+b")
