"""Publishing asked for on a page: done once by a worker, whatever happens to workers meanwhile."""

import time
from typing import Any

import pytest
from celery import current_app
from django.db import connection, transaction

from evaluation.models import Release, ReleaseRequest, Run
from evaluation.services import publishing, release_requests
from evaluation.tasks import publish_release, publish_what_waits
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.models import AuditEvent
from tests.support.builders import make_finished_run
from tests.support.other_threads import in_a_thread
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "RESAMPLES", 50)


def _ask(**changes: Any) -> ReleaseRequest:
    runs = changes.pop("runs", None) or [make_finished_run()]
    asked = {"slug": "2026-11", "title": "", "judge": None, "taxonomy": "", "actor": None, **changes}
    return release_requests.ask(runs=runs, **asked)


def _state(request: ReleaseRequest) -> tuple[str, str]:
    request.refresh_from_db()
    return request.state, request.trouble


def test_request_becomes_a_release_of_who_asked() -> None:
    person = make_person("Op", "operator")
    request = _ask(actor=person, title="The first")

    publish_release(request=request.pk)

    assert _state(request) == ("done", "")
    assert request.release is not None
    assert (request.release.slug, request.release.title, request.release.resamples) == ("2026-11", "The first", 50)
    events = AuditEvent.objects.exclude(action="account-created").order_by("pk").values_list("action", "actor")
    assert list(events) == [
        ("run-release-asked", person.pk),
        ("release-published", person.pk),
        ("run-released", person.pk),
    ]


def test_one_run_is_not_published_twice_at_the_same_time() -> None:
    first = _ask()

    with pytest.raises(DomainError, match="these runs are being published at this moment, as '2026-11'"):
        _ask(slug="2026-11b", runs=list(first.runs.all()))
    publish_release(request=first.pk)

    assert _ask(slug="2026-11b", runs=list(first.runs.all())).slug == "2026-11b"


def test_task_bears_the_name_that_is_asked_for() -> None:
    assert publish_release.name == release_requests.TASK
    assert publish_what_waits.name in {entry["task"] for entry in current_app.conf.beat_schedule.values()}


def test_second_delivery_changes_nothing() -> None:
    request = _ask()
    publish_release(request=request.pk)

    publish_release(request=request.pk)

    assert _state(request) == ("done", "")
    assert Release.objects.count() == 1
    assert release_requests.waiting() == []


def test_release_of_a_demonstration_stays_one() -> None:
    run = make_finished_run()
    Run.objects.update(is_demonstration=True)

    publish_release(request=_ask(runs=[run]).pk)

    assert Release.objects.get().is_demonstration


def test_what_is_refused_at_once_leaves_no_request() -> None:
    run = make_finished_run()
    with pytest.raises(UnusableInput, match="cannot name a release"):
        _ask(runs=[run], slug="two words")
    Run.objects.update(state="running")
    with pytest.raises(DomainError, match="only finished or cancelled runs"):
        _ask(runs=[run])

    assert (ReleaseRequest.objects.count(), AuditEvent.objects.filter(action__startswith="run-").count()) == (0, 0)


def test_same_name_twice_at_once_is_refused() -> None:
    ReleaseRequest.objects.create(slug="2026-11")  # of another run

    with pytest.raises(DomainError, match="a release '2026-11' is being published at this moment"):
        _ask()


def test_what_became_impossible_meanwhile_fails_with_its_reason() -> None:
    request = _ask()
    publishing.publish(actor=None, slug="2026-11", runs=["run"])

    publish_what_waits()

    assert _state(request) == (
        "failed",
        "there is already a release '2026-11'; a release never changes, choose another name",
    )
    assert AuditEvent.objects.filter(action="run-release-failed").count() == 1
    assert _ask(runs=[Run.objects.get()], slug="2026-11b").state == "waiting"


def test_fault_of_ours_is_a_state_that_people_see(monkeypatch: pytest.MonkeyPatch) -> None:
    request = _ask()
    monkeypatch.setattr(publishing, "METHOD", None)

    with pytest.raises(Exception, match="null value"):
        publish_release(request=request.pk)

    assert _state(request) == ("failed", "a worker failed (IntegrityError); its log says more")
    assert not Release.objects.exists()


def test_request_whose_workers_keep_dying_is_given_up() -> None:
    request = _ask()
    ReleaseRequest.objects.update(tries=release_requests.MOST_TRIES)

    publish_what_waits()

    assert _state(request) == ("failed", "5 workers were gone before they had published it")


@pytest.mark.django_db(transaction=True)
def test_worker_that_dies_leaves_nothing_and_the_next_one_publishes(monkeypatch: pytest.MonkeyPatch) -> None:
    request = _ask()

    def die(*_: Any, **__: Any) -> None:
        connection.close()  # as the server sees a killed worker
        raise SystemExit

    with monkeypatch.context() as dying:
        dying.setattr(publishing, "_publish_metrics", die)
        with pytest.raises(SystemExit):
            in_a_thread(lambda: publish_release(request=request.pk))
    assert (_state(request), Release.objects.count()) == (("waiting", ""), 0)

    # The server may take a moment to let go of the dead worker's lock, and until then the row is passed over.
    for _ in range(200):
        publish_what_waits()
        if _state(request) != ("waiting", ""):
            break
        time.sleep(0.05)

    assert (_state(request), request.tries) == (("done", ""), 2)


@pytest.mark.django_db(transaction=True)
def test_request_that_another_worker_has_is_left_to_it() -> None:
    request = _ask()

    with transaction.atomic():
        ReleaseRequest.objects.select_for_update().get(pk=request.pk)
        in_a_thread(lambda: publish_release(request=request.pk))

    assert (_state(request), request.tries) == (("waiting", ""), 0)
