"""What published studies found of a metric version, for its trust panel: newest first, pinned by release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Adjudication, CorrectedRates, MetricVersion, Release, Run, Study, StudyFinding
from evaluation.selectors.studies.decided import contested_on
from evaluation.study_tables.words import reason_words
from labels.study_words import split_words
from labels.transcripts import visible
from labels.wording import hundred, part_of

# These say something of verdicts, so they hold for the release whose verdicts they looked at, and for no other.
ABOUT_VERDICTS = (Study.Kind.EXPERT_REVIEW, Study.Kind.JUDGMENT_REVIEW, Study.Kind.JUDGE_REPEATABILITY)
_UPPER = ("3", "4")


@dataclass(frozen=True)
class StudyLink:
    """A published study with the day of its publication."""

    title: str
    path: str
    day: str


@dataclass(frozen=True)
class Finding:
    """One checked number in words, such as '7 of 9 chats', with its range, and the study that it comes from."""

    value: str
    detail: str = ""
    study: StudyLink | None = None


@dataclass(frozen=True)
class Contested:
    """A conversation on which people did not agree in the end: how they rated it, and the reasons of both sides."""

    split: str
    reasons: str
    study: StudyLink


@dataclass(frozen=True)
class Studied:
    """What studies found of a metric version; None where none has looked."""

    repeatability: Finding | None = None
    human_agreement: Finding | None = None
    realism: Finding | None = None
    accuracy: Finding | None = None
    relevance: Finding | None = None
    last_reviewed: date | None = None
    studies: list[StudyLink] = field(default_factory=list)
    contested: list[Contested] = field(default_factory=list)


def studied(version: MetricVersion, release: Release | None) -> Studied:
    """What is known of this wording. What is about verdicts counts for the shown release alone. Two queries."""
    found = list(_findings(version, release))
    of_version = [one for one in found if one.metric_version_id is not None]
    reviews = [one for one in of_version if one.kind in (Study.Kind.EXPERT_REVIEW, Study.Kind.JUDGMENT_REVIEW)]
    return Studied(
        repeatability=_first(of_version, _repeatability(version.polarity))
        or _first(found, _repeatability(version.polarity)),
        human_agreement=_first(of_version, _beside_the_judge) or _first(of_version, _agreed),
        realism=_first(of_version, _marks("realism")) or _first(of_version, _yes("plausible")),
        accuracy=_first(of_version, _marks("quality")) or _first(of_version, _yes("tests_metric")),
        relevance=_first(of_version, _relevance),
        last_reviewed=max((one.study.closed_at.date() for one in reviews if one.study.closed_at), default=None),
        studies=[study_link(one) for one in of_version],
        contested=_contested(version, of_version),
    )


def study_link(finding: StudyFinding | CorrectedRates) -> StudyLink:
    """The study that something was found by."""
    study = finding.study
    day = date_format(study.published_at, "j F Y") if study.published_at else ""
    return StudyLink(visible(study.title), reverse("labels:study", args=[study.public_id]), day)


def holds_for(release: Release | None) -> Q:
    """Findings that may be said of a release: not those about the verdicts of another one."""
    about_more = ~Q(kind__in=ABOUT_VERDICTS)
    if release is None:
        return about_more
    return about_more | Q(release=release) | Q(Exists(Run.objects.filter(pk=OuterRef("run"), releases=release)))


def _findings(version: MetricVersion, release: Release | None) -> QuerySet[StudyFinding]:
    about = Q(metric_version=version) | Q(metric_version=None, kind=Study.Kind.JUDGE_REPEATABILITY)
    shown = StudyFinding.objects.filter(about, holds_for(release))
    return shown.select_related("study").defer("study__analysis").order_by(F("study__published_at").desc(), "-pk")


def _first(findings: list[StudyFinding], read: Callable[[StudyFinding], Finding | None]) -> Finding | None:
    return next((found for one in findings if (found := read(one)) is not None), None)


def _beside_the_judge(finding: StudyFinding) -> Finding | None:
    """The judge against the strict majority of the experts."""
    row = next(iter(finding.values.get("judge", [])), None)
    if finding.kind != Study.Kind.EXPERT_REVIEW or row is None:
        return None
    return _share(finding, row["agreement"], _("%(part)s chats"), _left_out(row["n_without_majority"]))


def _left_out(n: int) -> str:
    if not n:
        return ""
    return ngettext(
        "%(n)s chat without a clear majority left out.", "%(n)s chats without a clear majority left out.", n
    ) % {"n": n}


def _agreed(finding: StudyFinding) -> Finding | None:
    """How many ratings agreed with a verdict that they were shown."""
    row = _row(finding, "choices", "verdict")
    if finding.kind != Study.Kind.JUDGMENT_REVIEW or row is None:
        return None
    return _share(finding, row["shares"]["agree"], _("%(part)s ratings"), _("They were shown the verdict."))


def _marks(question: str) -> Callable[[StudyFinding], Finding | None]:
    """How many ratings were 3 or 4 on a scale of 1 to 4."""

    def read(finding: StudyFinding) -> Finding | None:
        row = _row(finding, "scales", question)
        if row is None or row["upper"] is None:
            return None
        return _share(finding, row["upper"], _("%(part)s ratings"), _("Marks of 3 or 4 from 1 to 4."))

    return read


def _yes(question: str) -> Callable[[StudyFinding], Finding | None]:
    def read(finding: StudyFinding) -> Finding | None:
        row = _row(finding, "choices", question)
        return None if row is None else _share(finding, row["shares"]["yes"], _("%(part)s ratings said yes"), "")

    return read


def _relevance(finding: StudyFinding) -> Finding | None:
    row = _row(finding, "scales", "relevance")
    if row is None or row["mean"]["value"] is None:
        return None
    rated = ngettext("%(n)s rating.", "%(n)s ratings.", row["n"]) % {"n": row["n"]}
    value = _("%(mean)s of 4") % {"mean": f"{row['mean']['value']:.1f}"}
    low, high = row["mean"]["low"], row["mean"]["high"]
    caution = reason_words(row["mean"].get("reason") or "")
    words = _("Range %(low)s to %(high)s; %(caution)s.") if caution else _("Range %(low)s to %(high)s.")
    between = "" if low is None else words % {"low": f"{low:.1f}", "high": f"{high:.1f}", "caution": caution}
    return Finding(value, _sentences(rated, between or _no_range(row["mean"])), study_link(finding))


def _repeatability(polarity: str | None) -> Callable[[StudyFinding], Finding | None]:
    """How often the judge said the same each time: of this metric, else over all metrics of its kind."""

    def read(finding: StudyFinding) -> Finding | None:
        is_own = finding.metric_version_id is not None
        values = finding.values.get("of_metric", {}) if is_own else finding.values
        row = next((one for one in values.get("repeatability", []) if one["polarity"] == polarity), None)
        if finding.kind != Study.Kind.JUDGE_REPEATABILITY or row is None:
            return None
        share = {**row["unanimity"], "n": row["n_conversations"]}
        more = "" if is_own else _("Over all metrics of this kind in the study.")
        return _share(finding, share, _("%(part)s chats"), more)

    return read


def _contested(version: MetricVersion, findings: list[StudyFinding]) -> list[Contested]:
    """What stays contested as of today, as the status does: a decision may come after the study was published."""
    of_study = {finding.study_id: finding for finding in findings}
    found = sorted(contested_on(version, list(of_study)), key=lambda row: list(of_study).index(row.item.study_id))
    return [_split(row, of_study[row.item.study_id]) for row in found]


def _split(decision: Adjudication, finding: StudyFinding) -> Contested:
    splits = {row["item"]: row["counts"] for row in finding.values.get("disagreements", [])}
    return Contested(split_words(splits.get(decision.item.number, {})), visible(decision.reasons), study_link(finding))


def _row(finding: StudyFinding, part: str, question: str) -> dict[str, Any] | None:
    return next((row for row in finding.values.get(part, []) if row["question"] == question), None)


def _share(finding: StudyFinding, found: Mapping[str, Any], words: str, more: str) -> Finding:
    """A share as its count of all, so that a few are not made to look like many."""
    if found["value"] is None:
        return Finding(_("Too little to say"), more, study_link(finding))
    value = words % {"part": part_of(round(found["value"] * found["n"]), found["n"])}
    if found["low"] is None:
        return Finding(value, _sentences(_no_range(found), more), study_link(finding))
    ends = {"low": hundred(found["low"]), "high": hundred(found["high"])}
    caution = reason_words(found.get("reason") or "")
    with_caution = _("Range %(low)s to %(high)s of 100; %(caution)s.")
    said = with_caution if caution else _("Range %(low)s to %(high)s of 100.")
    between = said % {**ends, "caution": caution}
    return Finding(value, _sentences(between, more), study_link(finding))


def _no_range(found: Mapping[str, Any]) -> str:
    return _("No range: too little to draw from.") if found["low"] is None else ""


def _sentences(*parts: str) -> str:
    return " ".join(part for part in parts if part)
