"""What the kernel's Jupyter server says of its files and pages."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cellwright_widgets.open_notebook.server import Server, place_beside, plain_path


class Sessions(BaseHTTPRequestHandler):
    """Answers who knows the token."""

    listed: object = ()

    def do_GET(self):
        known = self.headers["Authorization"] == "token secret" and self.path == "/api/sessions"
        self.send_response(200 if known else 403)
        self.end_headers()
        self.wfile.write(json.dumps(self.listed).encode())

    def log_message(self, *args):
        pass


def asked(listed: object, root: Path, path: Path, token: str = "secret"):
    Sessions.listed = listed
    with HTTPServer(("127.0.0.1", 0), Sessions) as running:
        Thread(target=running.handle_request, daemon=True).start()
        return Server(f"http://127.0.0.1:{running.server_port}/", token, root).pages(path)


def session(path: str, connections: object):
    return {"path": path, "kernel": {"connections": connections}}


COUNTED = [
    ([session("a.ipynb", 1), session("b.ipynb", 5)], 1),
    ([session("RTC:a.ipynb", 2)], 2),
    ([session("a.ipynb", 0)], 0),
    ([], 0),
    ([{"path": "a.ipynb"}], None),
    ({"message": "no"}, None),
    ([session("a.ipynb", "many")], None),
]


@pytest.mark.parametrize(("listed", "count"), COUNTED)
def test_pages_are_counted_by_their_connections(tmp_path: Path, listed, count):
    assert asked(listed, tmp_path.resolve(), tmp_path.resolve() / "a.ipynb") == count


def test_a_server_that_does_not_answer_says_nothing(tmp_path: Path):
    assert asked([], tmp_path, tmp_path / "a.ipynb", token="wrong") is None
    assert Server("http://127.0.0.1:1/", "", tmp_path).pages(tmp_path) is None


def test_its_token_goes_to_no_proxy_and_to_no_server_that_it_leads_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    heard = []

    class Stranger(Sessions):
        def do_GET(self):
            heard.append(self.headers["Authorization"])
            super().do_GET()

    class Leading(Sessions):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{stranger.server_port}/api/sessions")
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Stranger) as stranger, HTTPServer(("127.0.0.1", 0), Leading) as leading:
        for running in (stranger, leading):
            Thread(target=running.handle_request, daemon=True).start()
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{stranger.server_port}")
        monkeypatch.setenv("no_proxy", "")
        Server(f"http://127.0.0.1:{leading.server_port}/", "secret", tmp_path).pages(tmp_path)
    assert heard == []


def test_the_server_of_a_kernel_is_found_by_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    said = {"url": "http://127.0.0.1:8888/", "token": "t", "root_dir": str(tmp_path), "pid": 77}
    (tmp_path / "jpserver-77.json").write_text(json.dumps(said))
    monkeypatch.setenv("JPY_PARENT_PID", "77")
    found = Server.of_kernel()
    assert found == Server("http://127.0.0.1:8888/", "t", tmp_path)
    assert found.place("RTC:sub/a.ipynb") == tmp_path.resolve() / "sub" / "a.ipynb"


@pytest.mark.parametrize("parent", ["", "78", "../77", "77"])
def test_where_no_server_describes_itself_nothing_is_known(tmp_path, monkeypatch, parent):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("JPY_PARENT_PID", parent)
    (tmp_path / "jpserver-77.json").write_text('{"url": "no token"}')
    assert Server.of_kernel() is None


BESIDE = [
    ("/srv/me/sub/old.ipynb", "sub/new.ipynb", "/srv/me/sub/new.ipynb"),
    ("/srv/me/old.ipynb", "new.ipynb", "/srv/me/new.ipynb"),
    ("/srv/me/old.ipynb", "RTC:me/new.ipynb", "/srv/me/new.ipynb"),
    ("/srv/me/old.ipynb", "elsewhere/new.ipynb", None),
    ("", "new.ipynb", None),
]


@pytest.mark.parametrize(("started_for", "path", "place"), BESIDE)
def test_without_a_server_a_document_lies_beside_the_file_that_the_kernel_was_started_for(started_for, path, place):
    assert place_beside(started_for, path) == (place and Path(place))


def test_a_drive_is_no_part_of_a_path():
    assert [plain_path(path) for path in ("RTC:a.ipynb", "a.ipynb", "a/b:c.ipynb")] == [
        "a.ipynb",
        "a.ipynb",
        "a/b:c.ipynb",
    ]
