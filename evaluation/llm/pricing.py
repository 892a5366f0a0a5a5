"""What tokens cost: from the model's configuration, else litellm's bundled list, else unknown."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from evaluation.engine.types import Message, ModelCallError
from evaluation.llm.configuration import ModelConfiguration

_LIST = "model_prices_and_context_window_backup.json"
_OPENAI = "api.openai.com"
_MILLION = Decimal(1_000_000)
_CHARACTERS_PER_TOKEN = 3
_TOKENS_AROUND_A_MESSAGE = 8
_USUAL_REPLY_TOKENS = 1024
# After these failures nobody can say what the provider counts.
_MAY_HAVE_COST = frozenset({"timeout", "bad-reply", "filtered"})


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per token by class; None is unknown, which is not free. Cached input falls back to input."""

    input_usd: Decimal | None
    cached_input_usd: Decimal | None
    output_usd: Decimal | None

    @property
    def is_known(self) -> bool:
        return self.input_usd is not None and self.output_usd is not None

    def cost(
        self, input_tokens: int | None, cached_input_tokens: int | None, output_tokens: int | None
    ) -> Decimal | None:
        """US dollars of one call; None when a price or a count is unknown.

        Providers count cached tokens within the input tokens, so they are taken out before the rest is priced.
        """
        input_usd = _times(input_tokens, self.input_usd)
        output_usd = _times(output_tokens, self.output_usd)
        if input_usd is None or output_usd is None:
            return None
        if input_tokens and cached_input_tokens and self.input_usd and self.cached_input_usd is not None:
            cached = min(cached_input_tokens, input_tokens)
            input_usd -= cached * (self.input_usd - self.cached_input_usd)
        return input_usd + output_usd


def price_of(configuration: ModelConfiguration) -> Price:
    """The price of a model, each class from its configuration where that names one, else from the price list."""
    listed = _listed(configuration)
    own_input = _per_token(configuration.input_usd_per_million)
    own_output = _per_token(configuration.output_usd_per_million)
    input_usd = _listed_price(listed, "input_cost_per_token") if own_input is None else own_input
    output_usd = _listed_price(listed, "output_cost_per_token") if own_output is None else own_output
    cached = _listed_price(listed, "cache_read_input_token_cost") if own_input is None else None
    return Price(input_usd, cached, output_usd)


def likely_cost(price: Price, messages: Sequence[Message], max_tokens: int | None, *, unpriced_usd: Decimal) -> Decimal:
    """A cautious guess of what a call will cost in US dollars; `unpriced_usd` where its price is unknown."""
    if price.input_usd is None or price.output_usd is None:
        return unpriced_usd
    characters = sum(len(message.content) for message in messages)
    read = characters // _CHARACTERS_PER_TOKEN + _TOKENS_AROUND_A_MESSAGE * len(messages)
    return read * price.input_usd + (max_tokens or _USUAL_REPLY_TOKENS) * price.output_usd


def may_have_cost(error: BaseException) -> bool:
    """Whether a call that ended so may be on the provider's bill, though nobody says how much."""
    return error.reason in _MAY_HAVE_COST if isinstance(error, ModelCallError) else True


@cache
def price_list() -> dict[str, dict[str, Any]]:
    """litellm's price list, read from its package without importing it (that takes seconds); empty without it."""
    spec = importlib.util.find_spec("litellm")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
    for path in (folder / _LIST for folder in folders):
        if path.is_file():
            listed = orjson.loads(path.read_bytes())
            return {name: entry for name, entry in listed.items() if isinstance(entry, dict)}
    return {}


def _listed(configuration: ModelConfiguration) -> dict[str, Any]:
    model, base = configuration.litellm_model, configuration.api_base or ""
    if configuration.is_embedded or (configuration.is_direct and base and _OPENAI not in base):
        return {}  # someone else's endpoint under a familiar name has its own price
    names = (model, model.partition("/")[2])
    return next((price_list()[name] for name in names if name in price_list()), {})


def _listed_price(listed: dict[str, Any], key: str) -> Decimal | None:
    value = listed.get(key)
    return None if isinstance(value, bool) or not isinstance(value, int | float) else Decimal(str(value))


def _per_token(usd_per_million: float | None) -> Decimal | None:
    return None if usd_per_million is None else Decimal(str(usd_per_million)) / _MILLION


def _times(tokens: int | None, usd: Decimal | None) -> Decimal | None:
    if usd is not None and usd == 0:
        return Decimal(0)
    return None if tokens is None or usd is None else tokens * usd
