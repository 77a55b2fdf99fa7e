"""Pages in which a notebook is open, as the kernel knows them: what `static/bridge.js` does, in Python."""

import json
from pathlib import Path

from cellwright import ToolError
from cellwright.runs.desk import Delete, Insert, Rewrite, ScriptedDesk
from cellwright_widgets.open_notebook.bridge import Bridge

from ..core.tools.notebooks import code

KINDS = {"insert": Insert, "delete": Delete, "rewrite": Rewrite}
CELLS = [code("a", "x = 1  # typed"), code("b", "y = 2")]


class Wire(Bridge):
    """A bridge to pages of this process. `sent` keeps what was said to them."""

    def __init__(self, *pages: "OpenPage"):
        super().__init__()
        self.sent, self.open = [], list(pages)
        for page in pages:
            self.say(page.name, hello=page.who())

    def send(self, content, buffers=None):
        self.__dict__.setdefault("sent", []).append(content)
        for page in list(self.__dict__.get("open", ())):
            if content.get("page") in ("", page.name):
                page.hear(self, content)

    def say(self, page: str, **content):
        self._handle_custom_msg({"page": page, **content}, [])


class OpenPage:
    """One page. `deaf` are operations that it does not answer, `forgets` those whose answer is lost."""

    def __init__(self, name: str, path: Path, shown: str, cells=CELLS, **facts):
        self.name, self.path, self.shown, self.facts = name, path, shown, facts
        self.desk = ScriptedDesk({path: {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}})
        self.deaf, self.forgets = set(), set()
        self.given: dict[str, dict] = {}

    @property
    def sources(self):
        return [cell["source"] for cell in self.desk.documents[self.path]["cells"]]

    def who(self):
        return {"path": self.shown, "client": "", "focus": False, "visible": True, "shared": False, **self.facts}

    def hear(self, wire: Wire, message):
        op = message["op"]
        if op in self.deaf:
            return
        if message["n"] not in self.given or op != "change":
            self.given[message["n"]] = getattr(self, f"on_{op}")(message)
        if op in self.forgets:
            self.forgets.discard(op)
        else:
            self.answer(wire, message["n"], json.dumps(self.given[message["n"]]))

    def answer(self, wire: Wire, number: str, text: str, size: int = 50):
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        for part, piece in enumerate(pieces):
            wire.say(self.name, n=number, part=part, parts=len(pieces), text=piece)

    def on_who(self, message):
        return self.who()

    def on_read(self, message):
        sheet = self.desk.read(self.path)
        notebook = json.loads(sheet.data)
        return {"notebook": notebook, "keys": list(sheet.keys)}

    def on_change(self, message):
        steps = [KINDS[step["do"]](**{k: v for k, v in step.items() if k != "do"}) for step in message["steps"]]
        try:
            self.desk.change(self.desk.read(self.path), steps)
        except ToolError:
            return {"refused": {"do": "rewrite", "key": "a"}}
        return {"made": len(steps)}
