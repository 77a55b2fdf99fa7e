import ipywidgets

from cellwright_widgets.chat.chat_controls import ModelPicker, Opener

from ..chatting import WRITE, button, in_panel, until


def test_a_run_is_paused_taken_on_step_by_step_and_let_go(tmp_path):
    async def act(panel):
        panel.say("Write.")
        await until(lambda: button(panel, "Deny"))
        controls = panel.run_controls
        controls.pause.click()
        button(panel, "Deny").click()
        await until(lambda: controls.pause.description == "Continue" and not controls.step.disabled)
        controls.pause.click()
        await until(lambda: panel.chat.run.is_done and controls.widget.layout.display == "none")
        return panel.chat.run.answer

    assert in_panel(tmp_path, act, WRITE, "Done.") == "Done."


def test_one_part_is_open_at_a_time():
    opener, parts, opened = Opener(lambda act: act()), [ipywidgets.VBox(layout={"display": "none"}) for _ in "ab"], []
    buttons = [opener.add("open", "it", part, lambda: opened.append(1)) for part in parts]
    seen = []
    for place in (0, 1, 1):
        buttons[place].click()
        seen.append([part.layout.display for part in parts])
    assert seen == [["", "none"], ["none", ""], ["none", "none"]]
    assert len(opened) == 2


def test_the_own_model_of_the_agent_comes_first_and_each_name_once():
    picked = []
    picker = ModelPicker("own", ("a", "own", "a", "<b>\u202e"), lambda act: act(), picked.append)
    assert [label for label, _ in picker.choice.options][:2] == ["own", "a"]
    assert "\u202e" not in picker.choice.options[2][0]
    picker.choice.value = 2
    picker.choice.value = 0
    assert picked == ["<b>\u202e", ""]
