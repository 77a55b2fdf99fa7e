"""`run_here`: what is asked and told, in a real kernel and outside of one."""

import pytest

from cellwright import Env
from cellwright.catalogue import load
from cellwright.tool import Tool
from cellwright.tools.run_here import PRICE, run_here
from cellwright.views.view import as_text

from ..own_kernel import parsed, prepare, results, started
from ..scene import calling, play


@pytest.fixture(scope="module")
def kernel():
    with started() as driver:
        yield prepare(driver)


def test_outside_of_a_kernel_it_is_not_offered_and_says_why(tmp_path):
    run = play([calling(("run_here", {"code": "1"})), "done"], [load("run_here")], cwd=tmp_path)
    assert run.results[0].error_type == "tool_not_allowed"
    assert "this is no kernel" in run.results[0].content


def test_the_question_shows_the_code_and_what_it_costs_and_it_is_asked_in_each_mode_that_asks(tmp_path):
    shown = as_text(run_here.present_call({"code": "print('ä')", "timeout": 5}, Env(tmp_path)))
    assert "print('ä')" in shown and PRICE in shown and "for 5 s at most" in shown
    assert isinstance(run_here, Tool) and run_here.check_permission({}, Env(tmp_path))[0] == "ask"
    assert run_here.trait("destructive", {}) and not run_here.trait("concurrency_safe", {})


def test_the_model_is_told_outputs_and_variables_and_the_person_sees_them(kernel):
    (result,) = results(kernel, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\nprint('rows'); df")
    assert result["content"].startswith("rows\n") and result["content"].endswith("kernel: df, pd]")
    assert result["value"]["variables"] == ["df", "pd"]
    assert "table" in str(result["view"]) and "ran in your kernel" in result["view"]["title"]


def test_a_failure_has_its_outputs_in_text_and_view(kernel):
    (result,) = results(kernel, "print('before'); undefined")
    assert (result["error_type"], result["metadata"]["code"]) == ("tool_error", "code_failed")
    assert "before" in result["content"] and "NameError: name 'undefined'" in result["content"]
    assert "before" in str(result["view"])


def test_a_flood_is_bounded_and_its_end_is_there(kernel):
    (result,) = results(kernel, "for n in range(20_000): print(n)")
    assert len(result["content"]) < 40_000 and result["content"].rstrip("]").find("19999") > 0


def test_many_variables_are_counted(kernel):
    (result,) = results(kernel, "for n in range(30): globals()[f'v{n}'] = n")
    assert "and 11 more" in result["content"]


def test_a_data_frame_as_its_value_is_a_table_of_which_the_kernel_has_the_other_rows(kernel):
    kernel.run("from cellwright.runs.company import Company\nfrom cellwright.views.shelf import ROOM, Shelf")
    kernel.run("shelf = Shelf(ROOM)")
    kernel.run("class Shelving(Agent):\n  def company(self, run): return Company(AllowAll(), shelf=shelf)")
    code = "import pandas as pd; pd.DataFrame({'n': range(3_000), 'half': 0.5})"
    model = f"ScriptedModel([Turn(calls=[('run_here', {{'code': {code!r}}})]), 'done'])"
    told = kernel.run(f"told(await Shelving({model}, ['run_here']).run('go'))")
    (table,) = parsed(told)[0]["view"]["views"]
    assert (table["kind"], table["total"], table["kinds"], len(table["rows"])) == (
        "table",
        3_000,
        ["integer", "number"],
        50,
    )
    assert kernel.run(f"print(shelf.page({table['source']!r}, 2_950).table.rows[-1])").stdout == "(2999, 0.5)\n"
