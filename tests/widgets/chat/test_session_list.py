from ..chatting import WRITE, button, in_panel, said, shown, until


async def chosen(panel, press):
    await said(panel, "One.")
    await panel.sessions.refresh()
    getattr(panel.sessions, press).click()


def test_a_session_is_opened_to_read_and_left_again(tmp_path):
    async def act(panel):
        await chosen(panel, "open")
        await until(lambda: panel.history.is_elsewhere)
        opened = "Read only" in shown(panel)
        panel.back.click()
        return opened, panel.history.is_elsewhere

    assert in_panel(tmp_path, act, "1") == (True, False)


def test_a_session_is_written_as_a_notebook_and_as_a_page(tmp_path):
    async def act(panel):
        await chosen(panel, "as_notebook")
        await until(lambda: "Written" in shown(panel) and ".ipynb" in shown(panel))
        panel.sessions.as_page.click()
        await until(lambda: ".html" in shown(panel))

    in_panel(tmp_path, act, "1")
    assert sorted(path.suffix for path in tmp_path.glob("session-*")) == [".html", ".ipynb"]


def test_where_none_is_chosen_it_is_said(tmp_path):
    async def act(panel):
        await panel.sessions.refresh()
        panel.sessions.open.click()
        await until(lambda: "no session is chosen" in shown(panel))

    in_panel(tmp_path, act)


def test_a_session_that_a_run_writes_is_not_gone_on_from(tmp_path):
    async def act(panel):
        panel.say("One.")
        await until(lambda: button(panel, "Deny"))
        await panel.sessions.refresh()
        panel.sessions.resume.click()
        await until(lambda: "going on here" in shown(panel))
        button(panel, "Deny").click()
        await until(lambda: panel.chat.run.is_done)

    in_panel(tmp_path, act, WRITE, "Done.")


def test_each_step_is_offered_with_what_was_done_in_it(tmp_path):
    async def act(panel):
        await said(panel, "One.")
        await said(panel, "Two.")
        await panel.sessions.refresh()
        panel.sessions.fork.click()
        await until(lambda: len(panel.sessions.widget.children[2].children) == 2)

        return [label for label, _ in panel.sessions.widget.children[2].children[0].options]

    labels = in_panel(tmp_path, act, "first words", "then others")
    assert [label.partition(" · ")[2] for label in labels] == ["step 1: first words", "step 1: then others"]
