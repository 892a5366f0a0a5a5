"""The conversations that people have settled, and how far each judge that was asked about them agrees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from evaluation.models import Adjudication, JudgeConfiguration, Judgment, Rating, Study, StudyItem
from evaluation.statistics.agreement import strict_majority
from evaluation.statistics.verdicts import majority, outcome
from evaluation.studies.calibration import Calibration, calibration
from evaluation.studies.forms import FAIL, PASS
from evaluation.studies.labels import CONTESTED, PRESENT

# What nobody can change any more: raters of an open study would be told by a number that moves.
_OVER = (Study.State.CLOSED, Study.State.PUBLISHED)
# A single rater is no majority.
_LEAST_RATINGS = 2
_READS_SAVED = (Study.Kind.JUDGE_COMPARISON, Study.Kind.JUDGE_REPEATABILITY)
_VERSION = "item__metric_version"


@dataclass(frozen=True)
class Settled:
    """The outcome of one conversation by people: decided by an editor, or by what most raters of several said."""

    metric: str
    polarity: str
    passed: bool
    is_decided: bool


@dataclass(frozen=True)
class CalibrationSet:
    """The settled conversations by key, and how many are left out as they stay contested."""

    conversations: dict[int, Settled]
    n_contested: int

    @property
    def n_decided(self) -> int:
        return sum(one.is_decided for one in self.conversations.values())


@dataclass(frozen=True)
class JudgeCalibration:
    """A judge with what it said of the settled conversations that it was asked about."""

    judge: JudgeConfiguration
    result: Calibration


def calibration_set() -> CalibrationSet:
    """The newest decision on each conversation, else the strict majority of an expert review with two ratings or more.

    Only of studies that are closed. Contested ones are left out, and those on which the majorities of two studies
    differ. Two queries.
    """
    decided = _decided()
    found = _majorities()
    contested = 0
    for key, (metric, polarity, said) in decided.items():
        found.pop(key, None)
        if said == CONTESTED:
            contested += 1
        elif (passed := outcome(said == PRESENT, polarity)) is not None:
            found[key] = Settled(metric, polarity, passed, is_decided=True)
    return CalibrationSet(found, contested)


def judge_calibrations(known: CalibrationSet) -> list[JudgeCalibration]:
    """Every judge that was asked about a settled conversation, by its slug; by the rules of the settings.

    Its verdict on a conversation is the majority of all its readings, those of saved copies in studies among them.
    """
    votes: dict[int, dict[int, list[bool | None]]] = defaultdict(lambda: defaultdict(list))
    for judge, key, present in _readings(known):
        votes[judge][key].append(present)
    judges = JudgeConfiguration.objects.filter(pk__in=votes).select_related("language_model").order_by("slug")
    return [JudgeCalibration(judge, _calibration(votes[judge.pk], known)) for judge in judges]


def _calibration(votes: dict[int, list[bool | None]], known: CalibrationSet) -> Calibration:
    asked = sorted(votes)
    of = [known.conversations[key] for key in asked]
    judged = [outcome(majority(votes[key])[0], one.polarity) for key, one in zip(asked, of, strict=True)]
    return calibration(judged, [one.passed for one in of], [one.metric for one in of], **settings.CALIBRATION_RULES)


def _decided() -> dict[int, tuple[str, str, str]]:
    rows = Adjudication.objects.filter(item__study__state__in=_OVER, item__conversation__isnull=False)
    values = rows.order_by("made_at", "pk").values_list(
        "item__conversation", f"{_VERSION}__metric__slug", f"{_VERSION}__polarity", "outcome"
    )
    return {key: (metric, polarity, said) for key, metric, polarity, said in values}


def _majorities() -> dict[int, Settled]:
    rows = Rating.objects.filter(
        item__study__state__in=_OVER,
        item__study__kind=Study.Kind.EXPERT_REVIEW,
        item__conversation__isnull=False,
        state=Rating.State.SUBMITTED,
        answers__has_key="outcome",
    )
    given: dict[tuple[int, int], list[str]] = defaultdict(list)
    facts: dict[int, tuple[str, str]] = {}
    for item, key, metric, polarity, said in rows.order_by("item", "pk").values_list(
        "item", "item__conversation", f"{_VERSION}__metric__slug", f"{_VERSION}__polarity", "answers__outcome"
    ):
        given[item, key].append(said)
        facts[key] = (metric, polarity)
    said_of: dict[int, set[bool]] = defaultdict(set)
    for (_, key), said in given.items():
        value = strict_majority(said, among=(PASS, FAIL)) if len(said) >= _LEAST_RATINGS else None
        if value is not None:
            said_of[key].add(value == PASS)
    return {key: Settled(*facts[key], passed, False) for key, (passed, *others) in said_of.items() if not others}


def _readings(known: CalibrationSet) -> Iterator[tuple[int, int, bool | None]]:
    """Judge, settled conversation and verdict of every judgment of it or of a copy that a study by machine made."""
    judged = Judgment.objects.filter(conversation__in=known.conversations)
    yield from judged.values_list("judge", "conversation", "present")
    drawn = StudyItem.objects.filter(study__kind__in=_READS_SAVED, conversation__in=known.conversations)
    original = {
        (study, scenario, target): key
        for study, scenario, target, key in drawn.values_list(
            "study", "conversation__scenario", "conversation__target", "conversation"
        )
    }
    of_copies = Judgment.objects.filter(conversation__run__condition__study__in={study for study, *_ in original})
    for judge, present, *of in of_copies.values_list(
        "judge", "present", "conversation__run__condition__study", "conversation__scenario", "conversation__target"
    ):
        key = original.get((of[0], of[1], of[2]))
        if key is not None:
            yield judge, key, present
