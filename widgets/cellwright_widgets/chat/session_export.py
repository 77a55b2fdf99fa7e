"""A session as a file to hand on: a notebook of its prompts with their records, or one page of HTML.

The notebook is what one would have that had been worked in: each prompt is a cell for `%%agent`, its record the output.
The rule that must never break: what a model or tool said is in the file as text; opened, it runs and loads nothing, and
no file that is there is written over.
"""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from cellwright.errors import UsageError
from cellwright.sessions.session import Session
from cellwright.text.quantity import quantity
from cellwright_widgets.cards.record import record_body, record_html, record_text
from cellwright_widgets.drawing.style import style

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
INTRODUCTION = """\
# A session with an agent

{runs}, as the log told them. To go on from here, make an agent, `agent = Agent(model("..."), log="session.jsonl")`,
load the magic by `%load_ext cellwright_widgets`, and run a cell that begins with `%%agent`."""


def export_notebook(session: Session, folder: Path) -> Path:
    """Writes the notebook into the folder; its path.

    Raises:
        UsageError: if it can't be written.
    """
    introduction = INTRODUCTION.format(runs=quantity(len(session.runs), "run"))
    runs = [_cell(place, run.prompt, run.events) for place, run in enumerate(session.runs)]
    document = _format().new_notebook(cells=[_format().new_markdown_cell(introduction), *runs])
    return _written(folder, session, ".ipynb", _format().writes(document))


def export_html(session: Session, folder: Path) -> Path:
    """Writes the page into the folder; its path.

    Raises:
        UsageError: if it can't be written.
    """
    title = html.escape(session.path.stem)
    bodies = "".join(record_body(run.events, f"Run {place}") for place, run in enumerate(session.runs, 1))
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>{title}</title>'
    page = f"<style>{style()}body {{ max-width: 980px; margin: 24px auto; padding: 0 16px }}</style>{bodies}"
    return _written(folder, session, ".html", f"<!doctype html><html><head>{head}</head><body>{page}</body></html>\n")


def _format() -> Any:  # noqa: ANN401 (nbformat is untyped here)
    from nbformat import v4

    return v4


def _cell(place: int, prompt: str, events: Any) -> Any:  # noqa: ANN401 (nbformat has no types)
    record = {"text/html": record_html(events), "text/plain": record_text(events)}
    source = f"%%agent{' --continue' if place else ''}\n{prompt}"
    return _format().new_code_cell(source, outputs=[_format().new_output("display_data", record)])


def _written(folder: Path, session: Session, suffix: str, text: str) -> Path:
    name, number = f"session-{session.path.stem}", 1
    path = folder / f"{name}{suffix}"
    while True:
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            number += 1
            path = folder / f"{name}-{number}{suffix}"
        except OSError as error:
            raise UsageError(f"{path} can't be written: {error.strerror}; choose another working folder") from None
        else:
            return path
