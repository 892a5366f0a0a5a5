"""Experts' labels stand beside the rates of a release: made when the later of the two is published, and frozen."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from evaluation.models import CorrectedRates, Release, Result, Study, Verdict
from evaluation.services.studies import adjudicating, closing, publishing
from evaluation.services.studies.correcting import NO_LABELS, UNDECIDED
from evaluation.statistics.judge_error import prediction_powered_rate
from impactbench.accounts.models import User
from tests.support.builders import make_finished_run, make_release
from tests.support.labelled_studies import make_labelled_study
from tests.support.portal import make_person
from tests.support.published_studies import make_published_study
from tests.support.studies import make_study, rate_all, take_seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def release() -> Release:
    return make_release()


def _by_hand(study: Study, release: Release, polarity: str) -> Any:
    """Label and verdict of each conversation, joined in another way than the code does."""
    items = list(study.items.filter(unit="conversation").select_related("metric_version__metric"))
    labels = {
        item.conversation_id: number % 2 == 1
        for number, item in enumerate(items)
        if item.metric_version.polarity == polarity
    }
    verdicts = Verdict.objects.filter(release=release, metric_version__polarity=polarity, passed__isnull=False)
    rows = list(verdicts.order_by("pk").values_list("conversation_id", "metric_version__metric__slug", "passed"))
    known = [(labels[pk], passed, metric) for pk, metric, passed in rows if pk in labels]
    said, judged, metrics = (list(column) for column in zip(*known, strict=True))
    return prediction_powered_rate(said, judged, [bool(p) for pk, _, p in rows if pk not in labels], clusters=metrics)


def test_publishing_a_study_puts_corrected_rates_beside_those_of_the_release(manager: User, release: Release) -> None:
    study = make_labelled_study(manager, release)
    before = list(Result.objects.filter(release=release).order_by("pk").values())

    publishing.publish_study(study, actor=manager)

    found = CorrectedRates.objects.get()
    rows = {(row["polarity"], row["target"]): row for row in found.rates}
    assert (found.study, found.release, found.reason, found.n_unlabelled) == (study, release, "", 0)
    assert (found.n_labels, found.n_adjudicated) == (48, 24)
    assert list(Result.objects.filter(release=release).order_by("pk").values()) == before
    for polarity in ("positive", "negative"):
        expected, row = _by_hand(study, release, polarity), rows[polarity, None]
        own = Result.objects.get(release=release, group="overall", model=None, profile="all", polarity=polarity)
        assert (
            (row["labels"], row["judged"]) == (expected.n_labelled, expected.n_judged) == (row["labels"], own.n_judged)
        )
        assert {name: row["corrected"][name] for name in ("value", "low", "high")} == {
            "value": pytest.approx(expected.value),
            "low": pytest.approx(expected.low),
            "high": pytest.approx(expected.high),
        }
        assert (row["judge"]["value"], row["judge"]["low"]) == (own.pass_rate, own.ci_low)
        assert row["corrected"]["method"] == "prediction-powered"


def test_a_release_that_comes_after_the_study_gets_the_same_rates(manager: User, release: Release) -> None:
    publishing.publish_study(make_labelled_study(manager, release), actor=manager)

    later = make_release("2026-b", run=release.runs.get())

    first, second = CorrectedRates.objects.order_by("pk")
    assert (second.release, second.rates) == (later, first.rates)


def test_too_few_labels_are_told_without_a_number(manager: User, release: Release) -> None:
    make_published_study(manager, runs=(release.runs.get(),))

    found = CorrectedRates.objects.get()

    assert found.n_labels == 4
    assert {(row["corrected"]["value"], row["corrected"]["reason"]) for row in found.rates} == {
        (None, "fewer than 10 labels")
    }


def test_a_study_of_a_run_that_is_not_public_waits_for_its_release(manager: User) -> None:
    run = make_finished_run()
    study = make_published_study(manager, runs=(run,))
    before = CorrectedRates.objects.count()

    release = make_release("2026-b", run=run)

    found = CorrectedRates.objects.get()
    assert (before, found.study, found.release, found.n_labels) == (0, study, release, 4)


def test_a_study_without_a_single_label_says_so(manager: User, release: Release) -> None:
    make_published_study(manager, runs=(release.runs.get(),), mains=("pass", "fail"))

    found = CorrectedRates.objects.get()

    assert (found.n_labels, found.n_unlabelled, found.rates, found.reason) == (0, 4, [], NO_LABELS)


@pytest.mark.parametrize(("settles", "reason"), [(False, UNDECIDED), (True, "")])
def test_a_judgment_review_counts_once_its_disagreements_are_decided(
    manager: User, release: Release, settles: bool, reason: str
) -> None:
    study = make_study(manager, "judgment-review", runs=(release.runs.get(),))
    for name, main in (("Rita", "agree"), ("Otto", "disagree")):
        person = make_person(name)
        rate_all(take_seat(study, manager, person), person, main=main)
    closed = closing.close_study(study, actor=manager)
    for item in study.items.all() if settles else ():
        adjudicating.adjudicate(item, outcome="present", reasons="It is there.", actor=manager)

    publishing.publish_study(closed, actor=manager)

    found, n = CorrectedRates.objects.get(), 3 if settles else 0
    assert (found.reason, found.n_adjudicated, found.n_labels, found.n_unlabelled) == (reason, n, n, 3 - n)


def test_corrected_rates_are_frozen(manager: User, release: Release) -> None:
    make_published_study(manager, runs=(release.runs.get(),))

    for change in (
        lambda: CorrectedRates.objects.update(n_labels=99),
        lambda: CorrectedRates.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
