"""What a Python kernel without a keyboard is told before its first cell.

Three things that a browser's kernel leaves to the person. A shell line such as `!cat` waits for ever on the terminal
that IPython makes for it: here it reads the end of a file. A cell that ends its own process takes the last words it
printed with it: here they are sent first. And what a thread prints carries the name of the cell that happens to run:
here it carries that of the cell that started the thread (workers of a pool serve many cells and are left alone).
All lean on insides of IPython and ipykernel, so each is tried on its own and left if it fails.
"""

PRELUDE = r"""
def _cellwright_prelude():
    import contextvars, os, sys, threading, time
    this = os.getpid()

    def no_input_for_shell_lines():
        import ipykernel.zmqshell as shell
        system = shell.system
        program = os.path.basename(os.environ.get("SHELL", "sh"))
        if os.name == "posix" and program in ("sh", "bash", "dash", "zsh", "ksh"):
            shell.system = lambda command: system("exec </dev/null\n" + command)

    def last_words():
        def flushed_before(end):
            def ending(*args):
                if os.getpid() == this and (len(args) < 2 or args[0] == this):
                    sys.stdout.flush()
                    sys.stderr.flush()
                    time.sleep(0.05)
                return end(*args)
            return ending
        os._exit, os.abort, os.kill = map(flushed_before, (os._exit, os.abort, os.kill))

    def threads_print_into_their_cell():
        publisher = get_ipython().display_pub
        headers = [getattr(place, "_parent_header", None) for place in (sys.stdout, sys.stderr, publisher)]
        headers = [header for header in headers if isinstance(header, contextvars.ContextVar)]
        start = threading.Thread.start

        def start_labelled(thread):
            module = getattr(getattr(thread, "_target", None), "__module__", None) or ""
            if module.split(".")[0] not in ("concurrent", "multiprocessing"):
                labels = [(header, header.get({})) for header in headers]
                run = thread.run

                def labelled():
                    for header, label in labels:
                        header.set(label)
                    run()
                thread.run = labelled
            start(thread)
        threading.Thread.start = start_labelled

    for step in (no_input_for_shell_lines, last_words, threads_print_into_their_cell):
        try:
            step()
        except Exception:
            pass

_cellwright_prelude()
del _cellwright_prelude
"""
