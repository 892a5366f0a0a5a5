"""What everybody may read of published studies: their analysis, and single ratings of raters who agreed to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from evaluation.models import Adjudication, MetricVersion, Rating, Study, StudyItem
from evaluation.selectors.studies.frames import items_frame, ratings_frame, submitted
from evaluation.studies.kinds import EXPERT_REVIEW
from evaluation.studies.status import Evidence, evidence_of, merged

RATER, ITEM = "rater", "item"


def published_studies() -> QuerySet[Study]:
    """The newest first; the analysis of each is fetched when somebody asks for it."""
    return Study.objects.defer("analysis").filter(state=Study.State.PUBLISHED).order_by("-published_at", "-pk")


def public_analysis(study: Study) -> dict[str, Any]:
    """The frozen analysis without what tells single ratings of raters who did not agree to their publication.

    That is every row of a single rater, also of a metric, benchmark or polarity (`withheld`) that nobody else rated;
    and the counts of a disagreement about an item that such a rater rated, as beside those of the others they would
    tell that rating.
    """
    raters = _raters_of(study)
    alone = {group for group, found in raters.items() if len(found) == 1 and not all(found.values())}
    items = {key for (by, key), found in raters.items() if by == ITEM and not all(found.values())}
    kept = {name: _without(alone, part) for name, part in (study.analysis or {}).items()}
    kept["disagreements"] = [row for row in kept.get("disagreements", []) if row["item"] not in items]
    withheld = [{"by": by, "key": key} for by, key in sorted(alone, key=str) if by != ITEM]
    return {**kept, "withheld": withheld} if withheld else kept


def released_ratings(study: Study) -> list[Rating]:
    """The submitted ratings of raters who agreed that single ones are published, by item and seat.

    None of a metric in which all but one agreed: the published row of the metric less theirs would be that one's.
    """
    raters = _raters_of(study)
    told = {key for (by, key), found in raters.items() if by == "metric" and _refusing(found) == 1 < len(found)}
    ratings = submitted(study, released=True)
    metrics = dict(study.items.values_list("pk", "metric_version__metric__slug"))
    return [rating for rating in ratings if metrics[rating.item_id] not in told]


def evidence_for(versions: Iterable[MetricVersion]) -> dict[int, Evidence]:
    """What published expert reviews hold on each version, by its key, and how many conversations stay contested."""
    wanted = {version.pk for version in versions}
    found: dict[int, list[Evidence]] = defaultdict(list)
    reviews = published_studies().filter(kind=EXPERT_REVIEW, items__metric_version__in=wanted).distinct()
    for study in reviews:
        of_study = StudyItem.objects.filter(study=study, metric_version__in=wanted)
        by_slug = dict(of_study.values_list("metric_version__metric__slug", "metric_version"))
        held = evidence_of(ratings_frame(study), items_frame(study), study=study.public_id)
        for slug, evidence in held.items():
            if slug in by_slug:
                found[by_slug[slug]].append(evidence)
    for key, n in _contested(wanted).items():
        found[key].append(Evidence(n_contested=n))
    return {key: merged(found[key]) for key in wanted}


def _contested(versions: set[int]) -> dict[int, int]:
    """How many items of published studies stay contested by the newest decision on each, by the version's key."""
    rows = Adjudication.objects.filter(
        item__metric_version__in=versions, item__study__state=Study.State.PUBLISHED
    ).order_by("made_at", "pk")
    newest = {item: (version, outcome) for item, version, outcome in
              rows.values_list("item", "item__metric_version", "outcome")}  # fmt: skip
    counts: dict[int, int] = defaultdict(int)
    for version, outcome in newest.values():
        counts[version] += outcome == Adjudication.Outcome.CONTESTED
    return {version: n for version, n in counts.items() if n}


def _raters_of(study: Study) -> dict[tuple[str, Any], dict[int, bool]]:
    """Who rated each item and each group of the analysis: whether single ratings may be published, by rater."""
    version = "item__metric_version"
    rows = Rating.objects.filter(item__study=study, state=Rating.State.SUBMITTED).values_list(
        "rater",
        "rater__consents_to_release",
        "item__number",
        f"{version}__metric__slug",
        f"{version}__metric__benchmark__slug",
        f"{version}__polarity",
    )
    found: dict[tuple[str, Any], dict[int, bool]] = defaultdict(dict)
    for rater, agrees, number, metric, benchmark, polarity in rows:
        for group in ((ITEM, number), ("metric", metric), ("benchmark", benchmark), ("polarity", polarity)):
            found[group][rater] = bool(agrees)
    return found


def _refusing(raters: dict[int, bool]) -> int:
    return sum(not agrees for agrees in raters.values())


def _without(groups: set[tuple[str, Any]], part: Any) -> Any:
    """A part of an analysis without the rows of single raters and of these groups."""
    if not isinstance(part, list):
        return part
    return [row for row in part if not (isinstance(row, dict) and (_is_of_one(row) or _group_of(row) in groups))]


def _is_of_one(row: dict[str, Any]) -> bool:
    return bool(row.get("by") == RATER or row.get(RATER))


def _group_of(row: dict[str, Any]) -> tuple[Any, Any]:
    return row.get("by"), row.get("key")
