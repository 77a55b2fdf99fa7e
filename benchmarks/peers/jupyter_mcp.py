"""The ten notebook tasks with jupyter-mcp-server's tools, in a JupyterLab of its own; counts the tokens of both sides.

It is told our calls and results in a file, so that one tokenizer counts all.
"""

import asyncio
import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bpe_openai import get_encoding
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from notebook_tasks import NAME, NEW_CELL, TASKS, written

BIN = Path(sys.executable).parent
COUNT = get_encoding("o200k_base").encode
FIRST = ("notebook_read", "notebook_edit", "read_cell")
"""Calls whose result a model needs before it goes on with a task; all others of a task it makes in one turn."""


def edit(cell_id: str, old: str, new: str, **more: bool) -> tuple[str, dict[str, object]]:
    """A place of a cell changed."""
    return "edit_cell_source", {"cell_id": cell_id, "old_string": old, "new_string": new, **more}


CALLS = (
    (
        ("use_notebook", {"notebook_name": "s", "notebook_path": NAME}),
        ("read_notebook", {"notebook_name": "s", "limit": 0}),
    ),
    (("read_notebook", {"notebook_name": "s", "response_format": "detailed", "limit": 0}),),
    (("read_cell", {"cell_id": "table"}),),
    (edit("price", "1.05", "1.07"),),
    (("insert_cell", {"cell_index": 4, "cell_type": "markdown", "cell_source": "## Head"}),),
    (
        *(("execute_cell", {"cell_id": name}) for name in ("setup", "load", "price")),
        ("insert_execute_code_cell", {"cell_index": 4, "cell_source": NEW_CELL}),
    ),
    (("delete_cell", {"cell_ids_to_delete": ["note_3"], "include_source": False}),),
    (("move_cell", {"source_cell_id": "note_0", "target_index": 1}),),
    (("read_cell", {"cell_id": "broken"}), edit("broken", "grand_totl", "grand_total")),
    tuple(edit(f"region_{n}", "subset", "sold", replace_all=True) for n in range(4)),
)


@contextlib.contextmanager
def lab(folder: Path) -> Iterator[tuple[str, str]]:
    """A JupyterLab in this folder: its address and its token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token, url = secrets.token_hex(16), f"http://127.0.0.1:{port}"
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}", f"--IdentityProvider.token={token}"]
    own = {f"JUPYTER_{name}_DIR": str(folder.parent / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    command = [str(BIN / "jupyter-lab"), *options, f"--ServerApp.root_dir={folder}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, cwd=folder.parent, env=os.environ | own, **quiet)  # it leaves files where it is
    try:
        _await_answer(f"{url}/api/status?token={token}")
        yield url, token
    finally:
        server.terminate()
        server.wait(20)


def _await_answer(url: str) -> None:
    ends = time.monotonic() + 120
    while time.monotonic() < ends:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.3)
    raise SystemExit("JupyterLab did not start")


async def theirs(url: str, token: str) -> dict[str, object]:
    """The peer's definitions, and each task's calls with what they gave."""
    args = ["start", "--transport", "stdio", "--jupyter-url", url, "--jupyter-token", token]
    server = StdioServerParameters(command=str(BIN / "jupyter-mcp-server"), args=args, env=dict(os.environ))
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        async with Client(stdio_client(server, errlog=nowhere)) as client:
            shown = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
                for tool in (await client.list_tools()).tools
            ]
            tasks = [[await _called(client, *call) for call in calls] for calls in CALLS]
    return {"definitions": json.dumps(shown, ensure_ascii=False, separators=(",", ":")), "tasks": tasks}


async def _called(client: Client, name: str, args: dict[str, object]) -> dict[str, str]:
    result = await client.call_tool(name, args)
    text = "\n".join(getattr(block, "text", "") for block in result.content)
    if result.is_error:
        raise SystemExit(f"{name} failed: {text}")
    return {"call": f"{name} {json.dumps(args, ensure_ascii=False)}", "result": text}


def of_the_file(path: Path, edits: int) -> dict[str, object]:
    """What it is to read the file itself once and to change its text: without tools for notebooks, and a run."""
    change = {"call": 'edit_file {"path": "sales.ipynb", "old_string": "FACTOR = 1.05", "new_string": "FACTOR = 1.07"}'}
    tasks = [[{"call": "read_file", "result": path.read_text(encoding="utf-8")}], [], []]
    step = {**change, "result": "replaced 1"}
    return {"definitions": "", "tasks": [*tasks, *[[step]] * (edits - 1), [step] * 4]}


def row(who: str, side: dict[str, object]) -> dict[str, object]:
    """The tokens of one side: its definitions and each task, and the sums."""
    definitions = len(COUNT(side["definitions"]))
    tasks = [sum(len(COUNT(step["call"])) + len(COUNT(step["result"])) for step in task) for task in side["tasks"]]
    sent = have = 0
    for task in side["tasks"]:
        for place, step in enumerate(task):
            if place == 0 or task[place - 1]["call"].startswith(FIRST):
                sent += definitions + have
            have += len(COUNT(step["call"])) + len(COUNT(step["result"]))
    return {"who": who, "tokens": [definitions, *tasks], "once": definitions + sum(tasks), "as_sent": sent + have}


def main(ours: Path) -> None:
    """Prints the rows as one line of JSON."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "theirs")
        folder.mkdir()
        path = written(folder)
        raw = of_the_file(path, len(TASKS) - 3)
        with lab(folder) as (url, token):
            peer = asyncio.run(theirs(url, token))
    if keep := os.environ.get("KEEP_TRANSCRIPTS"):
        Path(keep).write_text(json.dumps({"ours": json.loads(ours.read_text()), "theirs": peer}, indent=1))
    mine = json.loads(ours.read_text(encoding="utf-8"))
    print(json.dumps([row("cellwright", mine), row("jupyter-mcp-server", peer), row("the file itself", raw)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
