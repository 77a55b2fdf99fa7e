"""What a Python kernel without a keyboard is told before its first cell.

Seven things that a browser's kernel leaves to the person. Code that asks for input would get none: here it is told
why. A shell line such as `!cat` waits for ever on the terminal that IPython makes for it: here it reads the end of a
file. A cell that ends its own process takes the last words it printed with it: here they are sent first. And what a
thread prints carries the name of the cell that happens to run: here it carries that of the cell that started the
thread (workers of a pool serve many cells and are left alone). A cell that leaves `sys.stdout` closed, or as
something that is no stream, ends without an answer, and so does each one after it: here the kernel's own is put back.
And a message of a gigabyte would cost the other side
several: here it is cut before it is sent. Messages that come faster than they can be carried are dropped without a
word: here they are sent with pauses, and with the end of a cell it is told how many they were.
All lean on insides of IPython and ipykernel, so each is tried on its own and left if it fails.
"""

PRELUDE = r"""
def _cellwright_prelude():
    import contextvars, os, sys, threading, time, types
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

    def streams_stay():
        kept = {"stdout": sys.stdout, "stderr": sys.stderr}

        def put_back(*_):
            for name, stream in kept.items():
                now = getattr(sys, name, None)
                if getattr(now, "closed", False) or not callable(getattr(now, "flush", None)):
                    setattr(sys, name, stream)
        get_ipython().events.register("post_execute", put_back)
        for stream in kept.values():
            stream.close = stream.flush

    def no_keyboard():
        from IPython.core.error import StdinNotImplementedError as NoInput

        class StdinNotImplementedError(NoInput):
            def _render_traceback_(self):
                frames, here = [], self.__traceback__
                while here.tb_next:  # the last frame is not of the code that asked
                    frames.append(here)
                    here = here.tb_next
                trace = None
                for frame in reversed(frames):
                    trace = types.TracebackType(trace, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
                shell = get_ipython().InteractiveTB
                return shell.structured_traceback(type(self), self, trace, tb_offset=1)

        def asked(prompt="", *args, **named):
            raise StdinNotImplementedError(
                "input() has no answer here, because nobody is at a keyboard; write the value into the code"
            )
        kernel = get_ipython().kernel
        kernel.raw_input = kernel.getpass = asked

    def no_giant_messages():
        session, most = get_ipython().kernel.session, 1_000_000
        send = session.send

        def cut(text):
            if not isinstance(text, str) or len(text) <= most:
                return text
            half = most * 9 // 20
            left_out = f"[… {len(text) - 2 * half:,} of {len(text):,} characters left out here …]"
            return f"{text[:half]}\n{left_out}\n{text[-half:]}"

        def bundle(data):
            large = {mime: len(value) for mime, value in data.items() if isinstance(value, str) and len(value) > most}
            for mime, size in large.items():
                if mime == "text/plain":
                    data[mime] = cut(data[mime])
                elif size > 30 * most:
                    del data[mime]
                    data.setdefault("text/plain", f"[{mime}, {size:,} characters, too large to be sent]")

        def sending(stream, message, content=None, *args, **named):
            held = message.get("content") if isinstance(message, dict) else content
            if isinstance(held, dict):
                if isinstance(held.get("data"), dict):
                    bundle(held["data"])
                for key in {"text", "evalue"} & held.keys():
                    held[key] = cut(held[key])
                if isinstance(held.get("traceback"), list):
                    held["traceback"] = [cut(line) for line in held["traceback"]]
            try:
                return send(stream, message, content, *args, **named)
            except UnicodeEncodeError:  # half of a pair, which can't be sent; else all of the text were lost
                if isinstance(message, dict):
                    message["content"] = sound(held)
                    return send(stream, message, content, *args, **named)
                return send(stream, message, sound(held), *args, **named)

        def sound(value):
            if isinstance(value, str):
                return value.encode("utf-8", "backslashreplace").decode()
            if isinstance(value, dict):
                return {sound(key): sound(item) for key, item in value.items()}
            return [sound(item) for item in value] if isinstance(value, (list, tuple)) else value

        session.send = sending

    def counted_messages():
        session, sent = get_ipython().kernel.session, {}
        send = session.send

        def sending(stream, message, content=None, parent=None, *args, **named):
            if isinstance(message, dict):
                kind, about, held = message.get("msg_type"), message.get("parent_header"), message.get("content")
            else:
                kind, about, held = message, parent, content
            about = about if isinstance(about, dict) else {}
            name = about.get("header", about).get("msg_id")
            if kind in ("stream", "display_data", "execute_result", "error", "update_display_data"):
                sent[name] = sent.get(name, 0) + 1
                if sent[name] % 250 == 0:
                    time.sleep(0.02)
            elif kind == "status" and held.get("execution_state") == "idle" and content is held:
                content = {**held, "sent": sent.pop(name, 0)}
            return send(stream, message, content, parent, *args, **named)

        session.send = sending

    bounds = (no_giant_messages, counted_messages)
    manners = (no_keyboard, no_input_for_shell_lines, last_words, threads_print_into_their_cell, streams_stay)
    for step in (*bounds, *manners):
        try:
            step()
        except Exception:
            pass

_cellwright_prelude()
del _cellwright_prelude
"""
