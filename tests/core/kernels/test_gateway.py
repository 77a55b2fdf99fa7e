"""Servers that are no Jupyter server, or not a good one, on this machine; a real one is in `test_gateway_kernel.py`."""

import asyncio
import contextlib
import http.server
import json
import threading
import time
from pathlib import Path

import pytest

from cellwright.errors import ToolError, UsageError
from cellwright.kernels.gateway import KNOWN_FOR, Gateway
from cellwright.kernels.gateway_kernel import GatewayKernel

SPECS = {"kernelspecs": {"r": {"spec": {"language": "R"}}, "a": {"spec": {}}}}


@contextlib.contextmanager
def serving(status=200, body=b"{}", headers=(), before=lambda: None):
    """A server with one answer for all; the requests that it got."""
    seen = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, dict(self.headers)))
            before()
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            self.do_GET()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


def said(address, token="") -> str:
    with pytest.raises(ToolError) as caught:
        Gateway(address, token).kernels()
    assert caught.value.code == "gateway_failed"
    return caught.value.message


def test_the_kernels_of_a_server_are_told_with_their_languages_and_asked_for_once():
    with serving(body=json.dumps(SPECS).encode()) as (address, seen):
        gateway = Gateway(f" {address}/base/ ", "t0ken")
        assert [gateway.kernels() for _ in range(3)] == [{"a": "", "r": "R"}] * 3
    ((path, headers),) = seen
    assert (path, headers["Authorization"]) == ("/base/api/kernelspecs", "token t0ken")


def test_a_list_that_is_old_is_the_answer_while_a_new_one_is_asked_for(monkeypatch):
    asked, answers = threading.Event(), threading.Event()
    with serving(body=json.dumps(SPECS).encode(), before=lambda: (asked.set(), answers.wait(20))) as (address, seen):
        gateway = Gateway(address)
        answers.set()
        assert gateway.kernels() == {"a": "", "r": "R"}
        answers.clear()
        asked.clear()
        now = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: now() + KNOWN_FOR)
        assert gateway.kernels() == {"a": "", "r": "R"} and asked.wait(20)
        assert gateway.kernels() == {"a": "", "r": "R"} and len(seen) == 2
        answers.set()


def test_a_token_may_come_in_the_address_or_the_environment_and_is_never_shown(monkeypatch):
    for name in ("KG_AUTH_TOKEN", "JUPYTER_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert Gateway("http://h:1").headers == {}
    monkeypatch.setenv("JUPYTER_TOKEN", "of-env")
    assert Gateway("http://h:1").headers == {"Authorization": "token of-env"}
    given = Gateway("http://h:1/?token=of-address")
    assert (given.token, given.address, given.socket_address) == ("of-address", "http://h:1", "ws://h:1")


@pytest.mark.parametrize(
    "address", ["", "h:8888", "ftp://h", "file:///etc", "http://", "http://u:pass@h", "http://[", "http://h:99999"]
)
def test_what_is_no_address_is_refused_with_one_that_would_be(address):
    with pytest.raises(UsageError, match="write it as http://host:8888") as caught:
        Gateway(address)
    assert "pass" not in str(caught.value)


def test_a_token_that_could_hold_another_header_is_refused():
    with pytest.raises(UsageError, match="no token has"):
        Gateway("http://h", "a\r\nX: y")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"body": b"<html>"}, "is no JSON"),
        ({"body": b""}, "no list of kernels"),
        ({"body": b"[1]"}, "no list of kernels"),
        ({"status": 404}, "knows of no kernels"),
        ({"status": 403, "body": b'{"message": "Forbidden"}'}, "the token is missing (403: Forbidden)"),
        ({"status": 302, "headers": [("Location", "http://evil/?token=x")]}, "leads on to 'http://evil/'"),
        ({"body": b"[" * 100_000}, "speak as a Jupyter server"),
        ({"body": b'{"kernelspecs": [5]}'}, "no list of kernels"),
        ({"status": 403, "body": b"[" * 100_000}, "the token is missing (403)"),
    ],
)
def test_a_server_that_is_none_or_refuses_is_told_in_words(answer, why):
    with serving(**answer) as (address, seen):
        assert why in said(address)
    assert len(seen) == 1


def test_an_error_of_the_server_is_told_and_not_asked_for_again_at_once():
    with serving(500, b'{"message": "out of\\nmemory"}') as (address, seen):
        gateway = Gateway(address, "t0ken")
        for _ in range(2):
            with pytest.raises(ToolError, match="500: out of memory"):
                gateway.kernels()
    assert len(seen) == 1


def test_a_server_that_does_not_say_which_kernel_it_has_started_is_told():
    with serving(body=json.dumps(SPECS).encode()) as (address, seen), pytest.raises(ToolError) as caught:
        asyncio.run(GatewayKernel(Gateway(address), "a", Path.cwd()).start())
    assert (caught.value.code, len(seen)) == ("gateway_failed", 2)
    assert "does not say which one it has started" in caught.value.message


def test_a_server_that_is_not_there_is_told():
    with serving() as (address, _):
        pass
    assert "can't be reached: " in said(address)


def test_a_token_is_not_taken_along_to_another_server():
    with serving() as (other, seen), serving(307, headers=[("Location", f"{other}/x")]) as (address, _):
        said(address, "t0ken")
    assert seen == []


def test_looking_ahead_asks_in_a_thread_and_tells_nobody_of_a_failure():
    with serving(body=json.dumps(SPECS).encode()) as (address, seen):
        gateway = Gateway(address)
        gateway.look_ahead()
        assert gateway.kernels() == {"a": "", "r": "R"}
        Gateway("http://127.0.0.1:9").look_ahead()
    assert len(seen) == 1
