import time
from email.utils import formatdate

import pytest

from cellwright.models.access import Access, Key
from cellwright.models.failure import ReportedError, StreamEndedError, failure_of, told_of


class AnsweredError(Exception):
    """As SDKs raise it."""

    def __init__(self, status, headers=None, body=None):
        super().__init__(f"Error code: {status}")
        self.status_code = status
        self.body = body
        self.response = type("Response", (), {"headers": headers or {}})


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
    ids=range(7),
)
def test_the_time_that_a_server_asks_for_is_read(headers, wait):
    assert failure_of(AnsweredError(429, headers)).wait == wait


def test_the_time_can_be_a_date():
    wait = failure_of(AnsweredError(429, {"retry-after": formatdate(time.time() + 30)})).wait
    assert 25 < wait <= 30


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}, 529),
        ({"message": "m", "code": 502}, 502),
        ({"message": "m", "code": "rate_limit_exceeded"}, 429),
        ({"message": "m"}, 500),
        ({"code": "insufficient_quota"}, 402),
    ],
    ids=range(5),
)
def test_an_error_in_a_stream_has_the_status_that_it_stands_for(body, status):
    assert failure_of(ReportedError(body)).status == status


def test_what_a_server_says_is_bounded_and_sound():
    failure = failure_of(AnsweredError(400, body={"error": {"message": "x\ud800" * 1000}}))
    assert (len(failure.said), failure.said[:2]) == (500, "x\ufffd")


def test_a_stream_that_ended_too_early_is_a_trouble_that_passes():
    assert failure_of(StreamEndedError("over")).is_passing


def test_each_status_has_its_next_step():
    access = Access("anthropic", "m-1", None, Key("key-of-the-test"))
    steps = {
        status: str(told_of(failure_of(AnsweredError(status)), access, 1, False)) for status in (401, 402, 404, 413)
    }
    assert "set ANTHROPIC_API_KEY to one that is valid" in steps[401]
    assert "no credit" in steps[402]
    assert "check the model's name, 'm-1'" in steps[404]
    assert "start a new run" in steps[413]
