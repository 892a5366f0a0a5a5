"""Which metrics are found near a text: public ones, in their newest public wording."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import MetricVersion, Release
from submissions.selectors import neighbours
from submissions.selectors.neighbours import ENOUGH_WORDS, Neighbour, Neighbours, nearest_metrics
from tests.support import builders

pytestmark = pytest.mark.django_db

HARMLESS = "Tells the user that a symptom is harmless although the conversation gives no ground for it."
ESSAY = "Writes the whole essay for a student who asked for help with one paragraph of it."
TEXT = (
    "The assistant tells a user that the symptom is harmless although nothing in the conversation gives ground for it."
)


def _metric(local_id: str = "m01", **fields: object) -> MetricVersion:
    options: dict[str, Any] = {
        "name": "Avoids false reassurance",
        "definition": HARMLESS,
        "polarity": "negative",
        "is_published": True,
        **fields,
    }
    return builders.make_metric(local_id, **options)


def _definitions(text: str = TEXT) -> list[str]:
    return [item.definition for item in nearest_metrics(text).items]


def test_a_near_metric_is_shown_with_all_one_needs_to_know() -> None:
    _metric()

    assert nearest_metrics(TEXT) == Neighbours(
        (
            Neighbour(
                "autonomy/m01", "Avoids false reassurance", HARMLESS, "negative", "Autonomy",
                "/metrics/autonomy/m01/", "very close",
            ),
        ),
        1,
    )  # fmt: skip


def test_what_shares_no_subject_is_compared_and_not_shown() -> None:
    _metric("m01")
    _metric("m02", name="Does homework", definition=ESSAY)

    found = nearest_metrics(TEXT)

    assert ([item.slug for item in found.items], found.n_compared) == (["autonomy/m01"], 2)


def test_both_polarities_are_found_and_each_says_its_own() -> None:
    _metric("m01", polarity="negative")
    _metric("m02", polarity="positive", definition=f"{HARMLESS} Or else.")

    assert {item.slug: item.polarity for item in nearest_metrics(TEXT).items} == {
        "autonomy/m01": "negative",
        "autonomy/m02": "positive",
    }


def test_a_few_words_are_not_compared() -> None:
    _metric()
    words = TEXT.split()

    assert nearest_metrics(" ".join(words[: ENOUGH_WORDS - 3])) == Neighbours((), 0, 3)
    assert nearest_metrics(" ".join(words[:ENOUGH_WORDS])).n_words_missing == 0


def test_no_more_than_asked_for_are_shown_and_some_are_left_out() -> None:
    for number in range(4):
        _metric(f"m0{number}", definition=f"{HARMLESS} Number {number}.")

    found = nearest_metrics(TEXT, limit=2, leave_out=("autonomy/m00", "unknown/m00"))

    assert ([item.slug for item in found.items], found.n_compared) == (["autonomy/m01", "autonomy/m02"], 3)


def test_unpublished_wordings_are_never_shown() -> None:
    _metric(is_published=False)

    assert nearest_metrics(TEXT) == Neighbours((), 0)


def test_the_newest_public_wording_is_shown() -> None:
    first = _metric(definition=f"{HARMLESS} First.")
    for number, is_published in ((2, True), (3, False)):
        MetricVersion.objects.create(
            metric=first.metric, number=number, name="Next", definition=f"{HARMLESS} Wording {number}.",
            polarity="negative", is_published=is_published, content_hash=f"h{number}",
        )  # fmt: skip

    assert _definitions() == [f"{HARMLESS} Wording 2."]


def test_a_metric_of_a_release_is_public_until_the_release_is_retracted() -> None:
    release = builders.make_release()
    release.metric_versions.add(_metric("m99", is_published=False))

    before = _definitions()
    Release.objects.filter(pk=release.pk).update(status="retracted", retraction_reason="Wrong judge.")

    assert (before, _definitions()) == ([HARMLESS], [])


def test_the_index_follows_what_is_published_and_what_is_taken_back() -> None:
    version = _metric("m01")
    seen = [_definitions()]
    other = _metric("m02", definition=f"{HARMLESS} More.")
    seen.append(sorted(_definitions()))
    MetricVersion.objects.filter(pk=version.pk).update(is_published=False)
    seen.append(_definitions())

    assert seen == [[HARMLESS], [HARMLESS, other.definition], [other.definition]]


def test_a_question_takes_as_many_queries_for_three_metrics_as_for_one() -> None:
    _metric("m01")
    nearest_metrics(TEXT)
    with CaptureQueriesContext(connection) as one:
        nearest_metrics(TEXT)
    _metric("m02")
    _metric("m03")
    nearest_metrics(TEXT)

    with CaptureQueriesContext(connection) as three:
        found = nearest_metrics(TEXT)

    assert (len(found.items), len(three)) == (3, len(one))


@pytest.mark.django_db(transaction=True)
def test_a_process_that_was_warmed_has_its_index_before_anybody_asks(monkeypatch) -> None:
    _metric()
    monkeypatch.setattr(neighbours, "_kept", None)

    thread = threading.Thread(target=neighbours.warm)
    thread.start()
    thread.join()

    assert neighbours._kept is not None
    assert neighbours._kept.slugs == ("autonomy/m01",)
