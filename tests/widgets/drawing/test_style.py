import re

from cellwright_widgets.drawing.style import CONTROLS, QUESTIONS, style

ALL = style(CONTROLS, QUESTIONS, "inspector.css", "panel.css", "travel.css", "chat.css")


def test_every_rule_is_bound_to_our_class():
    plain = re.sub(r"/\*.*?\*/", "", ALL, flags=re.DOTALL)
    selectors = re.findall(r"(?:^|[{}])\s*([^{}@]+?)\s*(?=\{)", plain)
    assert len(selectors) > 80
    loose = [selector for selector in selectors if ".cw" not in selector and selector not in ("50%",)]
    assert loose == []


def test_it_loads_nothing():
    assert not re.search(r"url\(|@import|https?:|expression\(|</", ALL)
