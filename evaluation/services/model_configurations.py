"""A language model's row as the client wants it."""

from __future__ import annotations

from evaluation.llm.configuration import ModelConfiguration
from evaluation.models import LanguageModel


def configuration_of(model: LanguageModel) -> ModelConfiguration:
    """The configuration of a model. Raises ValueError when its parameters hold what only the client sets."""
    return ModelConfiguration(
        slug=model.slug,
        litellm_model=model.litellm_model,
        api_base=model.api_base,
        api_key_env=model.api_key_env,
        parameters=dict(model.parameters),
        requests_per_minute=model.requests_per_minute,
        tokens_per_minute=model.tokens_per_minute,
        max_in_flight=model.max_in_flight,
        input_usd_per_million=None if model.input_usd_per_million is None else float(model.input_usd_per_million),
        output_usd_per_million=None if model.output_usd_per_million is None else float(model.output_usd_per_million),
    )
