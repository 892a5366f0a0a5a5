"""A question to a drafter: what is asked, and how its answer is kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from evaluation.engine.types import Message, ModelCall
from evaluation.generation.types import Drafted
from evaluation.models import Benchmark, DraftingQuestion, LanguageModel
from evaluation.models.drafting import Outcome
from impactbench.common import locking

Keep = Callable[[DraftingQuestion, Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Question:
    """One question: `ask` puts it to a model, `keep` stores the drafts that came of it.

    `is_open` says, under a lock, whether the answer is still wanted: another process may have asked the same.
    """

    benchmark: Benchmark
    kind: str
    place: str
    prompt_hash: str
    messages: Sequence[Message]
    ask: Callable[[ModelCall], Awaitable[Drafted[Any]]]
    keep: Keep
    is_open: Callable[[], bool]
    items: Sequence[str] = field(default=())


@transaction.atomic
def store(question: Question, drafted: Drafted[Any], model: LanguageModel) -> DraftingQuestion:
    """Keep that a question was asked and all its drafts, or that it was refused and why; never a part of an answer."""
    locking.wait_for(f"drafts of {question.benchmark.slug}")
    is_wanted, used = not drafted.reason and question.is_open(), drafted.usage
    asked = DraftingQuestion.objects.create(
        benchmark=question.benchmark,
        kind=question.kind,
        place=question.place[:400],
        language_model=model,
        prompt_hash=question.prompt_hash,
        items=list(question.items),
        outcome=_outcome(drafted),
        reason=drafted.reason,
        refusal=drafted.refusal,
        calls=used.calls,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=used.cost_usd,
    )
    if is_wanted:
        question.keep(asked, drafted.drafts)
    return asked


def _outcome(drafted: Drafted[Any]) -> Outcome:
    if drafted.reason:
        return Outcome.REFUSED
    return Outcome.REPAIRED if drafted.was_repaired else Outcome.DRAFTED
