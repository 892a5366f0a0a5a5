"""Drafts candidate metrics from a benchmark's description, or from the criteria of its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from evaluation.engine.parsing import ReplyError
from evaluation.engine.types import Message, ModelCall, Polarity
from evaluation.generation.asking import ask
from evaluation.generation.metric_data import benchmark_data
from evaluation.generation.prompts_of_drafting import listed, question
from evaluation.generation.reply_fields import (
    Schema,
    list_field,
    list_schema,
    object_item,
    object_schema,
    text_field,
    text_schema,
    texts_field,
)
from evaluation.generation.types import BenchmarkBrief, Drafted, MetricIdea

FROM_CRITERIA, FROM_DESCRIPTION = "metrics_from_criteria", "metrics_from_description"
Prompt = Literal["metrics_from_criteria", "metrics_from_description"]
USUAL_NUMBER = 10
# So many criteria go into one question.
CRITERIA_AT_ONCE = 8
_MOST_METRICS = 24
_LONGEST_NAME, _LONGEST_TEXT, _LONGEST_EXAMPLE, _MOST_EXAMPLES = 150, 1000, 600, 3


async def draft_metrics(
    benchmark: BenchmarkBrief, model: ModelCall, *, criteria: Sequence[str] = (), count: int = USUAL_NUMBER
) -> Drafted[MetricIdea]:
    """Candidate metrics drawn from `criteria`, or without any from the description (`count` at most); or a refusal.

    Of criteria, each idea tells the number (from 1) of the one that it was drawn from.
    """
    most = _MOST_METRICS if criteria else count
    messages = metric_messages(benchmark, criteria=criteria, count=count)
    return await ask(
        messages, _schema(len(criteria), most), lambda fields: read_metrics(fields, len(criteria), most), model
    )


def metric_messages(
    benchmark: BenchmarkBrief, *, criteria: Sequence[str] = (), count: int = USUAL_NUMBER
) -> list[Message]:
    """All that the drafter reads: the benchmark's description and context, and the criteria."""
    data = {"Name of the benchmark": benchmark.name, **benchmark_data(benchmark)}
    if criteria:
        return question(FROM_CRITERIA, {**data, "Criteria": listed(criteria)})
    return question(FROM_DESCRIPTION, data, count=count)


def read_metrics(fields: dict[str, Any], n_criteria: int, most: int) -> tuple[MetricIdea, ...]:
    """The metrics of an answer. Raises ReplyError unless every one of them can be used and has its own name."""
    items = list_field(fields, "metrics", 1, most)
    ideas = tuple(read_metric(item, number, n_criteria) for number, item in enumerate(items, start=1))
    if len({idea.name.casefold() for idea in ideas}) < len(ideas):
        raise ReplyError("two metrics have the same name")
    return ideas


def read_metric(item: object, number: int, n_criteria: int) -> MetricIdea:
    """One metric of an answer, its number for messages. Raises ReplyError."""
    where = f"metric {number}: "
    fields = object_item(item, f"metric {number}")
    polarity = fields.get("polarity")
    if polarity not in ("positive", "negative"):
        raise ReplyError(f'{where}"polarity" must be "positive" or "negative"')
    return MetricIdea(
        name=text_field(fields, "name", _LONGEST_NAME, where=where),
        polarity=cast(Polarity, polarity),
        definition=text_field(fields, "definition", _LONGEST_TEXT, where=where),
        examples_present=texts_field(fields, "examples_present", 1, _MOST_EXAMPLES, _LONGEST_EXAMPLE, where=where),
        examples_absent=texts_field(fields, "examples_absent", 1, _MOST_EXAMPLES, _LONGEST_EXAMPLE, where=where),
        rationale=text_field(fields, "rationale", _LONGEST_TEXT, where=where),
        criterion=_criterion(fields.get("criterion"), where, n_criteria) if n_criteria else None,
    )


def _criterion(value: object, where: str, n_criteria: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= n_criteria:
        raise ReplyError(f'{where}"criterion" must be a number from 1 to {n_criteria}')
    return value


def _schema(n_criteria: int, most: int) -> Schema:
    examples = list_schema(text_schema(_LONGEST_EXAMPLE), 1, _MOST_EXAMPLES)
    criterion: Schema = {"criterion": {"type": "integer", "enum": list(range(1, n_criteria + 1))}} if n_criteria else {}
    metric = {
        **criterion,
        "name": text_schema(_LONGEST_NAME),
        "polarity": {"type": "string", "enum": ["positive", "negative"]},
        "definition": text_schema(_LONGEST_TEXT),
        "examples_present": examples,
        "examples_absent": examples,
        "rationale": text_schema(_LONGEST_TEXT),
    }
    return object_schema({"metrics": list_schema(object_schema(metric), 1, most)}, "metrics")
