import pytest

from cellwright import UsageError
from cellwright.permission.bypass import FIRST, SECOND, BypassConsent
from cellwright_widgets.chat.mode_choice import MODES, ModeChoice


@pytest.fixture
def switched():
    return []


@pytest.fixture
def choice(switched):
    def act(press):
        try:
            press()
        except UsageError as error:
            switched.append(str(error))

    return ModeChoice("default", act, lambda *to: switched.append(to))


def test_a_mode_that_is_chosen_is_switched_to(choice, switched):
    choice.choice.value = MODES.index("plan")
    assert (switched, choice.mode) == ([("plan", None)], "plan")


def test_choosing_bypass_only_opens_the_door(choice, switched):
    choice.choice.value = MODES.index("bypass")
    assert (switched, choice.mode, choice.door.layout.display) == ([], "default", "")
    choice.leave.click()
    assert (choice.choice.value, choice.door.layout.display) == (MODES.index("default"), "none")


def test_bypass_takes_both_sentences_word_for_word(choice, switched):
    choice.choice.value = MODES.index("bypass")
    choice.texts[0].value = FIRST
    choice.enter.click()
    assert switched == ["mode bypass was not entered: '' is not 'I can lose what it changes'"]
    choice.texts[1].value = SECOND
    choice.enter.click()
    assert switched[1:] == [("bypass", BypassConsent(FIRST, SECOND))]
    assert [text.value for text in choice.texts] == ["", ""]


def test_a_mode_that_was_switched_elsewhere_is_shown(choice, switched):
    choice.show("accept_edits")
    assert (choice.choice.value, switched) == (MODES.index("accept_edits"), [])
