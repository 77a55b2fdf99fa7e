"""A real Jupyter server on this machine, with kernels, for tests of those that are elsewhere."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

TOKEN = "the-token-of-the-server"


class KernelServer:
    """One server process; `kernels()` are those that it keeps now."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"

    def start(self):
        names = {name: str(self.folder / name) for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
        env = {**os.environ, **names, "JUPYTER_TOKEN": TOKEN}
        options = ["--no-browser", f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0", "--allow-root"]
        command = [sys.executable, "-m", "jupyter_server", *options, "--ServerApp.jpserver_extensions={}"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, env=env, stdout=log, stderr=log)
        self._until(lambda: self.ask("api/status"))
        return self

    def ask(self, path, method="GET"):
        request = urllib.request.Request(f"{self.address}/{path}", method=method)
        request.add_header("Authorization", f"token {TOKEN}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or b"null")

    def kernels(self):
        return [kernel["id"] for kernel in self.ask("api/kernels")]

    def until_no_kernels(self):
        self._until(lambda: not self.kernels())

    def kill(self):
        """Gone at once, and its kernels with it a moment later."""
        self.process.kill()
        self.process.wait()

    def end(self):
        if self.process.poll() is None:
            for kernel in self.kernels():
                self.ask(f"api/kernels/{kernel}", "DELETE")
            self.process.terminate()
            self.process.wait(20)

    def _until(self, holds):
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                if holds():
                    return
            time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text()[-2000:])


@contextlib.contextmanager
def kernel_server(folder):
    server = KernelServer(folder)
    try:
        yield server.start()
    finally:
        server.end()
