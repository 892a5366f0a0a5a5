"""Which open studies a publication would tell of, and what their raters say they know of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q, QuerySet

from evaluation.models import RaterDeclaration, Rating, Release, Run, Study, StudyItem, StudyRater
from evaluation.models.disclosure import Knowledge
from evaluation.studies.kinds import JUDGE, KINDS, MODEL

# Kinds that hide something which a release or the files of a study tell.
BLIND = tuple(kind.slug for kind in KINDS.values() if kind.hides & {MODEL, JUDGE})
_UNFINISHED = (StudyRater.State.INVITED, StudyRater.State.ACCEPTED)
_LEAST_TO_MOST = tuple(Knowledge.values)


def told_by_release(runs: Iterable[Run]) -> list[Study]:
    """Open studies whose hidden verdicts a release of these runs would show, each with its `n_unfinished` raters."""
    return _open_ones(StudyItem.objects.filter(conversation__run__in=list(runs)))


def told_by_study(study: Study) -> list[Study]:
    """Other open studies of the same conversations, each with its `n_unfinished` raters."""
    items = StudyItem.objects.filter(conversation__in=_conversations(study))
    return [told for told in _open_ones(items) if told.pk != study.pk]


def is_public(study: Study) -> bool:
    """Whether what the study hides can be looked up: in a release, or in the files of another study."""
    if study.is_public_material or Release.objects.filter(runs__studies=study).exists():
        return True
    published = StudyItem.objects.filter(study__state=Study.State.PUBLISHED, conversation__in=_conversations(study))
    return published.exclude(study=study).exists()


def must_declare(rater: StudyRater) -> bool:
    """Whether something became public since the rater accepted, or last said what they know."""
    if rater.state != StudyRater.State.ACCEPTED or rater.accepted_at is None:
        return False
    last = RaterDeclaration.objects.filter(rater=rater).order_by("-made_at").first()
    since = last.made_at if last else rater.accepted_at
    return rater.study.disclosures.filter(made_at__gt=since).exists()


def knowledge_in(study: Study) -> dict[str, Any]:
    """What was public, and how many of those who rated said what of it; {} where nothing was to be said.

    `declared` counts each rater once, by the most they ever said to know.
    """
    disclosures = list(study.disclosures.select_related("release", "other"))
    rated = StudyRater.objects.filter(study=study, ratings__state=Rating.State.SUBMITTED).distinct()
    n_looked_up = rated.filter(has_not_looked_up=True).count()
    if not disclosures and not n_looked_up:
        return {}
    said: dict[int, int] = {}
    for rater, knows in RaterDeclaration.objects.filter(rater__in=rated).values_list("rater", "knows"):
        said[rater] = max(said.get(rater, 0), _LEAST_TO_MOST.index(knows))
    most = list(said.values())
    return {
        "n_raters": rated.count(),
        "n_not_looked_up": n_looked_up,
        "became_public": [
            {
                "what": "release" if one.release else "study",
                "name": one.release.slug if one.release else one.other.public_id if one.other else "",
                "at": one.made_at.isoformat(),
            }
            for one in disclosures
        ],
        "declared": {knows: most.count(place) for place, knows in enumerate(_LEAST_TO_MOST)},
    }


def _open_ones(items: QuerySet[StudyItem]) -> list[Study]:
    """Those with somebody who has yet to finish: who is asked later declares when they accept."""
    found = Study.objects.filter(state=Study.State.OPEN, kind__in=BLIND, pk__in=items.values("study"))
    n_unfinished = Count("raters", filter=Q(raters__state__in=_UNFINISHED))
    return list(
        found.defer("analysis").annotate(n_unfinished=n_unfinished).filter(n_unfinished__gt=0).order_by("title", "pk")
    )


def _conversations(study: Study) -> QuerySet[Any]:
    return StudyItem.objects.filter(study=study, conversation__isnull=False).values("conversation")
