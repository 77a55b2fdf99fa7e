"""The chat panel in a real JupyterLab: written in, answered, steered, stopped, gone on from."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from .axe import grave_faults
from .driver import LabPage, LabServer
from .scene import SET_UP, attack
from .test_views import acting_parts

PANEL = f"""
import os
import cellwright
from cellwright_widgets.chat.chat_panel import ChatPanel
bad = {attack("chat")!r}
write = Turn("I write it down.", [("write_file", {{"path": "note.txt", "content": "Oslo 21.5"}})])
slow = " ".join(f"word{{number}}" for number in range(80))
heard = lambda conversation: f"I heard: {{conversation[-1].text}}"
turns = [write, "It is **written**.", slow, heard, slow * 20, slow * 20, "Going on."]
agent = Agent(ScriptedModel(turns, pace=0.03), tools=["write_file", "read_file"])
foreign = ".cellwright/sessions/<img src onerror=window.X_name=1> \u202e.jsonl"
os.makedirs(".cellwright/sessions")
await cellwright.Agent(ScriptedModel([Turn(bad, [(bad, {{}})]), bad]), [], log=foreign).run(bad)
panel = ChatPanel(agent, models=("scripted:tour", bad))
panel
"""
STOP_SOON = "import asyncio\nasyncio.get_running_loop().call_later(1.5, panel.run_controls.stop.click);"


@pytest.fixture(scope="module")
def chat(lab_server: LabServer, chromium: Browser) -> Iterator[LabPage]:
    """A page with a panel in it."""
    with LabPage(lab_server, chromium, (1400, 1000)) as page:
        page.open(lab_server.write_notebook("chat/chat.ipynb", [SET_UP, PANEL, STOP_SOON]))
        page.run_cell(0)
        page.wait_output(0, "set up")
        page.run_cell(1)
        box(page).wait_for()
        yield page


def box(page: LabPage):
    return page.page.locator(".cw-prompt-text")


def say(page: LabPage, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")


def shots(page: LabPage, name: str) -> None:
    for width in (1400, 700):
        page.page.set_viewport_size({"width": width, "height": 1000})
        page.page.locator(".cw-chat").scroll_into_view_if_needed()
        page.screenshot(f"chat-{name}-{width}")
    page.page.set_viewport_size({"width": 1400, "height": 1000})


def test_a_message_is_sent_by_enter_and_its_question_is_answered_in_the_panel(chat: LabPage):
    say(chat, "Write it down.")
    chat.button("Allow once").wait_for()
    shots(chat, "asks")
    chat.click_button("Allow once")
    chat.wait_output(1, "The model answered.")
    expect(box(chat)).to_have_value("")
    assert (chat.server.root / "chat" / "note.txt").read_text() == "Oslo 21.5"


def test_the_mode_is_chosen_by_arrow_keys(chat: LabPage):
    choice = chat.page.locator(".cw-chat-head select").first
    for key, mode in (("ArrowDown", "plan"), ("ArrowDown", "accept_edits"), ("Home", "default")):
        choice.press(key)
        chat.wait_output(1, f"Mode {mode} holds from the next call on.")
        expect(choice).to_be_focused()
    assert grave_faults(chat, ".cw-chat") == []


def test_what_is_written_meanwhile_steers_the_run(chat: LabPage):
    say(chat, "Speak.")
    chat.wait_output(1, "word5")
    box(chat).press("x")
    box(chat).press("Shift+Enter")
    say(chat, "Shorter.")
    chat.wait_output(1, "I heard: Shorter.")
    chat.wait_output(1, "The model answered.")
    shots(chat, "steered")


def test_a_run_survives_a_reload_of_the_page_with_what_was_typed_and_is_stopped(chat: LabPage):
    say(chat, "Speak long.")
    chat.wait_output(1, "word9")
    box(chat).fill("half a sen")
    chat.wait_until(lambda: "steer" in chat.output_text(1).lower(), "the box to say so")
    box(chat).blur()
    chat.page.wait_for_timeout(500)
    chat.reload()
    expect(box(chat)).to_have_value("half a sen")
    chat.wait_output(1, "word9")
    chat.click_button("Stop")
    chat.wait_output(1, "Stopped before the end.")
    box(chat).fill("")


def test_what_is_typed_while_a_text_comes_back_into_the_box_is_kept(chat: LabPage):
    say(chat, "Speak on.")
    chat.wait_output(1, "A run is going on")
    say(chat, "Shorter.")
    chat.wait_output(1, "before its next turn")
    chat.run_cell(2)
    box(chat).click()
    typed = "all of this is typed without a pause"
    box(chat).press_sequentially(typed, delay=100)
    chat.wait_output(1, "it is back in the box")
    expect(box(chat)).to_have_value(f"Shorter.\n\n{typed}")
    box(chat).fill("")


def test_a_script_presses_and_chooses_nothing_and_no_hostile_name_acts(chat: LabPage):
    chat.page.evaluate("""() => { const s = document.querySelector(".cw-chat-head select"); s.selectedIndex = 4;
        s.dispatchEvent(new Event("change", { bubbles: true }));
        document.querySelectorAll(".cw-chat-head button").forEach((button) => button.click()); }""")
    chat.page.wait_for_timeout(300)
    assert "Mode bypass asks nothing" not in chat.output_text(1)
    assert chat.page.evaluate("Object.keys(window).filter((name) => name.startsWith('X_'))") == []
    assert (chat.page_errors, chat.outside_requests) == ([], [])


def test_a_session_is_opened_and_resumed_and_nothing_hostile_acts(chat: LabPage):
    chat.click_button("New chat")
    chat.wait_output(1, "A new conversation.")
    chat.click_button("Sessions")
    listed = chat.page.locator(".cw-chat-part select:visible").first
    listed.locator("option", has_text="X_name").wait_for(state="attached")
    for key, name in (("End", "<img"), ("Home", "20")):  # the one from elsewhere, then that of this panel
        listed.press(key)
        for act, sign in (("Fork at a step…", "Fork here"), ("Open", "Back to the chat")):
            chat.click_button(act)
            chat.button(sign).wait_for()
            assert acting_parts(chat, ".cw-chat") == []
        chat.page.locator(".cw-chat-opened", has_text=f"Read only: {name}").wait_for()
        shots(chat, f"opened-{key.lower()}")
        chat.click_button("Back to the chat")
        chat.click_button("Sessions")
    chat.click_button("Resume")
    chat.wait_output(1, "Going on from")
    say(chat, "Go on.")
    chat.wait_output(1, "Going on.")
    assert (chat.page_errors, chat.outside_requests) == ([], [])


def test_a_panel_of_a_kernel_that_is_gone_can_not_be_pressed_and_says_so(chat: LabPage):
    box(chat).fill("still here")
    chat.restart()
    chat.wait_output(1, "nothing here is active any more")
    expect(chat.page.locator(".cw-chat :is(button, select):enabled")).to_have_count(0)
    assert box(chat).input_value() == "still here"
    shots(chat, "gone")
