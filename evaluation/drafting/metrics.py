"""Which criteria of a source, or whether the description of a benchmark, are still to be turned into metrics."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from django.db.models import Max

from evaluation.drafting.briefs import benchmark_brief
from evaluation.drafting.questions import Question
from evaluation.generation import metrics
from evaluation.generation.prompts_of_drafting import prompt_hash
from evaluation.generation.types import MetricIdea
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.registry import choose_draft_format
from evaluation.models import Benchmark, DraftingQuestion, GeneratedDraft
from evaluation.models.drafting import Outcome
from impactbench.common.errors import UnusableInput

Kind = GeneratedDraft.Kind


def criteria_of_file(path: Path) -> list[str]:
    """The source's own criteria in a benchmark file of any foreign format, each once. Raises UnusableInput."""
    try:
        chosen = choose_draft_format(path) if path.exists() else None
        if chosen is None:
            raise FileProblem(path, "does not exist")
        read = [chosen.read(file) for file in chosen.find(path)]
    except FileProblem as problem:
        raise UnusableInput(str(problem)) from problem
    found = list(dict.fromkeys(draft.origin.text for drafts in read for draft in drafts.benchmark.metrics))
    if not found:
        raise UnusableInput(f"{path} has no criterion in it")
    return found


def metric_questions(
    benchmark: Benchmark, criteria: Sequence[str] = (), *, count: int = metrics.USUAL_NUMBER
) -> list[Question]:
    """Questions about the criteria that were not asked about yet, several in each; without criteria, one about the
    description unless it was asked about. Raises UnusableInput for a benchmark without a description."""
    if criteria:
        known = _asked(benchmark)
        new = [text for text in criteria if _digest(text) not in known]
        starts = range(0, len(new), metrics.CRITERIA_AT_ONCE)
        return [_question(benchmark, new[start : start + metrics.CRITERIA_AT_ONCE], count) for start in starts]
    if not benchmark.description.strip():
        raise UnusableInput(f"the benchmark {benchmark.slug} has no description to draft metrics from")
    return [] if _digest(benchmark.description) in _asked(benchmark) else [_question(benchmark, (), count)]


def _question(benchmark: Benchmark, criteria: Sequence[str], count: int) -> Question:
    brief, items = benchmark_brief(benchmark), [_digest(text) for text in (criteria or [benchmark.description])]
    place = f"{benchmark.slug}: {len(criteria)} criteria" if criteria else f"{benchmark.slug}: description"
    return Question(
        benchmark=benchmark,
        kind=Kind.METRIC,
        place=place,
        prompt_hash=prompt_hash(metrics.FROM_CRITERIA if criteria else metrics.FROM_DESCRIPTION),
        messages=metrics.metric_messages(brief, criteria=criteria, count=count),
        ask=lambda model: metrics.draft_metrics(brief, model, criteria=criteria, count=count),
        keep=partial(_keep, criteria),
        is_open=lambda: not _asked(benchmark) & set(items),
        items=items,
    )


def _asked(benchmark: Benchmark) -> set[str]:
    """Digests of what questions about metrics were answered."""
    answered = DraftingQuestion.objects.filter(benchmark=benchmark, kind=Kind.METRIC).exclude(outcome=Outcome.REFUSED)
    return {digest for items in answered.values_list("items", flat=True) for digest in items}


def _keep(criteria: Sequence[str], asked: DraftingQuestion, ideas: Iterable[MetricIdea]) -> None:
    known = GeneratedDraft.objects.filter(kind=Kind.METRIC, benchmark_id=asked.benchmark_id)
    first = (known.aggregate(last=Max("number"))["last"] or 0) + 1
    for number, idea in enumerate(ideas, start=first):
        source = criteria[idea.criterion - 1] if idea.criterion else ""
        content = {
            **asdict(idea),
            "examples_present": list(idea.examples_present),
            "examples_absent": list(idea.examples_absent),
            "criterion": source,
        }
        GeneratedDraft.objects.create(
            question=asked, benchmark_id=asked.benchmark_id, kind=Kind.METRIC, number=number, written=content,
            content=content,
        )  # fmt: skip


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
