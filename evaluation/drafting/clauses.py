"""Which metrics of a benchmark lack an interpretive clause and a draft of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import partial

from evaluation.drafting.briefs import benchmark_brief, draftable_versions, metric_sheet
from evaluation.drafting.questions import Question
from evaluation.generation import clauses
from evaluation.generation.prompts_of_drafting import prompt_hash
from evaluation.generation.review_flags import flags_of_clause
from evaluation.generation.types import ClauseDraft
from evaluation.models import Benchmark, DraftingQuestion, GeneratedDraft, MetricVersion
from impactbench.common.errors import UnusableInput

Kind, State = GeneratedDraft.Kind, GeneratedDraft.State


def clause_questions(benchmark: Benchmark, *, again: bool = False) -> list[Question]:
    """One question for each metric without a clause and without a draft of one; with `again` also where every draft
    was removed. Raises UnusableInput for a benchmark without a research summary."""
    if not benchmark.research_summary.strip():
        raise UnusableInput(
            f"the benchmark {benchmark.slug} has no research summary; write one into a text file and give it by "
            "--research-summary FILE"
        )
    drafts = GeneratedDraft.objects.filter(benchmark=benchmark, kind=Kind.CLAUSE)
    known = set((drafts.exclude(state=State.REMOVED) if again else drafts).values_list("metric_version_id", flat=True))
    return [
        _question(benchmark, version)
        for version in draftable_versions(benchmark)
        if not version.interpretive_clause and version.pk not in known
    ]


def _question(benchmark: Benchmark, version: MetricVersion) -> Question:
    brief, sheet = benchmark_brief(benchmark), metric_sheet(version)
    return Question(
        benchmark=benchmark,
        kind=Kind.CLAUSE,
        place=str(version),
        prompt_hash=prompt_hash(clauses.PROMPT),
        messages=clauses.clause_messages(brief, sheet),
        ask=lambda model: clauses.draft_clause(brief, sheet, model),
        keep=partial(_keep, version),
        is_open=lambda: not _open_drafts(version),
    )


def _open_drafts(version: MetricVersion) -> bool:
    drafts = GeneratedDraft.objects.filter(kind=Kind.CLAUSE, metric_version=version)
    return drafts.exclude(state__in=[State.REMOVED, State.MERGED]).exists()


def _keep(version: MetricVersion, asked: DraftingQuestion, drafts: Iterable[ClauseDraft]) -> None:
    for draft in drafts:
        content = {**asdict(draft), "conflicts": list(draft.conflicts)}
        GeneratedDraft.objects.create(
            question=asked, benchmark_id=asked.benchmark_id, kind=Kind.CLAUSE, metric_version=version,
            written=content, content=content, flags=flags_of_clause(draft),
        )  # fmt: skip
