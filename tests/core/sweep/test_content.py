"""What a candidate is made of, told apart from where and when it was written."""

import subprocess
import sys
import threading

import pytest

from cellwright.sweep.content import digest
from cellwright.sweep.job import Candidate

from . import candidates

CELL = """
from dataclasses import dataclass
from enum import Enum
from pydantic import BaseModel
from cellwright import Policy, ScriptedModel, tool
from cellwright.sweep.content import digest
from cellwright.sweep.job import Candidate

SCALE = 6
UNUSED = 1

class Colour(Enum):
    RED = "red"

@dataclass
class Point:
    x: int = 1

class Shape(BaseModel):
    size: int = 2

def scaled(n):
    return n * SCALE if n in {"a", "b", "c"} else scaled(n - 1)

@tool(read_only=True)
def times(n: int) -> str:
    "Times."
    return f"{scaled(n)} {Colour.RED} {Point()} {Shape()}"

def makes():
    return ScriptedModel(["It is 42."])

print(digest(Candidate(makes, tools=[times, "read_file"], policy=Policy(allow=["read_file"]))))
"""


def told(cell, tmp_path, seed="1"):
    """What a program tells of its candidate, in a process with an order of sets of its own."""
    (tmp_path / f"cell{seed}.py").write_text(cell)
    program = [sys.executable, str(tmp_path / f"cell{seed}.py")]
    ended = subprocess.run(program, capture_output=True, text=True, env={"PYTHONHASHSEED": seed}, check=True)
    return ended.stdout.strip()


def test_the_same_content_is_the_same_in_another_process_and_place(tmp_path):
    first = told(CELL, tmp_path)
    moved = CELL.replace("SCALE = 6", "# a comment\n\nSCALE = 6").replace("UNUSED = 1", "UNUSED = 2")
    assert len(first) == 32 and first == told(moved, tmp_path, "2")


EDITS = [
    ("It is 42.", "It is 7."),
    ("SCALE = 6", "SCALE = 7"),
    ("n - 1", "n - 2"),
    ("x: int = 1", "x: int = 2"),
    ("size: int = 2", "size: int = 3"),
    ('RED = "red"', 'RED = "blue"'),
    ('"Times."', '"Times!"'),
    ('allow=["read_file"]', "allow=[]"),
    (', "read_file"]', "]"),
]


def test_each_edit_of_what_it_refers_to_is_another_content(tmp_path):
    edited = "\n".join(f"exec({CELL.replace(*edit)!r}, {{'__name__': '__main__'}})" for edit in [("", ""), *EDITS])
    found = told(edited, tmp_path).split()
    assert len(set(found)) == len(EDITS) + 1


def test_an_edit_of_a_module_of_ones_own_is_another_content(tmp_path, monkeypatch):
    (tmp_path / "my_words.py").write_text("def word():\n    return 1\n")
    (tmp_path / "my_models.py").write_text("from my_words import word\ndef makes():\n    return word()\n")
    monkeypatch.syspath_prepend(tmp_path)
    import my_models

    first = digest(Candidate(my_models.makes))
    assert first == digest(Candidate(my_models.makes))
    (tmp_path / "my_words.py").write_text("def word():\n    return 2\n")
    assert digest(Candidate(my_models.makes)) != first


@pytest.mark.parametrize("value", [threading.Lock(), {threading.Lock()}], ids=range(2))
def test_what_can_not_be_looked_into_has_no_digest(value):
    assert digest(value) == ""
    assert digest(candidates.talks) != ""
