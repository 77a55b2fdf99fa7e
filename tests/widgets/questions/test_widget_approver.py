import asyncio
import contextlib
import threading

import ipywidgets
import pytest

from cellwright.person.approval import Allow, Deny, Unavailable
from cellwright.views.inquiry import Inquiry, NoReply, Reply
from cellwright_widgets.questions.widget_approver import WidgetApprover

from ..question_scene import question


def approver(watched: bool = True, **limits: float) -> WidgetApprover:
    return WidgetApprover(ipywidgets.VBox(), lambda: watched, **limits)


async def asked(asker: WidgetApprover, act) -> object:
    task = asyncio.create_task(asker.ask(question()))
    await asyncio.sleep(0.01)
    act(asker, task)
    return await task


def test_the_click_is_the_answer_and_the_card_goes():
    asker = approver()
    assert asyncio.run(asked(asker, lambda a, _: a.cards[0].allow.click())) == Allow()
    assert asker.container.children == ()


def test_a_click_in_another_thread_arrives():
    def act(asker, _):
        threading.Thread(target=asker.cards[0].deny.click).start()

    assert asyncio.run(asked(approver(), act)) == Deny()


def test_without_a_front_end_the_wait_ends():
    answer = asyncio.run(asked(approver(watched=False, patience=0.1), lambda *_: None))
    assert answer == Unavailable("no front end has shown the question within 0.1 seconds")


def test_a_person_who_says_nothing_is_not_a_no():
    asker = approver(timeout=0.1)
    assert asyncio.run(asked(asker, lambda *_: None)) == Unavailable("nobody answered within 0.1 seconds")
    assert "nobody answered" in asker.cards[0].status.value


def test_a_cancelled_question_closes_its_card():
    asker = approver()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asked(asker, lambda _, task: task.cancel()))
    assert not asker.cards[0].is_open


def test_two_cards_answer_each_their_own_call():
    async def both():
        asker = approver()
        tasks = [asyncio.create_task(asker.ask(question(call_id=name))) for name in ("t1", "t2")]
        await asyncio.sleep(0.01)
        first, second = asker.cards
        second.allow.click()
        first.deny.click()
        return await asyncio.gather(*tasks)

    assert asyncio.run(both()) == [Deny(), Allow()]


def test_a_card_of_an_earlier_run_answers_nothing_now():
    asker, old = approver(), []
    asyncio.run(asked(asker, lambda a, _: (old.append(a.cards[0]), a.cards[0].deny.click())))

    def act(asker, task):
        old[0].allow.click()
        assert not task.done()
        asker.cards[0].deny.click()

    assert asyncio.run(asked(asker, act)) == Deny()


def test_the_question_is_told_when_it_is_shown():
    asker, told = approver(), []
    asker.on_question = told.append
    asyncio.run(asked(asker, lambda a, _: a.cards[0].allow.click()))
    assert [each.tool for each in told] == ["run_command"]


@pytest.mark.parametrize("act", [lambda a, _: a.cards[0].allow.click(), lambda _, task: task.cancel()])
def test_it_is_told_when_a_question_begins_and_when_it_no_longer_waits(act):
    asker, told = approver(), []
    asker.on_question = lambda _: told.append("asked")
    asker.on_settled = lambda: told.append("settled")
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(asked(asker, act))
    assert told == ["asked", "settled"]


def inquired(act, **facts):
    """What comes of a tool's question on which something is done."""

    async def go():
        asker = approver(**facts)
        task = asyncio.create_task(asker.reply(Inquiry.of("Which?", [("red", ""), ("blue", "")])))
        await asyncio.sleep(0.01)
        act(asker, task)
        return await task, asker

    return asyncio.run(go())


def test_a_tools_question_is_answered_by_a_click_on_a_choice():
    said, asker = inquired(lambda a, _: a.cards[0].choices[1].click())
    assert (said, asker.container.children) == (Reply(("blue",)), ())


def test_a_tools_question_that_nobody_sees_is_given_up():
    said, asker = inquired(lambda *_: None, watched=False, patience=0.1)
    assert said == NoReply("no front end has shown the question within 0.1 seconds")
    assert not asker.cards[0].is_open


def test_a_tools_question_that_is_cancelled_closes_its_card():
    cards = []
    with pytest.raises(asyncio.CancelledError):
        inquired(lambda asker, task: (cards.extend(asker.cards), task.cancel()))
    assert not cards[0].is_open


def test_a_card_is_told_what_waits_behind_it():
    async def waiting():
        return (question(call_id="c2"),)

    async def both():
        asker = approver()
        task = asyncio.create_task(asker.ask(question(waiting=waiting)))
        await asyncio.sleep(0.01)
        card = asker.cards[0]
        listed = [each.call_id for each in card.turn.listed]
        card.deny.click()
        return listed, await task

    assert asyncio.run(both()) == (["c2"], Deny())
