import re

from cellwright_widgets.style import card_style, live_style


def test_every_rule_is_bound_to_our_class():
    plain = re.sub(r"/\*.*?\*/", "", live_style() + card_style(), flags=re.DOTALL)
    selectors = re.findall(r"(?:^|[{}])\s*([^{}@]+?)\s*(?=\{)", plain)
    assert len(selectors) > 80
    loose = [selector for selector in selectors if ".cw" not in selector and selector not in ("50%",)]
    assert loose == []


def test_it_loads_nothing():
    assert not re.search(r"url\(|@import|https?:|expression\(|</", live_style() + card_style())
