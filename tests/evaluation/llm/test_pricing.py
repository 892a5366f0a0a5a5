"""Prices: each class of token once, unknown stays unknown."""

import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest

from evaluation.llm.configuration import ModelConfiguration
from evaluation.llm.pricing import Price, price_list, price_of


def price(**fields: Any) -> Price:
    return price_of(ModelConfiguration(**{"slug": "m", "litellm_model": "openai/gpt-4o", **fields}))


def test_price_of_a_listed_model_comes_from_the_bundled_list() -> None:
    listed = price_list()["gpt-4o"]

    assert price() == Price(
        Decimal(str(listed["input_cost_per_token"])),
        Decimal(str(listed["cache_read_input_token_cost"])),
        Decimal(str(listed["output_cost_per_token"])),
    )


def test_price_of_the_configuration_wins_class_by_class() -> None:
    own = price(input_usd_per_million=3)

    assert own == Price(Decimal("0.000003"), None, price().output_usd)


@pytest.mark.parametrize(
    "fields",
    [
        {"litellm_model": "openai/nobody-knows-this"},
        {"api_base": "http://127.0.0.1:8000/v1"},
        {"litellm_model": "openai/smollm2", "api_base": "embedded:smollm2"},
    ],
)
def test_price_of_an_unlisted_model_or_foreign_endpoint_is_unknown(fields: dict[str, Any]) -> None:
    assert price(**fields) == Price(None, None, None)
    assert price(**fields).cost(10, 0, 10) is None


def test_price_of_a_free_model_is_zero_even_without_counts() -> None:
    free = price(input_usd_per_million=0, output_usd_per_million=0, api_base="embedded:smollm2")

    assert free.cost(None, None, None) == 0


def test_cost_takes_cached_tokens_out_of_the_input() -> None:
    some = Price(Decimal("0.002"), Decimal("0.0005"), Decimal("0.01"))

    assert some.cost(100, 80, 10) == Decimal("0.18")
    assert some.cost(100, None, 10) == Decimal("0.3")
    assert some.cost(100, 500, 10) == Decimal("0.15")
    assert some.cost(None, 0, 10) is None


def test_price_list_is_read_without_importing_litellm() -> None:
    code = (
        "import sys; from evaluation.llm.client import *; from evaluation.llm.pricing import price_list;"
        "open_client(ModelConfiguration('m', 'anthropic/claude-x'));"
        "print(len(price_list()) > 100, 'litellm' in sys.modules)"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.split() == ["True", "False"]
