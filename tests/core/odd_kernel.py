"""A program: a kernel of a language of its own, which asks for input whether it may or not."""

import os
import time
from typing import ClassVar

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel


class OddKernel(Kernel):
    """Says everything loudly, but for a few words that it obeys."""

    implementation = banner = "odd"
    implementation_version = "1"
    language_info: ClassVar = {"name": "odd", "mimetype": "text/plain", "file_extension": ".odd"}

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False):
        """Obeys `sleep`, `ask`, `fail` and `die`."""
        try:
            return {"execution_count": self.execution_count, **self.obey(code)}
        except KeyboardInterrupt:
            return {"status": "aborted", "execution_count": self.execution_count}

    def obey(self, code):
        if code == "die":
            os._exit(3)
        if code == "ask":
            parent, ident = self.get_parent("shell"), self.get_parent("shell")["header"]["session"].encode()
            self.session.send(self.stdin_socket, "input_request", {"prompt": "name? "}, parent, ident=[ident])
        if code in ("ask", "sleep"):
            time.sleep(60)
        if code == "fail":
            error = {"ename": "OddError", "evalue": "so odd", "traceback": ["line 1", "OddError: so odd"]}
            self.send_response(self.iopub_socket, "error", error)
            return {"status": "error", **error}
        self.send_response(self.iopub_socket, "stream", {"name": "stdout", "text": code.upper()})
        return {"status": "ok", "payload": [], "user_expressions": {}}


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=OddKernel)
