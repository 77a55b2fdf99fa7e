import ipywidgets
import pytest

from cellwright.permission.grant import SCOPES, Grant
from cellwright.permission.offers import Offer
from cellwright_widgets.questions.grant_choice import GrantChoice

from ..page import HOSTILE, Page, assert_harmless
from ..question_scene import question


def make(text, tone, pressed):
    button = ipywidgets.Button(description=text, button_style=tone)
    button.on_click(lambda _: pressed())
    return button


def grant_choice(answer=lambda grant: None, **facts):
    return GrantChoice(question(**facts), make, make("Back", "", lambda: None), answer)


def chosen(*rules):
    answers = []
    offers = tuple(Offer(f"offer of {rule}", (rule,)) for rule in rules)
    return grant_choice(answers.append, offers=offers, scopes=SCOPES), answers


def test_each_button_grants_the_rule_of_its_row_for_what_it_says():
    choice, answers = chosen("a", "b(c)")
    for (place, scope), button in choice.buttons.items():
        assert (button.description, ["a", "b(c)"][place] in button.tooltip) == (f"for the {scope}", True)
        button.click()
    assert answers == [Grant(scope, (rule,)) for rule in ("a", "b(c)") for scope in SCOPES]


def test_the_exact_text_of_the_rule_stands_in_its_row():
    choice, _ = chosen("a", "run_command(echo \\* 'x  y')")
    rows = [Page(row.children[0].value).text for row in choice.widget.children[1:-1]]
    assert ("run_command(echo \\* 'x  y')" in rows[1], "b(c)" in rows[0]) == (True, False)


@pytest.mark.parametrize("text", HOSTILE)
def test_rows_of_hostile_rules_are_harmless(text):
    choice = grant_choice(offers=(Offer(text, (text,)),), scopes=SCOPES)
    assert_harmless(Page(choice.widget.children[1].children[0].value))


def head_of(**facts) -> str:
    choice = grant_choice(offers=(Offer("this", ("a",)),), **facts)
    return Page(choice.widget.children[0].value).text


def test_where_a_rule_of_the_project_is_kept_is_told():
    assert ".cellwright/permissions.local.toml" in head_of(scopes=SCOPES)
    assert "permissions" not in head_of(scopes=("run", "session"))


def test_what_a_rule_must_be_like_for_what_can_not_be_undone_is_told():
    assert "names it exactly" in head_of(scopes=SCOPES, destructive=True)
    assert "exactly" not in head_of(scopes=SCOPES)
