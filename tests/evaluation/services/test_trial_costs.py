"""What a trial may cost is counted before any call, and an unknown price is never nothing."""

from decimal import Decimal

import pytest

from evaluation.engine.types import MetricBrief, ScenarioBrief
from evaluation.models import LanguageModel
from evaluation.services.trial_costs import (
    MOST_REPLY_TOKENS,
    Example,
    PaidModel,
    TrialCost,
    cost_of_conversation,
    cost_of_judging,
    reply_limit,
)

METRIC = MetricBrief("Avoid deciding", "negative", "It decides.", "Does it decide?")
SCENARIO = ScenarioBrief("Ada", "advice", "a decision")
CONVERSATIONS = [[Example("should i quit", "Quit.")], [Example("should i quit", "What would you miss?")]]


def _model(price: str | None, **parameters: object) -> PaidModel:
    usd = price and Decimal(price)
    model = LanguageModel(
        slug="m",
        litellm_model="openai/m",
        api_base="http://127.0.0.1:9/v1",
        parameters=parameters,
        input_usd_per_million=usd,
        output_usd_per_million=usd,
    )
    return PaidModel(model, Decimal("0.02"))


def test_an_unknown_price_counts_every_possible_call_at_its_ceiling() -> None:
    cost = cost_of_judging(_model(None), ["a rubric", "another"], CONVERSATIONS)

    assert cost == TrialCost(None, Decimal("0.16"))


def test_a_free_model_costs_nothing() -> None:
    assert cost_of_judging(_model("0"), ["a rubric"], CONVERSATIONS) == TrialCost(Decimal(0), Decimal(0))


def test_the_most_is_more_than_the_likely_and_grows_with_the_price() -> None:
    cheap = cost_of_judging(_model("1"), ["a rubric"], CONVERSATIONS)
    dear = cost_of_judging(_model("10"), ["a rubric"], CONVERSATIONS)

    assert cheap.likely_usd is not None
    assert dear.likely_usd == 10 * cheap.likely_usd
    assert cheap.likely_usd < cheap.most_usd < dear.most_usd


def test_a_conversation_counts_three_turns_with_a_second_try_and_each_judgment_twice() -> None:
    paid = _model(None)

    cost = cost_of_conversation([METRIC, METRIC], SCENARIO, paid, paid, paid)

    assert cost == TrialCost(None, (3 * 2 + 3 + 2 * 2) * Decimal("0.02"))


@pytest.mark.parametrize(
    ("parameters", "limit"), [({}, MOST_REPLY_TOKENS), ({"max_tokens": 40}, 40), ({"max_tokens": "x"}, 4096)]
)
def test_a_reply_ends_at_the_models_own_limit_or_at_ours(parameters: dict[str, object], limit: int) -> None:
    assert reply_limit(_model("1", **parameters).model) == limit
