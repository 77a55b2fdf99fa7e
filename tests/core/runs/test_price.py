import sys

import pytest

from cellwright import UsageError
from cellwright.messages import Usage
from cellwright.runs.price import Price, known_cost


def test_a_price_is_for_a_million_tokens():
    assert Price(3, 15).cost(Usage(1_000_000, 100_000)) == pytest.approx(4.5)


def test_input_from_the_cache_has_its_own_price_or_that_of_other_input():
    usage = Usage(1_000_000, 0, cached_tokens=600_000)
    assert Price(3, 15).cost(usage) == pytest.approx(3)
    assert Price(3, 15, cached=0.5).cost(usage) == pytest.approx(0.4 * 3 + 0.6 * 0.5)


def test_input_that_is_written_to_the_cache_can_cost_more():
    usage = Usage(1_000_000, 0, cached_tokens=600_000, stored_tokens=100_000)
    assert Price(3, 15, cached=0.5, stored=4).cost(usage) == pytest.approx(0.3 * 3 + 0.6 * 0.5 + 0.1 * 4)
    assert Price(3, 15, cached=0.5).cost(usage) == pytest.approx(0.4 * 3 + 0.6 * 0.5)


def test_the_list_knows_what_writing_to_the_cache_costs():
    pytest.importorskip("genai_prices")
    cost = known_cost("anthropic:claude-sonnet-4-5")
    assert cost(Usage(1_000_000, 0, stored_tokens=1_000_000)) > cost(Usage(1_000_000, 0))


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), "3", True, None])
def test_what_is_no_amount_is_no_price(wrong):
    with pytest.raises(UsageError, match=r"input=.* is no amount; give dollars for a million tokens"):
        Price(wrong, 1)


@pytest.mark.parametrize(
    "name", ["scripted", "scripted:tour", "recorded:log.jsonl", "gpt-4o", "nobody:gpt-4o", "openai:x y"]
)
def test_a_model_without_a_known_price_has_none(name):
    pytest.importorskip("genai_prices")
    assert known_cost(name) is None


def test_a_providers_model_has_the_price_of_the_list():
    genai_prices = pytest.importorskip("genai_prices")
    cost = known_cost("openai:gpt-4o")
    listed = genai_prices.calc_price(
        genai_prices.Usage(input_tokens=1_000_000, output_tokens=0), model_ref="gpt-4o", provider_id="openai"
    )
    assert cost(Usage(1_000_000, 0)) == pytest.approx(float(listed.total_price))
    assert listed.total_price > 0
    assert cost(Usage(1_000_000, 0, cached_tokens=1_000_000)) < cost(Usage(1_000_000, 0))


def test_without_the_package_no_price_is_known(monkeypatch):
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert known_cost("anthropic:claude-sonnet-4-5-absent") is None
