"""The data that the browser tests and the load figures stand on are what they say they are."""

import pytest

from evaluation.models import Conversation, MetricVersion, Release, Result, Verdict
from submissions.models import CaseStudy
from tests.support import july_shape, july_words
from tests.support.july_shape import SMALL

pytestmark = pytest.mark.django_db


def test_the_data_hold_what_pages_get_wrong() -> None:
    release = july_shape.build(SMALL)

    # The same seed gives the same verdicts.
    assert Verdict.objects.filter(release=release, passed=True).count() == 495
    assert release.n_unjudged > 0
    _models_are_difficult(release)
    for kind, public_id in july_shape.NOTABLE.items():
        _is_hard_to_show(Conversation.objects.get(public_id=public_id), july_words.SPECIAL[kind])
    sensitive = Conversation.objects.get(public_id=july_shape.SENSITIVE)
    statuses = {MetricVersion.objects.get(metric__slug=slug).status for slug in july_words.STATUSES.values()}
    assert statuses | {"machine-judged"} == set(MetricVersion.Status.values)
    assert CaseStudy.objects.get(slug=july_shape.CASE).conversation.turns.count() == 4
    assert sensitive.scenario.base.metric_version.metric.benchmark.content_notices == ["Talk of self-harm"]


def _models_are_difficult(release: Release) -> None:
    assert release.n_models == 16
    assert len(july_words.LONG_NAME) == 60
    assert _coverage(release, july_words.MODELS[0].slug) == 1
    assert 0.5 < _coverage(release, july_words.PARTIAL) < 0.8
    assert _coverage(release, july_words.UNDER_HALF) < 0.5
    assert not Verdict.objects.filter(model__slug=july_words.WITHOUT_TEENS, profile__slug="teen").exists()
    assert _rates(release, july_words.ALL_FAILED) == {0.0}
    assert _rates(release, july_words.ALL_PASSED) == {1.0}


def _coverage(release: Release, model: str) -> float:
    results = Result.objects.filter(release=release, group="overall", profile="all", model__slug=model)
    return min(result.coverage for result in results)


def _rates(release: Release, model: str) -> set[float | None]:
    return set(Result.objects.filter(release=release, model__slug=model).values_list("pass_rate", flat=True))


def _is_hard_to_show(conversation: Conversation, words: str) -> None:
    reply = conversation.turns.get(number=3).reply or ""
    quotes = [item["quote"] for item in conversation.judgments.get().evidence]
    assert words.strip() in reply
    assert len(quotes) == 2
    assert all(quote in reply for quote in quotes)
