import asyncio

import pytest

from cellwright.views.todo_list import Todo

from ..scene import agent_of, calling, kinds_of, play

LIST = [{"content": "look", "status": "completed"}, {"content": "mend", "status": "in_progress"}]


def listed(run):
    return [(item["content"], item["status"]) for item in run.results[-1].value["items"]]


def test_the_list_is_kept_and_shown_without_a_question(tmp_path):
    run = play([calling(("todo", {"items": LIST})), "done"], "all", cwd=tmp_path)
    (result,) = run.results
    assert (result.content, result.value["done"]) == ("1 of 2 done\n[x] look\n[>] mend", 1)
    assert result.view == run.todo.now == Todo((("look", "completed"), ("mend", "in_progress")))
    assert kinds_of(run, "question") == []


def test_each_list_takes_the_place_of_the_one_before_in_the_order_of_the_calls(tmp_path):
    second = [{"content": "tell", "status": "pending"}]
    calls = [("todo", {"items": LIST}), ("todo", {"items": second}), ("todo", {})]
    run = play([calling(*calls), "done"], "all", cwd=tmp_path)
    assert [result.ok for result in run.results] == [True] * 3
    assert listed(run) == [("tell", "pending")]


def test_an_empty_list_clears_it(tmp_path):
    run = play([calling(("todo", {"items": LIST})), calling(("todo", {"items": []})), "done"], "all", cwd=tmp_path)
    assert (listed(run), run.results[-1].content) == ([], "nothing is on the list")


@pytest.mark.parametrize(
    "items",
    [
        [{"content": "a", "status": "in_progress"}, {"content": "b", "status": "in_progress"}],
        [{"content": "a", "status": "pending"}, {"content": "a", "status": "pending"}],
        [{"content": "a", "status": "doing"}],
        [{"content": "", "status": "pending"}],
        [{"content": "a"}],
        [{"content": f"{n}", "status": "pending"} for n in range(101)],
        "look",
    ],
)
def test_a_list_that_is_wrong_changes_nothing(tmp_path, items):
    run = play([calling(("todo", {"items": LIST})), calling(("todo", {"items": items})), "done"], "all", cwd=tmp_path)
    assert run.results[-1].error_type == "invalid_arguments"
    assert run.todo.now.done == 1


def test_a_run_that_goes_on_has_the_list_of_the_one_before(tmp_path):
    async def both():
        agent = agent_of([calling(("todo", {"items": LIST})), "one", calling(("todo", {})), "two"], "all", cwd=tmp_path)
        first = await agent.run("go")
        return await agent.run("on", after=first)

    assert listed(asyncio.run(both())) == [("look", "completed"), ("mend", "in_progress")]


def test_a_sub_agent_has_a_list_of_its_own(tmp_path):
    theirs = ("todo", {"items": [{"content": "theirs", "status": "pending"}]})
    give = ("agent", {"task": "t", "prompt": "p"})
    turns = [calling(("todo", {"items": LIST})), calling(give), calling(theirs), "found", "done"]
    run = play(turns, "all", cwd=tmp_path)
    assert run.todo.now.items[0][0] == "look"
    assert run.children[0].todo.now.items == (("theirs", "pending"),)


def test_the_list_can_be_written_in_plan_mode(tmp_path):
    run = play([calling(("todo", {"items": LIST})), "done"], "all", cwd=tmp_path, policy="plan")
    assert run.results[0].ok
