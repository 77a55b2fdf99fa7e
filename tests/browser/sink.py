"""A server that hears what a page loads from a host that is not ours: `evil.test` is led to it in the browser.

What a page asks for is seen in its requests, too; but only what arrives here has left it.
"""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Sink:
    """Counts requests; a context manager. `heard` holds the address of each."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        heard = self.heard

        class Hears(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                heard.append(self.path)
                self.send_response(404)
                self.end_headers()

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Hears)
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> "Sink":
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
