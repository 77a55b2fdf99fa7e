"""What a script in a file may hold is tried in `test_naming.py`, as models are made from it there."""

import json

from cellwright.models.script_file import turns_of
from cellwright.models.scripted_model import Turn


def test_the_turns_are_those_of_the_file(tmp_path):
    path = tmp_path / "script.json"
    path.write_text(json.dumps(["héllo", {"text": "x", "calls": [{"name": "t", "arguments": {"a": 1}}]}]), "utf-8")
    assert turns_of(path) == ["héllo", Turn("x", [("t", {"a": 1})])]
