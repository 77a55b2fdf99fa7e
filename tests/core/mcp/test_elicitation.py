"""What a server asks the person, by real servers: one of the SDK, in the newest protocol, and one in an older one."""

import asyncio
import json

import pytest

from cellwright import ScriptedApprover
from cellwright.person.approval import DenyAll
from cellwright.views.inquiry import NoReply, Reply

from ..scene import kinds_of
from .scene import called, connected, rough, small, with_server

FORM = {
    "type": "object",
    "properties": {
        "branch": {"type": "string", "title": "Which branch?", "enum": ["main", "next"], "enumNames": ["Main", "Next"]},
        "count": {"type": "integer", "description": "How often", "minimum": 1, "maximum": 9},
        "note": {"type": "string", "default": "none"},
    },
    "required": ["branch", "count"],
}
ASKED = {"message": "Where\u202e to?", "requestedSchema": FORM}
NO_ANSWER = NoReply("the person gave no answer", declined=True)
MISTAKEN = [Reply(("Main",)), Reply(text="many"), Reply(text="12"), Reply(text="3"), NO_ANSWER]


def of_sdk(params, **more):
    return "ask", {"kind": "url" if "url" in params else "form", "params": params, **more}


def of_older(params, **more):
    mode = {"mode": "url", "elicitationId": "e1"} if "url" in params else {}
    return "ask", {"method": "elicitation/create", "params": {**params, **mode}, **more}


def answered(folder, how, *calls, **conditions):
    """The answers that the server got, and the run that asked for them."""
    conditions.setdefault("approver", ScriptedApprover(replies=conditions.pop("replies", ())))
    server, call = (small, of_sdk) if how == "sdk" else (rough, of_older)

    async def scene(server, registry):
        return await called(registry, *(call(params) for params in calls), cwd=folder, **conditions)

    run = with_server(server(folder), scene)
    found = [json.loads(result.content) for result in run.results if result.ok]
    facts = found if how == "sdk" else [[each["result"]["action"], each["result"].get("content")] for each in found]
    return [(fact[0], fact[1]) for fact in facts], run


@pytest.mark.parametrize("how", ["sdk", "older"])
def test_a_form_is_asked_field_by_field_and_what_can_not_be_is_asked_again(tmp_path, how):
    approver = ScriptedApprover(replies=MISTAKEN)
    found, run = answered(tmp_path, how, ASKED, approver=approver)
    assert found == [("accept", {"branch": "main", "count": 3, "note": "none"})]
    first, second, third = (inquiry.question for inquiry in approver.inquiries[:3])
    assert first.startswith("The MCP server it asks, and gets what you answer:\nWhere")
    assert first.endswith("Which branch?")
    assert second.endswith("count: How often (a whole number, from 1, to 9)")
    assert third == second + '\n\nThat can\'t be it: count must be an integer, got string "many".'
    assert approver.inquiries[0].labels == ("Main", "Next")
    assert [len(kinds_of(run, kind)) for kind in ("question", "answer", "result")] == [5, 5, 1]


@pytest.mark.parametrize("how", ["sdk", "older"])
def test_who_does_not_answer_declines_and_where_nobody_is_the_question_is_cancelled(tmp_path, how):
    empty = {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}}
    replies = [Reply(("Yes",)), Reply(("No",)), NO_ANSWER, Reply(("Next",)), NO_ANSWER]
    found, _ = answered(tmp_path, how, empty, empty, ASKED, ASKED, replies=replies)
    assert found == [("accept", {}), ("decline", None), ("decline", None), ("decline", None)]
    for nobody in ({"approver": DenyAll()}, {"replies": ()}):
        assert answered(tmp_path, "older", ASKED, empty, **nobody)[0] == [("cancel", None)] * 2


def test_an_address_is_shown_whole_and_opened_by_the_person(tmp_path):
    approver = ScriptedApprover(replies=[Reply(("I open it",)), Reply(("No",)), Reply(text="sure, why not")])
    wanted = {"message": "Sign in", "url": "https://git.example/login?state=1"}
    found, _ = answered(tmp_path, "older", wanted, wanted, wanted, approver=approver)
    assert [action for action, _ in found] == ["accept", "decline", "decline"]
    assert approver.inquiries[0].question.endswith("at git.example:\nhttps://git.example/login?state=1")


def nested(**facts):
    return {"message": "x", "requestedSchema": {"type": "object", "properties": {"a": facts}}}


HOSTILE = [
    nested(type="object", properties={}),
    nested(type=["string", "null"]),
    nested(type="array", items={"type": "string"}),
    nested(type="string", enum=[str(number) for number in range(500)]),
    nested(type="string", enum=["same", "same"]),
    nested(type="string", description="x" * 50_000),
    {"message": "x", "requestedSchema": {"type": "object", "properties": {f"a{n}": {} for n in range(50)}}},
    {"message": "x", "url": "javascript:alert(1)"},
    {"message": "x", "url": "file:///etc/passwd"},
    {"message": "x", "url": "https://x/" + "a" * 10_000},
    {"message": "x", "url": "https://evil.example\\@github.com/login"},
    {"message": "x", "url": "https://evil.example\\.github.com/login"},
    {"message": "x", "url": "https://github.com\n@evil.example/"},
    {"message": "x", "url": "https://git\thub.com/"},
    {"message": "x", "url": "https://github.com@evil.example/"},
]


def test_what_no_person_can_be_asked_is_an_error_for_the_call_and_so_is_what_has_no_end(tmp_path):
    approver = ScriptedApprover(replies=[Reply(("Yes",))] * 50)
    empty = {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}}
    others = ("ask", {"kind": "sampling"}), of_sdk(empty, again=True), ("echo", {"text": "on"})

    async def scene(server, registry):
        run = await called(registry, *map(of_sdk, HOSTILE), *others, approver=approver, cwd=tmp_path)
        return run.results, server.state

    results, state = with_server(small(tmp_path), scene)
    *hostile, sampling, endless, echo = results
    assert {result.metadata.get("code") for result in results} == {"needs_input", None}
    assert all("it can't be asked: " in result.content for result in hostile)
    assert "the server wants sampling/createMessage first, which is given to no server here" in sampling.content
    assert endless.content.endswith("ask asked the person 10 times, and still has no result")
    assert (echo.content, state, len(approver.inquiries)) == ("on", "connected", 10)


def test_models_and_folders_are_lent_to_no_server_and_not_announced(tmp_path):
    async def scene(server, registry):
        asks = ("ask", {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 5}})
        return await called(registry, asks, ("ask", {"method": "roots/list", "params": {}}), ("able", {}), cwd=tmp_path)

    sampling, roots, able = (json.loads(result.content) for result in with_server(rough(tmp_path), scene).results)
    assert "Sampling not supported" in sampling["error"]["message"]
    assert "List roots not supported" in roots["error"]["message"]
    assert able == {"elicitation": {"form": {}, "url": {}}}


class Slow:
    """A person who is still thinking."""

    def __init__(self):
        self.asked, self.left = asyncio.Event(), False

    async def ask(self, question):
        raise AssertionError("nothing needs approval here")

    async def reply(self, inquiry):
        self.asked.set()
        try:
            await asyncio.sleep(0.3)
        except asyncio.CancelledError:
            self.left = True
            raise
        return Reply(("Yes",))


def test_the_time_in_which_the_person_thinks_is_not_the_call_s(tmp_path):
    empty = {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}}

    async def scene(server, registry):
        return await called(registry, of_older(empty), approver=Slow(), cwd=tmp_path)

    (result,) = with_server(rough(tmp_path, timeout=0.2), scene).results
    assert json.loads(result.content)["result"] == {"action": "accept", "content": {}}


def test_a_run_that_is_stopped_takes_its_question_back_and_one_without_a_call_is_declined(tmp_path):
    empty = {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}}
    person = Slow()

    async def stop(run):
        await person.asked.wait()
        run.cancel()

    async def scene(server, registry):
        run = await called(registry, of_older(empty), approver=person, meanwhile=stop, cwd=tmp_path)
        over = await called(registry, of_older(empty, unasked=True), ("echo", {}), approver=DenyAll(), cwd=tmp_path)
        await connected(server)
        return run, over

    run, over = with_server(rough(tmp_path), scene)
    assert (run.results[0].error_type, person.left) == ("cancelled", True)
    assert [result.ok for result in over.results] == [True, True]
    assert json.loads((tmp_path / "heard").read_text())["result"]["action"] == "cancel"
