"""Of many chats of one cell the first become squares, and how many more there are is said."""

from collections import Counter

import pytest
from django.test import RequestFactory

from evaluation.models import Verdict
from labels.metric_page import squares_of
from labels.queries import first_of_each, verdict_counts, verdicts_of
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


def test_each_cell_has_its_first_chats_and_knows_how_many_there_are() -> None:
    release = make_release()
    every = Counter(Verdict.objects.filter(release=release).values_list("model_id", flat=True))

    first = list(first_of_each(Verdict.objects.filter(release=release), 2, "model"))

    assert Counter(one.model_id for one in first) == {model: min(2, n) for model, n in every.items()}
    assert {one.model_id: one.n_of_cell for one in first} == every  # type: ignore[attr-defined]


def test_counts_of_a_metric_are_those_of_its_verdicts() -> None:
    release = make_release()
    version = release.metric_versions.order_by("pk")[0]
    verdicts = list(verdicts_of(release, version))

    counts = verdict_counts(release, version)

    assert sum(one.n for one in counts) == len(verdicts)
    assert sum(one.n_judged for one in counts) == sum(one.passed is not None for one in verdicts)
    assert sum(one.n_yes for one in counts) == sum(one.passed is True for one in verdicts)


def test_squares_say_how_many_more_chats_there_are(rf: RequestFactory) -> None:
    release = make_release()
    found = verdicts_of(release, release.metric_versions.order_by("pk")[0])
    n = found.count()

    shown = str(squares_of(rf.get("/"), "positive", list(first_of_each(found, 1, "release"))))

    assert shown.count('class="sq ') == 1
    assert f'<a class="sm" href="#scn">and {n - 1} more chats</a>' in shown
