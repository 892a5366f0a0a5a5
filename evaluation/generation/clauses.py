"""Drafts the interpretive clause of a metric: how a judge reads mixed evidence (ImpactBench paper, section 3.5.1)."""

from __future__ import annotations

import re
from typing import Any

from evaluation.engine.parsing import ReplyError
from evaluation.engine.types import Message, ModelCall
from evaluation.generation.asking import ask
from evaluation.generation.metric_data import metric_data
from evaluation.generation.prompts_of_drafting import question
from evaluation.generation.reply_fields import Schema, list_schema, object_schema, text_field, text_schema, texts_field
from evaluation.generation.types import BenchmarkBrief, ClauseDraft, Drafted, MetricSheet

PROMPT = "interpretive_clause"
FEWEST_SENTENCES, MOST_SENTENCES = 2, 5
LONGEST_CLAUSE = 1500
_LONGEST_CONFLICT = 400
_MOST_CONFLICTS = 8
# A sentence ends where a blank and a capital letter, a digit or a quote follow; short forms end none.
_END_OF_SENTENCE = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)[.!?][\"'\u201d\u2019)]*\s+(?=[\"'\u201c(]?[A-Z0-9])"
)


async def draft_clause(benchmark: BenchmarkBrief, metric: MetricSheet, model: ModelCall) -> Drafted[ClauseDraft]:
    """One clause for all scenarios of a metric, by one call, or a refusal."""
    return await ask(clause_messages(benchmark, metric), _schema(), lambda fields: (read_clause(fields),), model)


def clause_messages(benchmark: BenchmarkBrief, metric: MetricSheet) -> list[Message]:
    """All that the drafter reads: the metric and the benchmark's research summary."""
    return question(PROMPT, {**metric_data(metric), "Research summary of the benchmark": benchmark.research_summary})


def read_clause(fields: dict[str, Any]) -> ClauseDraft:
    """The clause of an answer. Raises ReplyError unless it has two to five sentences."""
    clause = text_field(fields, "clause", LONGEST_CLAUSE)
    found = n_sentences(clause)
    if not FEWEST_SENTENCES <= found <= MOST_SENTENCES:
        wanted = f"{FEWEST_SENTENCES} to {MOST_SENTENCES}"
        raise ReplyError(f'"clause" must have {wanted} sentences, it has {found}')
    return ClauseDraft(
        clause=clause,
        conflicts=texts_field(fields, "conflicts", 1, _MOST_CONFLICTS, _LONGEST_CONFLICT),
        own_check=text_field(fields, "own_check", _LONGEST_CONFLICT),
    )


def n_sentences(text: str) -> int:
    """How many sentences a text has; 0 when it is empty."""
    return len(_END_OF_SENTENCE.split(text.strip())) if text.strip() else 0


def _schema() -> Schema:
    fields = {
        "conflicts": list_schema(text_schema(_LONGEST_CONFLICT), 1, _MOST_CONFLICTS),
        "clause": text_schema(LONGEST_CLAUSE),
        "own_check": text_schema(_LONGEST_CONFLICT),
    }
    return object_schema(fields, "interpretive_clause")
