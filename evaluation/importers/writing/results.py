"""Finished results of somebody else become a run of kind `imported` and a release, all or nothing."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Count

from evaluation.importers.formats.result_types import ResultsFile
from evaluation.importers.writing.result_attaching import Attached, attach
from evaluation.importers.writing.result_conversations import batches, write_conversations
from evaluation.importers.writing.result_definitions import Definitions, written_definitions
from evaluation.importers.writing.result_taxonomy import written_taxonomy
from evaluation.models import JudgeConfiguration, Release, Run, Taxonomy
from evaluation.services import publishing
from impactbench.common import locking
from impactbench.common.audit import record
from impactbench.common.errors import UnusableInput

Progress = Callable[[str], None]


@transaction.atomic
def write_results(*, actor: Any, results: ResultsFile, release: str, progress: Progress) -> dict[str, Any]:
    """Import a folder of results as the release of that slug and return the report (contract.md, 'Imported results').

    Its taxonomy and its run are named like the release. Given again, nothing changes (`status` is 'unchanged'), but
    for transcripts and texts that were missing before ('completed'). Raises FileProblem, UnusableInput for a name
    that is taken by something else, DomainError where verdicts of an existing release would change.
    """
    locking.wait_for(locking.IMPORTS)
    run = Run.objects.filter(slug=release).first()
    published = Release.objects.filter(slug=release).first()
    if run is None and published is None:
        _import(actor, results, release, progress)
        return _report(results, release, "imported", None)
    if run is None or published is None or run.kind != Run.Kind.IMPORTED:
        raise UnusableInput(f"the name {release!r} belongs to a run or release of its own; give another --release")
    attached = attach(results, run, progress)
    status = "unchanged" if attached.is_nothing else "completed"
    if not attached.is_nothing:
        record(actor=actor, action="results-completed", target=published, details=vars(attached))
    return _report(results, release, status, attached)


def _import(actor: Any, results: ResultsFile, release: str, progress: Progress) -> None:
    publishing.refuse_unusable_slug(release)
    if Taxonomy.objects.filter(slug=release).exists():
        raise UnusableInput(f"there is already a taxonomy {release!r}; give another --release")
    progress(f"{results.counts.metrics:,} metrics, {results.counts.scenarios:,} scenarios")
    definitions = written_definitions(results)
    taxonomy = written_taxonomy(results, release, definitions.versions)
    judge = JudgeConfiguration.objects.create(slug=f"not-published-{release}")
    run = _run(results, release, judge, definitions)
    for batch in batches(results.conversations(), progress):
        write_conversations(batch, run, judge, definitions)
    record(actor=actor, action="results-imported", target=run, details={"source": results.source.name})
    publishing.publish(actor=actor, slug=release, runs=[release], taxonomy=taxonomy.slug, progress=progress)


def _run(results: ResultsFile, release: str, judge: JudgeConfiguration, definitions: Definitions) -> Run:
    spec = {"source": results.source.resolve().name, "layout": results.layout}
    run = Run.objects.create(
        slug=release,
        kind=Run.Kind.IMPORTED,
        state=Run.State.FINISHED,
        spec=spec,
        spec_hash=hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest(),
    )
    run.metric_versions.set(definitions.versions.values())
    run.targets.set(definitions.models.values())
    run.judges.set([judge])
    return run


def _report(results: ResultsFile, slug: str, status: str, attached: Attached | None) -> dict[str, Any]:
    release = Release.objects.get(slug=slug)
    counts = results.counts
    return {
        "release": slug,
        "status": status,
        "source": str(results.source),
        "layout": results.layout,
        "models": release.n_models,
        "benchmarks": release.n_benchmarks,
        "metrics": release.n_metrics,
        "metrics_of_unknown_polarity": counts.metrics_of_unknown_polarity,
        "scenarios": counts.scenarios,
        "conversations": release.n_conversations,
        "verdicts": release.n_judged,
        "unjudged": dict(counts.unjudged),
        "extra_samples": counts.extra_samples,
        "partial_models": _partial_models(release),
        "transcripts": counts.transcripts,
        "transcripts_attached": counts.transcripts if attached is None else attached.transcripts,
        "transcripts_without_verdict": counts.transcripts_without_verdict,
        "verdict_disagreements": counts.verdict_disagreements,
    }


def _partial_models(release: Release) -> dict[str, int]:
    """The models tested on some of the metrics only, with how many those are."""
    tested = release.verdicts.values("model__slug").annotate(n=Count("metric_version", distinct=True))
    return {row["model__slug"]: row["n"] for row in tested.order_by("model__slug") if row["n"] < release.n_metrics}
