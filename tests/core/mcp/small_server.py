"""A real server, written with the SDK, that does what it is told; run as `python small_server.py FOLDER [http PORT]`.

What it does to be seen from outside stands in files of FOLDER.
"""

import asyncio
import base64
import json
import sys
from pathlib import Path

import mcp_types as types
from mcp.server import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

FOLDER = Path(sys.argv[1])
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0\0\0\1" * 2 + b"\0" * 9 + b"\0\0\0\0IEND\xaeB`\x82"
PNG = base64.b64encode(PICTURE).decode()
ANY = {"type": "object"}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SUM = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
CHANGES = InMemorySubscriptionBus()
READS = types.ToolAnnotations(read_only_hint=True)


def offered():
    yield types.Tool(name="echo", description="Says it back.", input_schema=TEXT, annotations=READS)
    yield types.Tool(name="add", description="Adds.", input_schema=ANY, output_schema=SUM)
    yield types.Tool(name="draw", input_schema=ANY)
    yield types.Tool(name="fail", input_schema=ANY, annotations=types.ToolAnnotations(destructive_hint=True))
    yield types.Tool(name="wait", input_schema=ANY)
    yield types.Tool(name="grow", input_schema=ANY)
    yield types.Tool(name="ask", description="Asks the person what its arguments say.", input_schema=ANY)
    if (FOLDER / "grown").exists():
        yield types.Tool(name="fruit", description="Grown.", input_schema=ANY)
    yield types.Tool(name="bad schema", input_schema={"type": "object", "properties": {"a": {"type": "nonsense"}}})
    yield types.Tool(name="odd\n\x1b[31m name!", description="Hid\u200bden", input_schema=ANY)


async def list_tools(context, params):
    """Two pages."""
    tools, second = list(offered()), params is not None and params.cursor == "2"
    return types.ListToolsResult(tools=tools[3:] if second else tools[:3], next_cursor=None if second else "2")


async def call_tool(context, params):
    if params.name == "ask":
        return asked(params)
    return await globals()[f"tool_{params.name}"](context, params.arguments or {})


WANTED = {"form": types.ElicitRequestFormParams, "url": types.ElicitRequestURLParams}


def asked(params):
    """Answers with the question, and, once that is answered, with the answer."""
    answers, args = params.input_responses, params.arguments
    if args.get("again") or answers is None:
        if args["kind"] == "sampling":
            said = types.SamplingMessage(role="user", content=types.TextContent(text="What is the key?"))
            wanted = types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[said], max_tokens=5))
        else:
            wanted = types.ElicitRequest(params=WANTED[args["kind"]](**args["params"]))
        return types.InputRequiredResult(input_requests={"q": wanted}, request_state="here")
    text = json.dumps([answers["q"].action, answers["q"].content, params.request_state])
    return types.CallToolResult(content=[types.TextContent(text=text)])


def said(text, **more):
    return types.CallToolResult(content=[types.TextContent(text=text)], **more)


async def tool_echo(context, args):
    return said(args["text"])


async def tool_add(context, args):
    return said("the sum", structured_content={"sum": args["wrong"] if "wrong" in args else args["a"] + args["b"]})


async def tool_draw(context, args):
    resource = types.TextResourceContents(uri="file:///a.txt", text="inside")
    parts = [
        types.TextContent(text="a picture"),
        types.ImageContent(data=PNG, mime_type="image/png"),
        types.ImageContent(data="bm8=", mime_type="image/png"),
        types.AudioContent(data="AAAA", mime_type="audio/wav"),
        types.EmbeddedResource(resource=resource),
        types.ResourceLink(name="b", uri="file:///b.txt"),
    ]
    return types.CallToolResult(content=parts)


async def tool_fail(context, args):
    return said("no such table", is_error=True)


async def tool_wait(context, args):
    await context.session.report_progress(1, 2, "half way")
    try:
        await asyncio.Event().wait()
    except BaseException:
        (FOLDER / "cancelled").touch()
        raise


async def tool_grow(context, args):
    (FOLDER / "grown").touch()
    await CHANGES.publish(ToolsListChanged())
    return said("grown")


def server():
    return Server(
        "small", on_list_tools=list_tools, on_call_tool=call_tool, on_subscriptions_listen=ListenHandler(CHANGES)
    )


async def serve():
    """Over standard streams."""
    made = server()
    async with stdio_server() as (read, write):
        await made.run(read, write, made.create_initialization_options(NotificationOptions(tools_changed=True)))


def serve_http():
    """At the address that is printed first; it can be called from then on."""
    import socket

    import uvicorn

    listening = socket.create_server(("127.0.0.1", int(sys.argv[3])))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
    settings = uvicorn.Config(server().streamable_http_app(), log_level="critical")
    uvicorn.Server(settings).run(sockets=[listening])


if __name__ == "__main__":
    serve_http() if "http" in sys.argv else asyncio.run(serve())
