import asyncio

import pytest

from cellwright.errors import ToolError
from cellwright.web.resolver import ScriptedResolver, SystemResolver


def test_the_system_knows_this_machine():
    found = asyncio.run(SystemResolver().addresses("localhost"))
    assert set(found) & {"127.0.0.1", "::1"}
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("host", ["name.invalid", "a" * 70 + ".example"])
def test_a_name_without_an_address_is_told(host):
    with pytest.raises(ToolError) as caught:
        asyncio.run(SystemResolver().addresses(host))
    assert (caught.value.code, host in caught.value.message) == ("not_resolved", True)


def test_a_script_answers_in_order_and_keeps_what_was_asked():
    resolver = ScriptedResolver({"a.test": [["1.1.1.1"], ["2.2.2.2"]]})
    answers = [asyncio.run(resolver.addresses("a.test")) for _ in range(3)]
    assert (answers, resolver.asked) == ([["1.1.1.1"], ["2.2.2.2"], ["2.2.2.2"]], ["a.test"] * 3)
    with pytest.raises(ToolError, match="check the name"):
        asyncio.run(resolver.addresses("b.test"))
