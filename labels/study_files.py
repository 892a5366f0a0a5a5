"""A published study as files: single ratings under pseudonyms, and everything that its page tells."""

from typing import Any

from evaluation.models import CorrectedRates, Rating, Study, StudyItem
from evaluation.selectors.studies.decided import decisions_of
from evaluation.selectors.studies.frames import items_with_names, verdicts_of
from evaluation.selectors.studies.published import public_analysis, released_ratings
from evaluation.services.studies.rating import form_of
from evaluation.statistics.pass_rates import outcome
from labels.tables import Table

RATING_COLUMNS = (
    "study", "item", "unit", "metric", "metric_version", "polarity", "scenario", "profile", "model", "conversation",
    "judged_present", "judged_passed", "rater", "question", "value", "seconds",
)  # fmt: skip


def ratings_table(study: Study) -> Table:
    """One line for each answer of raters who agreed that single ratings are published."""
    items = items_with_names(study)
    verdicts = verdicts_of(study, items)
    facts = {item.number: _facts(study, item, verdicts.get(item.number)) for item in items}
    rows = [[*facts[one.item.number], *line] for one in released_ratings(study) for line in _answers(one)]
    notes = (
        "Raters who did not agree to single ratings being published count in the analysis alone.",
        "Where one of a metric’s raters did not, it has no single ratings here: the average would tell that rater’s.",
    )
    return Table(f"study-{study.public_id}", RATING_COLUMNS, rows, _release(study), notes)


def study_document(study: Study) -> dict[str, Any]:
    """What a study was, what it found and what was rated, for programs."""
    table = ratings_table(study)
    return {
        "study": study.public_id,
        "kind": study.kind,
        "title": study.title,
        "preset": study.preset or None,
        "design": study.design,
        "seed": study.seed,
        "sampling_frame": study.sampling_frame,
        "strata": study.drawn,
        "short": study.short,
        "release": _release(study) or None,
        "opened_at": _time(study.opened_at),
        "closed_at": _time(study.closed_at),
        "published_at": _time(study.published_at),
        "notes": list(table.notes),
        "analysis": public_analysis(study),
        "corrected_rates": [
            _corrected(one) for one in CorrectedRates.objects.filter(study=study).select_related("release")
        ],
        "decisions": decisions_of(study),
        "ratings": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
    }


def _corrected(found: CorrectedRates) -> dict[str, Any]:
    names = ("n_labels", "n_adjudicated", "n_unlabelled", "rates", "reason")
    return {"release": found.release.slug, **{name: getattr(found, name) for name in names}}


def _facts(study: Study, item: StudyItem, present: bool | None) -> list[object]:
    version = item.metric_version
    scenario = item.scenario
    return [
        study.public_id,
        item.number,
        item.unit,
        version.metric.slug,
        version.number,
        version.polarity,
        scenario.source_id if scenario else None,
        scenario.profile.slug if scenario else None,
        item.target.slug if item.target else None,
        item.conversation.public_id if item.conversation else None,
        present,
        outcome(present, version.polarity),
    ]


def _answers(rating: Rating) -> list[list[object]]:
    asked = [question.key for question in form_of(rating.item).questions if question.key in rating.answers]
    return [[rating.rater.pseudonym, key, _value(rating.answers[key]), rating.seconds] for key in asked]


def _value(answer: object) -> object:
    return ", ".join(map(str, answer)) if isinstance(answer, list) else answer


def _release(study: Study) -> str:
    return study.release.slug if study.release else ""


def _time(moment: Any) -> str | None:
    return moment.isoformat() if moment else None
