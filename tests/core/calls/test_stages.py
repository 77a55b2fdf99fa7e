import asyncio

import pytest

from cellwright import Agent, Allow, Deny, Edit, Grant, Policy, Registry, ScriptedApprover, tool
from cellwright.codec import canonical
from cellwright.hooks.hook import Ask, Hook
from cellwright.person.approval import AllowAll
from cellwright.schema import Schema
from cellwright.views.view import Text

from ..scene import BYPASS, Streams, act, agent_of, calling, echo, kinds_of, plain, play, returning, settled


@tool
def read_file(path: str, limit: int = 100, glob: str | None = None) -> list:
    """Reads."""
    return [path, limit, glob]


def result_of(raw, *tools, name="read_file", turn=None, **conditions):
    conditions.setdefault("approver", AllowAll())
    run = play([calling((name, raw), **(turn or {})), "done"], tools or [read_file], **conditions)
    (result,) = run.results
    return result


@pytest.mark.parametrize("name", ["Read_File", "read_fil", "readfile", "READ_FILE"])
def test_an_unknown_tool_is_told_with_near_names_and_nothing_is_guessed(name):
    result = result_of("{}", name=name)
    assert (result.error_type, result.content) == (
        "unknown_tool",
        f"there is no tool {name!r}; did you mean read_file?",
    )


def test_a_name_like_none_is_told_with_all_names():
    assert result_of("{}", echo, read_file, name="zzz").content.endswith("; the tools are: echo, read_file")
    assert len(result_of("{}", name="z" * 100_000).content) < 300


def test_null_for_what_may_be_left_out_is_not_given():
    assert result_of('{"path": "a", "limit": null, "glob": null}').value == ["a", 100, None]
    result = result_of('{"path": null}')
    assert (result.error_type, "path must be a string, got null" in result.content) == ("invalid_arguments", True)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ('{"path": "ok.txt", "path": "secret.txt"}', "ambiguous"),
        ('{"Path": "ok.txt"}', "unknown parameter Path, did you mean path"),
        ("[1, 2]", "arguments must be a JSON object, got array; the parameters are: path: string, limit?: integer"),
        ('{"path": "a.txt", "content": "line1\\nline', "arguments are incomplete"),
        ("[" * 100_000, "nested more than 100 levels"),
    ],
    ids=range(5),
)
def test_arguments_that_are_not_clear_do_not_run(raw, words):
    result = result_of(raw)
    assert result.error_type == "invalid_arguments"
    assert words in result.content


def test_a_call_that_was_cut_off_is_not_run_though_it_looks_whole():
    result = result_of('{"path": "a"}', turn={"stop": "length"})
    assert result.error_type == "invalid_arguments"
    assert "cut off at its length limit" in result.content
    assert "smaller parts" in result.content


def test_repairs_are_made_once_and_rules_approval_and_tool_see_the_same():
    seen = []
    schema = {"type": "object", "properties": {"edits": {"type": "array"}}}

    def note(who):
        return lambda args, *rest: seen.append((who, args["edits"]))

    made = plain(
        lambda args, env: note("tool")(args), "t", schema, read_only=False, check_permission=note("permission")
    )
    approver = ScriptedApprover([Allow()])
    result = result_of('{"edits": "[{\\"a\\": 1}]"}', made, name="t", approver=approver)
    assert {who for who, _ in seen} == {"permission", "tool"}
    assert all(edits == [{"a": 1}] for _, edits in seen)
    assert approver.questions[0].args == {"edits": [{"a": 1}]}
    assert result.metadata["repairs"] == ["edits was an array sent as JSON text; it was read as the array"]


def test_what_runs_is_what_was_shown_whoever_changes_it_meanwhile():
    ran = []

    def tamper(question):
        question.args["command"] = "touch pwn"
        watched[0].data["args"]["command"] = "touch pwn"
        return Allow()

    class Watch:
        def on_event(self, event):
            if event.kind == "arguments":
                watched.append(event)

    watched = []
    made = plain(lambda args, env: ran.append(dict(args)), "run", read_only=False)
    run = play([calling(("run", {"command": "echo safe"})), "done"], [made], [tamper], observers=[Watch()])
    assert run.results[0].ok
    assert ran == [{"command": "echo safe"}]


def test_a_tool_that_changes_its_arguments_while_it_is_judged_is_not_run():
    def mean(args):
        args["command"] = "touch pwn"
        return False

    ran = []
    made = plain(lambda args, env: ran.append(args), "run", read_only=False, destructive=mean)
    approver = ScriptedApprover([Allow()])
    result = result_of({"command": "echo safe"}, made, name="run", approver=approver)
    (question,) = approver.questions
    assert (question.args["command"], result.error_type, ran) == ("echo safe", "guard_denied", [])


def test_a_tool_that_changes_its_arguments_after_they_were_shown_is_not_run():
    def tamper(question):
        held[0]["command"] = "touch pwn"
        return Allow()

    held, ran = [], []
    keep = {"validate": lambda args, env: held.append(args), "read_only": False}
    made = plain(lambda args, env: ran.append(args), "run", **keep)
    result = result_of({"command": "echo safe"}, made, name="run", approver=ScriptedApprover([tamper]))
    assert (result.error_type, ran) == ("guard_denied", [])
    assert result.content == "the arguments changed after they were validated; nothing was run"


def test_edited_arguments_are_not_asked_about_again_and_face_the_rules_again():
    made = returning("ran", "t", read_only=False, check_permission=lambda args, env: "deny" if "x" in args else None)
    result = result_of({}, made, name="t", approver=ScriptedApprover([Edit({"x": 1})]))
    assert result.error_type == "permission_denied"
    approver = ScriptedApprover([Edit({"y": 1}), Edit({"y": 2})])
    result = result_of({}, made, name="t", approver=approver)
    assert (result.ok, result.metadata["edited_by_person"], len(approver.questions)) == (True, {"y": 1}, 1)


def test_an_answer_that_is_changed_after_it_was_given_changes_nothing():
    args, ran = {"command": "a"}, []

    class Later:
        def on_event(self, event):
            if event.kind == "answer":
                event.data.clear()
            if event.kind in ("executing", "decision"):
                args["command"] = "touch pwn"

    class Sly:
        async def ask(self, question):
            args["command"] = "a"
            return Edit(args)

    made = plain(lambda args, env: ran.append(args), "run", read_only=False)
    result_of({}, made, name="run", approver=Sly(), observers=[Later()])
    assert ran == [{"command": "a"}]


def test_a_tool_that_is_replaced_while_the_person_thinks_does_not_run():
    registry = Registry([returning("old", "t", read_only=False)])

    def swap(question):
        registry.replace(returning("new", "t"))
        return Allow()

    run = play([calling("t"), "done"], registry, [swap])
    (result,) = run.results
    assert result.error_type == "tool_not_allowed"
    assert result.content == "t was changed or taken away meanwhile; call it again. Nothing was run; the tools are: t"


def test_the_form_of_the_question_can_judge_edited_arguments_as_they_are_typed():
    problems = []

    def look(question):
        problems.extend([question.check({"path": 3}), question.check({"path": "../x"}), question.check({"path": "a"})])
        return Allow()

    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    made = plain(lambda args, env: "ran", "t", schema, read_only=False, paths=("path",))
    result_of({"path": "a"}, made, name="t", approver=ScriptedApprover([look]))
    assert problems[0] == "path must be a string, got integer 3"
    assert "outside the working folder" in problems[1]
    assert problems[2] is None


def test_a_question_says_what_why_and_how_bad():
    approver = ScriptedApprover([Allow()])
    made = plain(lambda args, env: "ran", "t", read_only=False, destructive=True)
    play([calling(("t", {"a": 1})), "done"], [made], approver=approver)
    (question,) = approver.questions
    assert (question.tool, question.args, question.reason, question.destructive) == (
        "t",
        {"a": 1},
        "it can't be undone",
        True,
    )
    assert isinstance(question.schema, Schema)
    assert question.effect is None


def test_a_denial_names_its_rule_and_what_would_do_instead():
    result = result_of({"path": "a"}, policy=Policy(deny={"read_file"}))
    assert result.error_type == "permission_denied"
    assert result.content == "not permitted: a rule denies read_file; use another tool"
    result = result_of({"path": "a"}, policy="dont_ask")
    assert result.content.startswith("not permitted: mode dont_ask denies what would be asked (")


def test_the_log_holds_the_arguments_that_were_shown_and_ran():
    run = play([calling(("read_file", {"path": "a"})), "done"], [read_file], [Allow()])
    (question,) = kinds_of(run, "question")
    (arguments,) = kinds_of(run, "arguments")
    assert canonical(question.data["args"]) == canonical(arguments.data["args"]) == '{"path":"a"}'


def moved_to_credentials(folder):
    return lambda question: _linked(folder / "a.txt", ".ssh/a.txt")


def moved_to_another_file(folder):
    return lambda question: _linked(folder / "a.txt", "b.txt")


def moved_outside(folder):
    return lambda question: _linked(folder / "a.txt", "../outside.txt")


def _linked(path, target):
    path.unlink()
    path.symlink_to(target)
    return Allow()


@pytest.mark.parametrize("meanwhile", [moved_to_credentials, moved_to_another_file, moved_outside])
def test_a_path_that_leads_elsewhere_while_the_person_thinks_is_not_followed(tmp_path, meanwhile):
    folder = tmp_path / "work"
    others = [tmp_path / "outside.txt", folder / ".ssh" / "a.txt", folder / "b.txt"]
    for path in (*others, folder / "a.txt"):
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("the same")
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    put = plain(lambda a, env: env.path(a["path"]).write_text("new"), "put", schema, paths=("path",), read_only=False)
    run = play([calling(("put", {"path": "a.txt"})), "done"], [put], [meanwhile(folder)], cwd=folder)
    assert (run.results[0].ok, run.results[0].error_type) == (False, "guard_denied")
    assert [path.read_text() for path in others] == ["the same"] * 3


def test_an_edit_that_can_not_be_made_is_not_asked_about(tmp_path):
    (tmp_path / "a.txt").write_text("text")
    edit = {"path": "a.txt", "old_string": "missing", "new_string": "x"}
    calls = [("edit_file", edit), ("write_file", {"path": "folder/", "content": ""})]
    calls.append(("multi_edit", {"path": "a.txt", "edits": [{"old_string": "missing", "new_string": "x"}]}))
    approver = ScriptedApprover([Allow()] * 3)
    turns = [calling(("read_file", {"path": "a.txt"})), calling(*calls), "done"]
    run = play(turns, "all", approver=approver, cwd=tmp_path)
    assert [result.metadata["code"] for result in run.results[1:]] == ["not_found", "is_directory", "not_found"]
    assert approver.questions == []


SECRET, MASK = "s3cret-of-the-test", "⟨masked: MY_TOKEN⟩"


def asked_about(args, answer, monkeypatch, **facts):
    """The run of one call that is asked about, and its question."""
    monkeypatch.setenv("MY_TOKEN", SECRET)
    approver = ScriptedApprover([answer])
    give = plain(lambda args, env: canonical(args).replace(SECRET, "THE SECRET"), "give", read_only=False, **facts)
    run = play([calling(("give", args)), "done"], [give], approver=approver)
    return run, approver.questions[0]


def test_a_question_shows_the_true_arguments_but_for_secrets_and_says_which(monkeypatch):
    effect = {"present_call": lambda args, env: Text(f"sends {args['text']}")}
    run, question = asked_about({"text": f"a {SECRET}", "n": 1}, Allow(), monkeypatch, **effect)
    assert (question.args, question.effect) == ({"text": f"a {MASK}", "n": 1}, Text(f"sends a {MASK}"))
    assert question.reason.endswith("; masked here, but not in what runs: MY_TOKEN")
    assert run.results[0].value == '{"n":1,"text":"a THE SECRET"}'


def test_a_question_without_secrets_says_nothing_of_masks(monkeypatch):
    _, question = asked_about({"text": "a"}, Allow(), monkeypatch)
    assert "mask" not in question.reason


def test_what_a_person_leaves_masked_while_editing_is_still_the_secret(monkeypatch):
    run, question = asked_about({"text": SECRET, "n": 1}, Edit({"text": MASK, "n": 2}), monkeypatch)
    assert run.results[0].value == '{"n":2,"text":"THE SECRET"}'
    assert question.check({"text": MASK, "n": 2}) is None
    assert SECRET not in repr(run.events) + repr(run.results[0].metadata)


def test_a_mark_that_would_be_written_in_the_place_of_a_secret_is_refused(monkeypatch):
    run, question = asked_about({"text": SECRET}, Edit({"text": f"{MASK}!"}), monkeypatch)
    assert run.results[0].error_type == "invalid_arguments"
    assert run.results[0].content.startswith(f"{MASK} stands for a secret that is not shown to you; write around it")
    assert (question.check({"text": f"x{MASK}"}) or "").startswith(f"{MASK} stands for a secret")


def test_a_tool_that_only_reads_may_look_for_a_mark(monkeypatch):
    monkeypatch.setenv("MY_TOKEN", SECRET)
    run = play([calling(("echo", {"text": MASK})), "done"], [echo])
    assert run.results[0].value == MASK


class Switches:
    """Puts the run into another mode as the first of its calls sets out, with the others on their way beside it."""

    def __init__(self, mode):
        self.mode, self.runs, self.left = mode, [], 1

    def on_event(self, event):
        if event.kind == "call" and self.left:
            self.left = 0
            self.runs[0].set_mode(self.mode)


class Desk:
    """Answers after a while; two questions must never lie before it at once."""

    def __init__(self, answers):
        self.answers, self.open, self.asked = answers, 0, []

    async def ask(self, question):
        self.open += 1
        assert self.open == 1
        await settled()
        self.asked.append(question.args["n"])
        self.open -= 1
        return self.answers.pop(0)


def overlapping(answers, mode="default"):
    """Three calls that were sure to run when they set out, and a person who has switched the mode since."""
    desk, switch = Desk(answers), Switches(mode)

    async def begin(run):
        switch.runs.append(run)

    write = plain(lambda args, env: args["n"], "write", read_only=False, concurrency_safe=True)
    model = Streams(*[("write", {"n": n}) for n in range(3)])
    agent = Agent(model, [write], approver=desk, policy=BYPASS, observers=[switch])
    return asyncio.run(act(agent, begin)), desk


def test_one_question_at_a_time_though_the_mode_was_switched_while_calls_overlap():
    run, desk = overlapping([Allow(), Deny(), Allow()])
    assert desk.asked == [0, 1, 2]
    assert [result.error_type or result.value for result in run.results] == [0, "approval_denied", 2]


def test_what_was_granted_while_a_question_waited_is_not_asked_about():
    run, desk = overlapping([Grant("run", ("write",))])
    assert (desk.asked, [result.value for result in run.results]) == ([0], [0, 1, 2])
    decided = [event.data["by"] for event in kinds_of(run, "decision")]
    assert decided == ["default"] * 3 + ["grant"] * 2


def test_a_yes_given_after_the_run_was_switched_to_plan_mode_lets_nothing_run():
    def late(question):
        runs[0].set_mode("plan")
        return Allow()

    async def begin(run):
        runs.append(run)

    runs, ran = [], []
    write = plain(lambda args, env: ran.append(args), "write", read_only=False)
    agent = agent_of([calling("write"), "done"], [write], [late])
    (result,) = asyncio.run(act(agent, begin)).results
    assert (result.error_type, ran) == ("guard_denied", [])
    assert "in plan mode only read-only tools run" in result.content


def test_what_a_tool_or_a_hook_says_as_a_reason_to_ask_is_masked(monkeypatch):
    monkeypatch.setenv("MY_TOKEN", SECRET)
    for facts, hooks in (
        ({"check_permission": lambda args, env: ("ask", f"it has {SECRET}")}, ()),
        ({}, [Hook("before_call", lambda occasion: Ask(f"it has {SECRET}"))]),
    ):
        approver = ScriptedApprover([Allow()])
        play([calling("t"), "done"], [returning(1, "t", **facts)], approver=approver, hooks=hooks)
        assert f"it has {MASK}" in approver.questions[0].reason


def test_an_interrupt_while_the_person_is_asked_stops_the_run_and_not_the_event_loop():
    def interrupt(question):
        raise KeyboardInterrupt

    tool = returning(1, "t", read_only=False)
    run = play([calling("t", "t"), "done"], [tool], answers=[interrupt])
    assert (run.stop_reason, run.results[0].content) == ("cancelled", "interrupted from the keyboard")
    assert run.results[1].error_type == "cancelled_before_start"
