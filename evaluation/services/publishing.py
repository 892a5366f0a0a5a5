"""Publishing releases: freezing the verdicts and every number of finished runs, and retracting them with a reason."""

import calendar
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import pandas as pd
from django.db import transaction
from django.utils import timezone

from evaluation.models import (
    Comparison,
    Conversation,
    JudgeConfiguration,
    Judgment,
    LanguageModel,
    MetricVersion,
    Profile,
    Release,
    Result,
    Run,
    Scenario,
    Sensitivity,
    StudyCondition,
    Taxonomy,
    Turn,
    Verdict,
)
from evaluation.selectors.release_groups import Groups, frozen_groups
from evaluation.selectors.release_notes import release_notes
from evaluation.selectors.release_verdicts import verdicts_that_count
from evaluation.selectors.studies.disclosed import told_by_release
from evaluation.selectors.taxonomies import in_force
from evaluation.services import release_content, release_inputs, run_likeness, table_statistics
from evaluation.services.computing_ahead import compute_ahead
from evaluation.services.studies.correcting import correct_rates_of_release
from evaluation.services.studies.disclosing import note_disclosure, refuse_open_studies
from impactbench.common import locking
from impactbench.common.audit import record
from impactbench.common.errors import DomainError, UnusableInput

METHOD = (
    "A conversation's verdict is the majority over its judgments; a tie and a failed conversation count as unjudged. "
    "A positive metric passes when the behaviour is present, a negative one when it is absent. A pass rate is the "
    "share of passed among judged conversations, each with equal weight; unjudged ones leave the denominator and are "
    "counted beside it. 95 % percentile intervals come from a bootstrap that draws metrics with replacement within "
    "benchmark and polarity, all conversations of a metric together, with the same draws for every number of the "
    "release. Where such an interval has no width, the cell has fewer than 2 metrics, or under 90 % of the draws "
    "reach it, the Wilson interval on conversations stands instead, which ignores that conversations of one metric "
    "are alike (ImpactBench paper, section 3.6)."
)
VERDICT_COLUMNS = ("conversation_id", "metric_version_id", "model_id", "profile_id", "present", "passed", "reason")
ROWS_AT_ONCE = 2_000
SHOWN = 10
RESAMPLES = 10_000
# COST: each draw keeps a weight for every metric in memory.
MOST_RESAMPLES = 100_000
MOST_SEED = 2**63 - 1
MOST_TITLE = 200
# At /releases/feed/ stands the feed of releases.
RESERVED_SLUGS = frozenset({"feed"})
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
PUBLISHABLE = (Run.State.FINISHED, Run.State.CANCELLED)
Progress = Callable[[str], None]


def _silent(_message: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class _Content:
    """What a release would be made of, once nothing speaks against it."""

    runs: list[Run]
    judge: JudgeConfiguration | None
    verdicts: pd.DataFrame
    unlike: list[str]
    taxonomy: Taxonomy


@transaction.atomic
def publish(
    *,
    actor: Any,
    slug: str,
    runs: Sequence[str],
    taxonomy: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    judge_configuration: str | None = None,
    allow_mixed: bool = False,
    despite_open_studies: bool = False,
    title: str | None = None,
    progress: Progress = _silent,
) -> Release:
    """Freeze the verdicts and results of finished or cancelled runs as a new release, all or nothing.

    `runs`, `taxonomy` and `judge_configuration` are slugs. Also marks the metric versions as published (and at
    least machine-judged) and writes an audit event. Raises UnusableInput for slugs that do not fit, DomainError
    where the runs are not ready, differ (unless `allow_mixed`), overlap, or hold no verdict at all, and OpenStudies
    where raters are still to rate them blind (unless `despite_open_studies`).
    """
    locking.wait_for(f"release {slug}")
    _refuse_unusable_words(slug, title)
    _refuse_unusable_numbers(resamples, seed)
    # None of the runs goes on meanwhile.
    list(Run.objects.select_for_update().filter(slug__in=runs).order_by("slug").values_list("pk"))
    published_at = timezone.now()
    progress("collecting the verdicts")
    content = _content(runs, taxonomy, judge_configuration, allow_mixed=allow_mixed, judged_until=published_at)
    if not despite_open_studies:
        _refuse_open_studies(content.runs)
    chosen, verdicts, pinned = content.runs, content.verdicts, content.taxonomy
    groups = frozen_groups(pinned, verdicts)
    progress(f"computing the results with {resamples:,} resamples")
    numbers = _numbers(verdicts, groups, resamples=resamples, seed=seed)
    inputs = release_inputs.input_hashes(chosen, pinned, judged_until=published_at)
    release = Release.objects.create(
        slug=slug,
        title=title or default_title(slug),
        published_at=published_at,
        taxonomy=pinned,
        judge=content.judge,
        resamples=resamples,
        seed=seed,
        method=METHOD,
        unlike=content.unlike,
        notes=release_notes(verdicts, groups),
        groups=groups,
        content_version=release_content.CONTENT_VERSION,
        input_hashes=inputs,
        content_hash=release_content.content_hash(release_content.computed_verdicts(verdicts), numbers, inputs),
        **_inputs(chosen),
        **release_content.counts(verdicts),
    )
    progress(f"saving {len(verdicts):,} verdicts and {len(numbers.results):,} results")
    _save(release, chosen, verdicts, numbers)
    table_statistics.refresh(Verdict, Result, Comparison)
    _publish_metrics(release)
    correct_rates_of_release(release)
    # Asked anew: people may have been asked while the numbers were computed.
    note_disclosure(told_by_release(chosen), actor=actor, release=release)
    record(actor=actor, action="release-published", target=release, details={"runs": [run.slug for run in chosen]})
    # Robust: what cannot be kept now is computed when it is read, and the release stands.
    transaction.on_commit(partial(compute_ahead, release), robust=True)
    return release


@transaction.atomic
def retract(*, actor: Any, slug: str, reason: str) -> Release:
    """Mark a release as retracted, with its reason for everybody to read; nothing is deleted."""
    if not reason.strip():
        raise UnusableInput("a retraction needs a reason that readers of the release will see")
    release = Release.objects.filter(slug=slug).first()
    if release is None:
        raise UnusableInput(f"there is no release {slug!r}")
    retracted = Release.objects.filter(pk=release.pk, status=Release.Status.PUBLISHED).update(
        status=Release.Status.RETRACTED, retraction_reason=reason.strip()
    )
    if not retracted:
        raise DomainError(f"release {slug!r} is already retracted: {release.retraction_reason}")
    release.refresh_from_db()
    record(actor=actor, action="release-retracted", target=release, details={"reason": reason.strip()})
    return release


# --- What is refused


def refuse_unpublishable(
    *,
    slug: str,
    runs: Sequence[str],
    taxonomy: str | None,
    judge_configuration: str | None,
    title: str | None,
    despite_open_studies: bool = False,
) -> None:
    """Raises what `publish` would raise, without computing or locking anything; seconds where runs are large."""
    _refuse_unusable_words(slug, title)
    content = _content(runs, taxonomy, judge_configuration, allow_mixed=False, judged_until=timezone.now())
    if not despite_open_studies:
        _refuse_open_studies(content.runs)


def _content(
    runs: Sequence[str],
    taxonomy: str | None,
    judge_configuration: str | None,
    *,
    allow_mixed: bool,
    judged_until: datetime,
) -> _Content:
    chosen = _publishable_runs(runs)
    judge = _judge(judge_configuration, chosen)
    # A run that ended a moment ago may have filled tables of which PostgreSQL still thinks that they are empty.
    table_statistics.refresh(MetricVersion, Scenario, Conversation, Turn, Judgment)
    counting = judge or _only_judge(chosen)
    verdicts = verdicts_that_count(chosen, judge=counting, judged_until=judged_until)
    _refuse_unpublished_metrics(verdicts)
    unlike = _checked_differences(chosen, verdicts, judge_is_named=judge is not None, allow_mixed=allow_mixed)
    return _Content(chosen, counting, verdicts, unlike, _taxonomy(taxonomy, verdicts))


def _refuse_unusable_words(slug: str, title: str | None) -> None:
    refuse_unusable_slug(slug)
    if title and len(title) > MOST_TITLE:
        raise UnusableInput(f"--title must be at most {MOST_TITLE} characters long")


def refuse_unusable_slug(slug: str) -> None:
    """Raises UnusableInput for a name that is no slug, or that another release or a page beside them has."""
    if not SLUG.fullmatch(slug):
        raise UnusableInput(f"{slug!r} cannot name a release: use at most 100 letters, digits and hyphens")
    if slug in RESERVED_SLUGS:
        raise UnusableInput(f"{slug!r} cannot name a release: a page of the site has this name; choose another")
    if Release.objects.filter(slug=slug).exists():
        raise UnusableInput(f"there is already a release {slug!r}; a release never changes, choose another name")


def _refuse_unusable_numbers(resamples: int, seed: int) -> None:
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise UnusableInput(f"--resamples must be from 1 to {MOST_RESAMPLES:,}")
    if not 0 <= seed <= MOST_SEED:
        raise UnusableInput("--seed must be a whole number from 0 to 2^63 - 1")


def default_title(slug: str) -> str:
    """'2026-07' is 'July 2026'; any other name is its own title."""
    month = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])", slug)
    return f"{calendar.month_name[int(month[2])]} {month[1]}" if month else slug


def _publishable_runs(slugs: Sequence[str]) -> list[Run]:
    if not slugs:
        raise UnusableInput("name at least one run")
    found = {run.slug: run for run in Run.objects.filter(slug__in=slugs).order_by("slug")}
    unknown = sorted(set(slugs) - set(found))
    if unknown:
        raise UnusableInput(f"there is no run {', '.join(unknown)}")
    going = [f"{run.slug} is {run.state}" for run in found.values() if run.state not in PUBLISHABLE]
    if going:
        raise DomainError(f"only finished or cancelled runs can be published: {', '.join(going)}")
    _refuse_runs_of_studies(found.values())
    _refuse_unread(found.values())
    return list(found.values())


def _refuse_runs_of_studies(runs: Iterable[Run]) -> None:
    """A study by machine changes how the machine is run, or judges a sample: no numbers about models."""
    held = StudyCondition.objects.filter(run__in=list(runs)).select_related("run", "study").order_by("run__slug")
    slugs = [f"{one.run.slug} (study {one.study.public_id})" for one in held]
    if slugs:
        raise DomainError(f"runs of studies cannot be published in a release: {', '.join(slugs)}; leave them out")


def _refuse_open_studies(runs: Iterable[Run]) -> None:
    refuse_open_studies(
        told_by_release(runs), way_on="tick that they may stay open (on the command line: --despite-open-studies)"
    )


def _refuse_unread(runs: Iterable[Run]) -> None:
    """A finished run that is being judged again has verdicts of some conversations only."""
    unread = Conversation.objects.filter(
        run__in=[run for run in runs if run.state == Run.State.FINISHED],
        state=Conversation.State.FINISHED,
        is_judged=False,
    )
    slugs = sorted(set(unread.values_list("run__slug", flat=True)))
    if slugs:
        raise DomainError(f"judges are still reading conversations of {', '.join(slugs)}; publish when they are done")


def _refuse_unpublished_metrics(verdicts: pd.DataFrame) -> None:
    """A release shows its metrics to everybody, so it cannot stand in for the second editor."""
    waiting = MetricVersion.objects.filter(pk__in=set(verdicts["metric_version_id"]), awaits_second_editor=True)
    slugs = sorted(waiting.values_list("metric__slug", flat=True))
    if slugs:
        raise DomainError(
            f"these metrics are approved, but no second editor has published them yet:\n{_listed(slugs)}\n"
            "Publish each on its page under /review/, then publish the release."
        )


def _judge(slug: str | None, runs: Sequence[Run]) -> JudgeConfiguration | None:
    if slug is None:
        return None
    judge = JudgeConfiguration.objects.filter(slug=slug).first()
    if judge is None:
        known = ", ".join(JudgeConfiguration.objects.filter(runs__in=runs).distinct().values_list("slug", flat=True))
        raise UnusableInput(f"there is no judge configuration {slug!r}; these runs have {known or 'none'}")
    return judge


def _only_judge(runs: Sequence[Run]) -> JudgeConfiguration | None:
    """The one judge of all runs; None where there are several (the majority over them counts)."""
    judges = JudgeConfiguration.objects.filter(runs__in=runs).distinct()
    return judges[0] if len(judges) == 1 else None


def _checked_differences(
    runs: Sequence[Run], verdicts: pd.DataFrame, *, judge_is_named: bool, allow_mixed: bool
) -> list[str]:
    if not verdicts["present"].notna().any():
        raise DomainError("nothing is judged in these runs, so there is nothing to publish")
    repeated = run_likeness.repeated_conversations(runs)
    if repeated:
        raise DomainError(
            f"these runs overlap {len(repeated)} times (same scenario, model and sample), "
            f"so they cannot be published together:\n{_listed(repeated)}"
        )
    unlike = run_likeness.differences(runs, verdicts, judge_is_named=judge_is_named)
    if unlike and not allow_mixed:
        raise DomainError(
            "these runs are not alike; publish them apart, or by publish_release --allow-mixed, which prints the "
            f"differences on every page of the release:\n{_listed(unlike)}"
        )
    return unlike


def _listed(lines: list[str]) -> str:
    more = [f"... and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return "\n".join(f"  {line}" for line in [*lines[:SHOWN], *more])


def _taxonomy(slug: str | None, verdicts: pd.DataFrame) -> Taxonomy:
    """The named taxonomy, or the only one that any of the metrics are placed in: the version in force."""
    if slug is not None:
        try:
            return in_force(slug)
        except Taxonomy.DoesNotExist:
            raise UnusableInput(f"there is no taxonomy {slug!r}") from None
    metrics = set(verdicts["metric"])
    placing = Taxonomy.objects.filter(subareas__placements__metric__slug__in=metrics)
    found = sorted(set(placing.values_list("slug", flat=True)))
    if len(found) == 1:
        return in_force(found[0])
    problem = f"they are placed in {', '.join(found)}" if found else "none of them is placed in any"
    raise UnusableInput(f"name the taxonomy of the release's metrics with --taxonomy: {problem}")


# --- What is computed


def _numbers(verdicts: pd.DataFrame, groups: Groups, *, resamples: int, seed: int) -> release_content.Numbers:
    try:
        return release_content.computed_numbers(verdicts, groups, resamples=resamples, seed=seed)
    except ValueError as problem:
        raise DomainError(f"these verdicts contradict themselves: {problem}") from problem


def _inputs(runs: Sequence[Run]) -> dict[str, Any]:
    """What the release says of its runs' making: what all agree on, nothing where they differ."""
    simulators = {run.user_simulator_id for run in runs}
    prompts = [run.prompt_hashes for run in runs]
    return {
        "user_simulator": runs[0].user_simulator if len(simulators) == 1 else None,
        "prompt_hashes": prompts[0] if all(hashes == prompts[0] for hashes in prompts) else None,
        "code_version": ", ".join(sorted({run.code_version for run in runs} - {""}))[:100],
        "is_demonstration": any(run.is_demonstration for run in runs),
        "is_imported": any(run.kind == Run.Kind.IMPORTED for run in runs),
    }


# --- What is written


def _save(release: Release, runs: Sequence[Run], verdicts: pd.DataFrame, numbers: release_content.Numbers) -> None:
    release.runs.set(runs)
    release.profiles.set(Profile.objects.filter(pk__in=set(verdicts["profile_id"])))
    release.targets.set(LanguageModel.objects.filter(pk__in=set(verdicts["model_id"])))
    release.metric_versions.set(MetricVersion.objects.filter(pk__in=set(verdicts["metric_version_id"])))
    Verdict.objects.bulk_create(
        (
            Verdict(release=release, has_ended=row["ended"], **{name: row[name] for name in VERDICT_COLUMNS})
            for row in release_content.plain_rows(verdicts)
        ),
        batch_size=ROWS_AT_ONCE,
    )
    _save_numbers(release, Result, numbers.results, release_content.RESULT_FIELDS)
    _save_numbers(release, Comparison, numbers.comparisons, release_content.COMPARISON_FIELDS)
    _save_numbers(release, Sensitivity, numbers.sensitivity, release_content.SENSITIVITY_FIELDS)


def _save_numbers(release: Release, kind: Any, records: list[release_content.Record], fields: Sequence[str]) -> None:
    models = dict(release.targets.values_list("slug", "pk"))
    rows = (dict(zip(fields, record, strict=True)) for record in records)
    kind.objects.bulk_create(
        (kind(release=release, model_id=models.get(row.pop("model")), **row) for row in rows),
        batch_size=ROWS_AT_ONCE,
    )


def _publish_metrics(release: Release) -> None:
    release.metric_versions.filter(is_published=False).update(is_published=True, published_at=release.published_at)
    release.metric_versions.filter(status=MetricVersion.Status.DRAFT).update(status=MetricVersion.Status.MACHINE_JUDGED)
