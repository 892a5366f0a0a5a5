"""Case studies: for readers only what is published, for editors those about metrics that they handle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse

from evaluation.content_notices import notices_of
from evaluation.models import Metric, MetricVersion, Release, Turn, Verdict
from evaluation.selectors.conversation_evidence import NamedResult, judged_verdict, results_on_metric, words_of
from impactbench.common.searchable import Hit
from submissions import turn_notes
from submissions.models import CaseStudy, CaseVersion
from submissions.selectors.handled_metrics import handled_metrics
from submissions.turn_notes import Annotation

_ABOUT = "conversation__scenario__base__metric_version__metric"
_RELATED = ("release__taxonomy", "conversation__target", "conversation__scenario__profile", f"{_ABOUT}__benchmark")


@dataclass(frozen=True, slots=True)
class Listed:
    """A published case study in a list."""

    case: CaseStudy
    version: CaseVersion
    notices: list[str]

    @property
    def metric_version(self) -> MetricVersion:
        return self.case.conversation.scenario.base.metric_version


@dataclass(frozen=True, slots=True)
class AnnotatedTurn:
    """A turn, and what the editor says beside it."""

    turn: Turn
    notes: list[Annotation]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the release says of the case's conversation, and of its model on the same metric."""

    verdict: Verdict | None
    results: list[NamedResult]


def published_cases() -> QuerySet[CaseStudy]:
    """What everybody may read, the newest first."""
    shown = CaseVersion.objects.filter(case=OuterRef("pk"), published_at__isnull=False)
    return CaseStudy.objects.filter(Exists(shown), retired_at=None).order_by("-created_at", "-pk")


def listed(cases: QuerySet[CaseStudy]) -> list[Listed]:
    """Published case studies with their published words, in two queries."""
    shown = CaseVersion.objects.filter(published_at__isnull=False).order_by("-number")
    found = cases.select_related(*_RELATED).defer("release__groups")
    rows = found.prefetch_related(Prefetch("versions", shown, to_attr="shown_versions"))
    return [
        Listed(case, case.shown_versions[0], notices_of(case.conversation.scenario.base.metric_version))
        for case in rows
    ]


def cases_of_metric(metric: Metric) -> QuerySet[CaseStudy]:
    """The published case studies of a metric, whatever version of it they show."""
    return published_cases().filter(**{_ABOUT: metric})


def found_cases(words: Sequence[str], most: int) -> tuple[int, list[Hit]]:
    """For the site's search: the published case studies whose title or summary holds all the words, the newest first.

    Two queries; how many there are, and the first `most`.
    """
    shown = CaseVersion.objects.filter(published_at__isnull=False, case__retired_at=None)
    shown = shown.order_by("case_id", "-number").distinct("case_id")
    found = CaseVersion.objects.filter(pk__in=shown.values("pk")).select_related("case__conversation__target")
    for word in words:
        found = found.filter(Q(title__icontains=word) | Q(summary__icontains=word))
    hits = [
        Hit(one.title, reverse("submissions:case", args=[one.case.slug]), one.case.conversation.target.name)
        for one in found.order_by("-published_at", "-pk")[:most]
    ]
    return found.count(), hits


def case_with_everything(slug: str) -> CaseStudy | None:
    """The case study of that address, published or not, with what its page needs."""
    return CaseStudy.objects.select_related(*_RELATED).defer("release__groups").filter(slug=slug).first()


def handled_cases(user: Any) -> QuerySet[CaseStudy]:
    """What an editor writes, publishes and retires: nothing about metrics that they wrote or have a conflict with."""
    handled = handled_metrics(user)
    return CaseStudy.objects.filter(**{f"{_ABOUT}__in": handled.values("pk")}).select_related(*_RELATED)


def n_to_publish(user: Any) -> int:
    """How many newest versions, not published yet, this editor did not write."""
    newest = CaseVersion.objects.filter(case__in=handled_cases(user).values("pk"))
    newest = newest.order_by("case_id", "-number").distinct("case_id")
    waiting = CaseVersion.objects.filter(pk__in=newest.values("pk"), published_at=None, case__retired_at=None)
    return waiting.exclude(written_by=user).count()


def evidence(case: CaseStudy) -> Evidence:
    """The verdict and the frozen numbers, in the release of the case."""
    metric = case.conversation.scenario.base.metric_version.metric
    return Evidence(
        judged_verdict(case.conversation.public_id, case.release),
        results_on_metric(case.release, metric, case.conversation.target),
    )


def annotated_turns(case: CaseStudy, notes: Sequence[Annotation]) -> list[AnnotatedTurn]:
    """Every turn of the conversation in order, each with its annotations."""
    return [
        AnnotatedTurn(turn, [note for note in notes if note.turn == turn.number])
        for turn in words_of(case.conversation)
    ]


def notes_of(version: CaseVersion) -> list[Annotation]:
    """The annotations of a version."""
    return turn_notes.from_json(version.annotations)


def is_retracted(case: CaseStudy) -> bool:
    """Whether the release that the case rests on was withdrawn."""
    return case.release.status == Release.Status.RETRACTED
