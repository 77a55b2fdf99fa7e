"""The script of a widget is put together from files: what one of them uses has to be in it."""

import importlib
import re

import pytest

from .source import ROOT

PACKAGE = ROOT / "widgets" / "cellwright_widgets"
SCRIPTED = sorted(
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if re.search(r"^SCRIPTS = ", path.read_text("utf-8"), re.M)
)
OFFERS = re.compile(r"^(?:async )?(?:function\*?|class) (\w+)", re.M)


@pytest.mark.parametrize("module", SCRIPTED)
def test_what_a_script_uses_of_another_file_is_in_it(module):
    names = importlib.import_module(f"cellwright_widgets.{module}").SCRIPTS
    script = "\n".join((PACKAGE / "static" / name).read_text("utf-8") for name in names)
    offered = {name for path in (PACKAGE / "static").glob("*.js") for name in OFFERS.findall(path.read_text("utf-8"))}
    used = offered & set(re.findall(r"(?<![.\w])(\w+)\(", script))
    assert used - set(re.findall(r"\b(?:function\*?|class|const|let) (\w+)", script)) == set()
