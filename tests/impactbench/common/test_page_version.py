"""The version of all pages changes with whatever they show, and with nothing else."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from evaluation.models import Benchmark, Conversation, LabelRow, LanguageModel, MetricVersion, Release, Subarea
from evaluation.services import content_notices, metric_publishing, publishing, running
from impactbench.accounts.models import User
from impactbench.common import page_version
from impactbench.common.page_version import writes_what_is_shown
from tests.support.builders import make_benchmark, make_finished_run, make_metric, make_model, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _page_cache(settings: Settings) -> None:
    settings.PAGE_VERSION_FOLLOWS_WRITES = True
    page_version.look_again()


def _publish() -> None:
    publishing.publish(actor=None, slug="2026-a", runs=[make_finished_run(models=["luna"]).slug], resamples=50)


def _set_notices() -> None:
    content_notices.set_on_metric(make_metric().metric, ["Self-harm"], seen=[], reason="It speaks of it.", actor=None)


CHANGES: dict[str, Callable[[], object]] = {
    "a release": _publish,
    "a published metric": lambda: metric_publishing.publish_versions([make_metric()]),
    "a retired metric": lambda: metric_publishing.retire_versions([make_metric()], "It is vague."),
    "content notices": _set_notices,
    "a run that starts": lambda: running.start(make_run(state="created", versions=[make_metric()])),
    "a model's name": lambda: LanguageModel.objects.filter(pk=make_model().pk).update(name="Other"),
    "a benchmark's text": lambda: Benchmark.objects.bulk_update([make_benchmark()], ["description"]),
    "a place": lambda: make_metric().metric.subareas.clear(),
    "a label row": lambda: LabelRow.objects.create(
        taxonomy=Subarea.objects.all()[0].taxonomy, slug="x", polarity="positive", title="X"
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_version_changes_when_the_change_is_committed(
    what: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = page_version.current()

    with django_capture_on_commit_callbacks(execute=True) as told:
        CHANGES[what]()
        assert page_version.current() == before

    assert page_version.current() != before
    assert told.count(page_version._renew) == 1


def test_version_stays_when_nothing_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    version = make_metric()
    before = page_version.current()

    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        metric_publishing.publish_versions([version])
        transaction.set_rollback(True)

    assert page_version.current() == before


def test_version_stays_while_people_work_and_runs_go_on(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run = make_finished_run(models=["luna"])
    before = page_version.current()

    with django_capture_on_commit_callbacks(execute=True):
        User.objects.create_user("ada@example.org")
        Conversation.objects.filter(run=run).update(retries=1)
        list(MetricVersion.objects.all())
        Release.objects.count()

    assert page_version.current() == before


@pytest.mark.parametrize(
    ("sql", "is_shown"),
    [
        ('INSERT INTO "evaluation_release" ("slug") VALUES (%s)', True),
        ('UPDATE "evaluation_metricversion" SET "status" = %s', True),
        ('DELETE FROM "evaluation_placement" WHERE "id" = 1', True),
        ("  update evaluation_result set n = 1", True),
        ('UPDATE "evaluation_turn" SET "reply" = %s', False),
        ('INSERT INTO "submissions_comment" ("text") VALUES (%s)', False),
        ('SELECT "evaluation_release"."id" FROM "evaluation_release"', False),
    ],
)
def test_statements_that_write_what_is_shown(sql: str, is_shown: bool) -> None:
    assert writes_what_is_shown(sql) is is_shown


def test_a_cache_without_memory_brings_no_old_version_back() -> None:
    first = page_version.current()
    cache.clear()
    page_version.look_again()

    assert page_version.current() not in ("", first)


def test_processes_agree_within_a_second() -> None:
    first = page_version.current()
    page_version.look_again()

    assert page_version.current() == first
