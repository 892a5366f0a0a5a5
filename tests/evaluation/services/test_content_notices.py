"""Content notices: set on what was used already, at once and with a history, and never lost by what comes later."""

from pathlib import Path

import pytest

from evaluation.content_notices import notices_of
from evaluation.models import Benchmark, MetricVersion
from evaluation.services.content_notices import (
    ChangedMeanwhile,
    changes_of,
    notices_of_metric,
    set_on_benchmark,
    set_on_metric,
)
from evaluation.services.verification import verify
from impactbench.common.errors import DomainError
from tests.evaluation.importers.test_writing_benchmarks import definition, imported, rows, write
from tests.support.builders import make_metric, make_release

pytestmark = pytest.mark.django_db
WHY = "Scenario 2 speaks of it."


def test_a_version_that_a_release_rests_on_gets_notices_and_nothing_else_changes() -> None:
    release = make_release()
    version = release.metric_versions.first()
    assert version is not None
    before = MetricVersion.objects.filter(pk=version.pk).values().get()

    is_set = set_on_metric(version.metric, ["violence"], seen=[], reason=WHY, actor=None)

    assert is_set
    assert MetricVersion.objects.filter(pk=version.pk).values().get() == {**before, "content_notices": ["violence"]}
    assert verify(release.slug) == []


def test_all_versions_of_a_metric_get_the_same_in_the_order_of_the_list() -> None:
    first = make_metric(content_notices=["hate"])
    second = MetricVersion.objects.create(
        metric=first.metric, number=2, name="n", definition="d", polarity="positive", content_hash="2"
    )

    set_on_metric(first.metric, ["a  tight room", "violence", "violence", " "], seen=["hate"], reason=WHY, actor=None)

    for version in (first, second):
        version.refresh_from_db()
    assert [version.content_notices for version in (first, second)] == [["violence", "a tight room"]] * 2


def test_withdrawing_is_a_change_with_its_reason_in_the_history() -> None:
    metric = make_metric(content_notices=["grief"]).metric

    set_on_metric(metric, [], seen=["grief"], reason=" It was a mistake. ", actor=None)

    [change] = changes_of(metric)
    assert change.details == {"before": ["grief"], "after": [], "reason": "It was a mistake."}
    assert notices_of_metric(metric) == []


def test_the_same_again_changes_nothing_and_tells_nothing() -> None:
    metric = make_metric(content_notices=["grief"]).metric

    assert not set_on_metric(metric, ["grief"], seen=["grief"], reason=WHY, actor=None)
    assert changes_of(metric) == []


def test_what_another_editor_set_meanwhile_is_not_overwritten() -> None:
    metric = make_metric().metric
    set_on_metric(metric, ["hate"], seen=[], reason=WHY, actor=None)

    with pytest.raises(ChangedMeanwhile) as told:
        set_on_metric(metric, ["violence"], seen=[], reason=WHY, actor=None)

    assert str(told.value) == ("Another editor set the notices meanwhile. They are now: hate. Look, and save again.")
    assert notices_of_metric(metric) == ["hate"]


@pytest.mark.parametrize(
    ("notices", "reason", "told"),
    [
        (["violence"], " ", "Say why; other editors read it in the history."),
        (["x" * 81], WHY, f"Shorten “{'x' * 40}…” to 80 characters: a notice is a word or two."),
        ([f"word {n}" for n in range(13)], WHY, "Keep to 12 notices; readers stop reading longer lists."),
        (["self\u202eharm"], WHY, "A notice holds characters that cannot be seen. Type it anew."),
        (["violence"], "x" * 2001, "Shorten the reason to 2,000 characters."),
    ],
)
def test_what_cannot_be_kept_is_refused_with_what_to_do(notices: list[str], reason: str, told: str) -> None:
    metric = make_metric().metric

    with pytest.raises(DomainError) as error:
        set_on_metric(metric, notices, seen=[], reason=reason, actor=None)

    assert str(error.value) == told
    assert notices_of_metric(metric) == []


def test_notices_of_a_benchmark_stand_before_those_of_each_of_its_metrics() -> None:
    version = make_metric(content_notices=["grief", "violence"])
    set_on_benchmark(version.metric.benchmark, ["violence"], seen=[], reason=WHY, actor=None)
    version = MetricVersion.objects.select_related("metric__benchmark").get(pk=version.pk)

    assert notices_of(version) == ["violence", "grief"]
    assert [change.details["after"] for change in changes_of(version.metric.benchmark)] == [["violence"]]


def test_a_file_read_again_keeps_what_an_editor_set_and_hands_it_to_new_versions(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(content_notices=["grief"]), rows())
    imported(folder)
    benchmark = Benchmark.objects.get()
    metric = benchmark.metrics.get(local_id="m02")
    set_on_benchmark(benchmark, ["violence"], seen=["grief"], reason=WHY, actor=None)
    set_on_metric(metric, ["hate"], seen=[], reason=WHY, actor=None)
    changed = definition(content_notices=["grief"])
    changed["metrics"][1]["definition"] = "Takes every decision itself."

    unchanged = imported(folder)
    imported(write(folder, changed, rows()))

    benchmark.refresh_from_db()
    assert unchanged.status == "unchanged"
    assert benchmark.content_notices == ["violence"]
    assert [version.content_notices for version in metric.versions.order_by("number")] == [["hate"], ["hate"]]
