from ..chatting import in_panel, said, shown, widgets_of


def test_a_run_is_folded_into_its_record_when_the_next_begins(tmp_path):
    async def act(panel):
        await said(panel, "One.")
        live = panel.history.children[0].children[-1]
        before = "cw-past" in shown(panel.history)
        await said(panel, "Two.")
        return before, "cw-past" in shown(panel.history), live.comm

    assert in_panel(tmp_path, act, "1", "2") == (False, True, None)


def test_only_the_last_runs_keep_their_records_and_widgets_stay_few(tmp_path):
    async def act(panel):
        for number in range(12):
            await said(panel, f"{number}.")
        return shown(panel.history).count("All that happened"), len(list(widgets_of(panel.history)))

    records, widgets = in_panel(tmp_path, act, *"abcdefghijkl")
    assert records == 8
    assert widgets < 25


def test_an_empty_conversation_says_what_to_do(tmp_path):
    async def act(panel):
        return shown(panel.history)

    assert "Say what is to be done" in in_panel(tmp_path, act)
