"""A chat panel outside of a kernel, and what a person does with it."""

import asyncio

import ipywidgets

from cellwright import Agent, ScriptedModel, Turn
from cellwright_widgets.chat.chat_panel import ChatPanel

WRITE = Turn("I write.", [("write_file", {"path": "note.txt", "content": "hello\n"})])


def agent_of(folder, *turns, **options):
    return Agent(ScriptedModel(turns), options.pop("tools", ["write_file", "read_file"]), cwd=folder, **options)


def in_panel(folder, act, *turns, **options):
    """What `act`, which is awaited with a panel of such an agent, gives."""

    async def whole():
        names = options.pop("models", ())
        return await act(ChatPanel(agent_of(folder, *turns, **options), models=names))

    return asyncio.run(whole())


async def until(condition):
    """Lets everything go on until that holds."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


async def said(panel, text):
    """The run that a text begins, once it has ended; the panel knows of its end."""
    before = panel.chat.run
    panel.say(text)
    await until(lambda: panel.chat.run is not before and panel.chat.run.is_done and not panel.prompt.going)
    return panel.chat.run


def widgets_of(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widgets_of(child)


def button(panel, text):
    """The button with this text, on a card or in the panel."""
    found = [one for one in widgets_of(panel) if isinstance(one, ipywidgets.Button) and one.description == text]
    return found[-1] if found else None


def shown(panel):
    """All that is drawn."""
    return "".join(one.value for one in widgets_of(panel) if isinstance(one, ipywidgets.HTML))
