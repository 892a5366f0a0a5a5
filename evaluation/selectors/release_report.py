"""The report of a release from what the database holds: every table of the paper's section 4, and how it was made."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pandas as pd
from django.db.models import Count, Q, QuerySet

from evaluation.engine.reasons import sentence
from evaluation.models import (
    Area,
    Comparison,
    Conversation,
    JudgeConfiguration,
    Judgment,
    Release,
    Result,
    Sensitivity,
    Subarea,
    Verdict,
)
from evaluation.selectors import kept
from evaluation.statistics.metric_quality import metric_quality
from evaluation.statistics.repeatability import repeatability
from evaluation.statistics.report.judging import quality_table, repeatability_table
from evaluation.statistics.report.methods import Made, methods_paragraph
from evaluation.statistics.report.report import TABLES, report
from evaluation.statistics.report.tables import Names, Numbers, ReportTable

Group, Kind = Result.Group, Comparison.Kind
RESULT_COLUMNS = (
    "group", "key", "model", "polarity", "profile", "n_metrics", "n_judged", "n_passed", "pass_rate",
    "ci_low", "ci_high", "ci50_low", "ci50_high", "ci_method", "coverage",
)  # fmt: skip
COMPARISON_COLUMNS = (
    "kind", "group", "key", "polarity", "profile", "model", "a", "b",
    "difference", "ci_low", "ci_high", "n_metrics", "distinguishable", "distinguishable_adjusted",
)  # fmt: skip
SENSITIVITY_COLUMNS = (
    "kind", "model", "benchmark", "polarity", "across", "profile_a", "profile_b", "value", "n", "reason",
)  # fmt: skip
# The only comparisons that the tables read; a release has many more.
READ = (
    Q(kind=Kind.MODEL, profile="all", group__in=[Group.OVERALL, Group.SUBAREA, Group.BENCHMARK])
    | Q(kind=Kind.POLARITY, profile="all", group__in=[Group.OVERALL, Group.AREA])
    | Q(kind=Kind.PROFILE, model=None, group__in=[Group.OVERALL, Group.BENCHMARK])
)
# The release's own seed serves its bootstrap; judgments are drawn again from a stream of the same seed.
REPEATABILITY_RESAMPLES = 2_000


@dataclass(frozen=True)
class ReleaseReport:
    """The tables, in reading order, and the paragraph for a methods section."""

    tables: list[ReportTable]
    methods: str

    def table(self, slug: str) -> ReportTable | None:
        """The table of that slug."""
        return next((table for table in self.tables if table.slug == slug), None)


def release_report(release: Release) -> ReleaseReport:
    """Everything that the report says of a release; releases without comparisons have fewer tables. Computed once."""
    names = names_of(release)
    found: ReleaseReport = kept.once(kept.name_of("report", [release], names), lambda: _computed(release, names))
    return found


@lru_cache(maxsize=1)
def table_titles() -> dict[str, str]:
    """Slug -> title of every table that a report may have, at the cost of tables of nothing."""
    results, comparisons, sensitivity = (
        pd.DataFrame(columns=list(columns)) for columns in (RESULT_COLUMNS, COMPARISON_COLUMNS, SENSITIVITY_COLUMNS)
    )
    nothing = Numbers(results, comparisons, sensitivity, Names({}, {}, {}, {}, {}, {}))
    tables = [make(nothing) for make in TABLES]
    tables += [repeatability_table([], {}), quality_table([], {})]
    return {table.slug: table.title for table in tables}


def _computed(release: Release, names: Names) -> ReleaseReport:
    tables = report(stored(release, names))
    for table in (_repeatability(release), _quality(release, names)):
        if table.rows:
            tables.append(table)
    return ReleaseReport(tables, methods_paragraph(made(release)))


def stored(release: Release, names: Names) -> Numbers:
    """The numbers of the release that its tables read."""
    results = Result.objects.filter(Q(model=None) | ~Q(group=Group.METRIC), release=release)
    comparisons = Comparison.objects.filter(READ, release=release)
    return Numbers(
        results=_table(results, RESULT_COLUMNS),
        comparisons=_table(comparisons, COMPARISON_COLUMNS),
        sensitivity=_table(Sensitivity.objects.filter(release=release), SENSITIVITY_COLUMNS),
        names=names,
    )


def names_of(release: Release) -> Names:
    """What readers call the things of a release."""
    versions = release.metric_versions.values_list(
        "metric__slug", "name", "metric__benchmark__slug", "metric__benchmark__name"
    )
    metrics, benchmarks = {}, {}
    for metric, name, benchmark, benchmark_name in versions:
        metrics[metric], benchmarks[benchmark] = name, benchmark_name
    taxonomy = release.taxonomy_id
    return Names(
        models=dict(release.targets.values_list("slug", "name")),
        benchmarks=benchmarks,
        areas=dict(Area.objects.filter(taxonomy=taxonomy).values_list("slug", "name")),
        subareas=dict(Subarea.objects.filter(taxonomy=taxonomy).values_list("slug", "name")),
        metrics=metrics,
        profiles=dict(release.profiles.values_list("slug", "name")),
    )


def made(release: Release) -> Made:
    """What is known of how the release was made; what its source did not publish stays unknown."""
    runs = list(release.runs.prefetch_related("judges__language_model"))
    polarities = list(release.metric_versions.values_list("polarity", flat=True))
    judges = [release.judge] if release.judge else [judge for run in runs for judge in run.judges.all()]
    verdicts = Verdict.objects.filter(release=release)
    unjudged = verdicts.filter(has_ended=True, present=None).values("reason").annotate(n=Count("pk"))
    return Made(
        name=release.title,
        models=sorted(release.targets.values_list("name", flat=True), key=str.casefold),
        n_benchmarks=release.n_benchmarks,
        n_positive=polarities.count("positive"),
        n_negative=polarities.count("negative"),
        n_unknown=polarities.count(None),
        n_planned=verdicts.count(),
        n_ended=release.n_conversations,
        n_judged=release.n_judged,
        profiles=list(release.profiles.values_list("name", flat=True)),
        resamples=release.resamples,
        seed=release.seed,
        simulator=_named(release.user_simulator),
        judges=_judge_names(judges),
        judge_repeats=_same([run.spec.get("judge_repeats") for run in runs]),
        turns=[run.turns for run in runs if run.turns is not None] if all(run.turns for run in runs) else None,
        samples=_same([run.spec.get("samples") for run in runs]),
        scenarios=verdicts.aggregate(n=Count("conversation__scenario", distinct=True))["n"],
        software=f"ImpactBench {release.code_version}" if release.code_version else None,
        unjudged=[(sentence(row["reason"]), row["n"]) for row in unjudged.order_by("-n", "reason")],
        mixed=release.unlike,
    )


def _table(rows: QuerySet[Any], columns: Sequence[str]) -> pd.DataFrame:
    fields = ["model__slug" if name == "model" else name for name in columns]
    return pd.DataFrame.from_records(list(rows.order_by("pk").values_list(*fields)), columns=list(columns)).astype(
        object
    )


def _repeatability(release: Release) -> ReportTable:
    """The judgments of one judge on the same conversation, where there are several."""
    judgments = Judgment.objects.filter(
        conversation__verdicts__release=release, created_at__lte=release.published_at
    ).exclude(conversation__state=Conversation.State.EXTRA)
    if release.judge:
        judgments = judgments.filter(judge=release.judge)
    repeated = judgments.filter(repeat__gt=1).order_by().values("conversation", "judge").distinct()
    if not repeated.exists():
        return repeatability_table([], {})
    judgments = judgments.filter(conversation__in=repeated.values("conversation"))
    rows = judgments.order_by("pk").values_list(
        "conversation",
        "judge__slug",
        "conversation__scenario__base__metric_version__metric__slug",
        "polarity",
        "present",
    )
    ratings = pd.DataFrame(list(rows), columns=["conversation", "judge", "metric", "polarity", "present"])
    judges = JudgeConfiguration.objects.select_related("language_model").filter(slug__in=set(ratings["judge"]))
    names = {judge.slug: _named(judge.language_model) or judge.slug for judge in judges}
    found = repeatability(ratings, resamples=min(REPEATABILITY_RESAMPLES, release.resamples), seed=release.seed)
    return repeatability_table(found, names)


def _quality(release: Release, names: Names) -> ReportTable:
    rows = Verdict.objects.filter(release=release, passed__isnull=False).values_list(
        "metric_version__metric__benchmark__slug",
        "metric_version__metric__slug",
        "metric_version__polarity",
        "conversation__scenario__base_id",
        "model__slug",
        "passed",
    )
    columns = ["benchmark", "metric", "polarity", "scenario", "model", "passed"]
    outcomes = pd.DataFrame(list(rows), columns=columns)
    return quality_table(metric_quality(outcomes) if len(outcomes) else [], names.metrics)


def _named(model: Any) -> str | None:
    """A model's name with its version."""
    if model is None:
        return None
    return f"{model.name} ({model.version})" if model.version and model.version not in model.name else str(model.name)


def _judge_names(judges: Iterable[JudgeConfiguration]) -> list[str] | None:
    """None where any judge is unknown."""
    names = {_named(judge.language_model) for judge in judges}
    return None if None in names or not names else sorted(name for name in names if name)


def _same(values: Sequence[int | None]) -> int | None:
    return values[0] if values and all(value == values[0] for value in values) else None
