"""What events must hold: all that this Cellwright writes does, and nothing else that is read."""

import json
from typing import get_args

import pytest

from cellwright.log.event_shape import SHAPES, misfit
from cellwright.log.events import FLEETING, Kind

from ...fuzz.logs import sound_log


def test_each_kind_that_is_kept_has_its_shape():
    assert set(SHAPES) == set(get_args(Kind)) - FLEETING


def test_what_is_written_fits():
    lines = [json.loads(line) for line in sound_log().splitlines()]
    events = [line for line in lines if line["kind"] != "log"]
    assert len({line["kind"] for line in events}) > 12
    assert [(line, misfit(line["kind"], line["data"])) for line in events if misfit(line["kind"], line["data"])] == []


@pytest.mark.parametrize(
    ("kind", "data", "place"),
    [
        ("note", {"text": "x", "more": 1}, ""),
        ("note", {}, "data.text"),
        ("note", None, "data"),
        ("steered", {"text": ["x"]}, "data.text"),
        ("turn_started", {"turn": "1"}, "data.turn"),
        ("call", {"id": "a", "name": "b", "arguments": {}}, "data.arguments"),
        ("tools", {"digest": "", "names": ["a", 1], "definitions": {}}, "data.names[1]"),
        ("tools", {"digest": "", "names": [], "definitions": {"a": None}}, "data.definitions['a']"),
        ("seen", {"files": [{"path": "a"}]}, "data.files[0].versions"),
        ("of another version", {}, ""),
    ],
    ids=range(10),
)
def test_the_place_that_does_not_fit_is_named(kind, data, place):
    assert misfit(kind, data) == place
