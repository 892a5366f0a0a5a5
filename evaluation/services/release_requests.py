"""Publishing that operators ask for on a page and a worker does: once, whatever happens to workers meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F

from evaluation.models import JudgeConfiguration, Release, ReleaseRequest, Run
from evaluation.models.release_request import ReleaseRequestState as State
from evaluation.services import publishing
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

TASK = "evaluation.publish_release"
MOST_TRIES = 5


def ask(
    *,
    actor: Any,
    slug: str,
    title: str,
    runs: Sequence[Run],
    judge: JudgeConfiguration | None,
    taxonomy: str,
    despite_open_studies: bool = False,
) -> ReleaseRequest:
    """Have these runs published by the portal's workers, and note it in the log of each.

    Raises what `publishing.publish` would raise for them, and DomainError while a release of that name is being made.
    """
    publishing.refuse_unpublishable(
        slug=slug,
        runs=[run.slug for run in runs],
        taxonomy=taxonomy or None,
        judge_configuration=judge.slug if judge else None,
        title=title,
        despite_open_studies=despite_open_studies,
    )
    try:
        with transaction.atomic():
            _refuse_second(runs)
            request = ReleaseRequest.objects.create(
                slug=slug,
                title=title,
                judge=judge,
                taxonomy=taxonomy,
                despite_open_studies=despite_open_studies,
                asked_by=actor,
            )
            request.runs.set(runs)
            _note(request, "run-release-asked", actor=actor, release=slug)
    except IntegrityError as error:
        raise DomainError(f"a release {slug!r} is being published at this moment") from error
    transaction.on_commit(lambda: _tell_workers(request.pk), robust=True)
    return request


def _refuse_second(runs: Sequence[Run]) -> None:
    """Two tabs, or two people, want one release and no two. Whoever comes second waits here for the first."""
    held = Run.objects.select_for_update().filter(pk__in=[run.pk for run in runs]).order_by("pk")
    waits = ReleaseRequest.objects.filter(runs__in=list(held), state=State.WAITING).first()
    if waits is not None:
        raise DomainError(f"these runs are being published at this moment, as {waits.slug!r}; wait until that is done")


def newest_of(run: Run) -> ReleaseRequest | None:
    """What was last asked for this run, by itself or with others."""
    return ReleaseRequest.objects.filter(runs=run).select_related("release", "judge").first()


def work_on(request_id: int) -> None:
    """Publish what was asked for. Returns at once where it is done, has failed, or another worker is at it.

    The release and the state are one transaction under a lock of the row: a worker that dies leaves nothing behind,
    and the request waits for the next one (`waiting`), at most MOST_TRIES times.
    """
    if not _begin(request_id):
        return
    try:
        _publish(request_id)
    except OperationalError:
        raise
    except Exception as error:
        # A fault of ours ends in a state that people see.
        _fail(request_id, f"a worker failed ({type(error).__name__}); its log says more")
        raise


def waiting() -> list[int]:
    """Requests that nobody has ended yet; asking workers for them again does no harm."""
    return list(ReleaseRequest.objects.filter(state=State.WAITING).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def _begin(request_id: int) -> bool:
    """Counts a try; False where there is nothing to do."""
    request = _locked(request_id)
    if request is None:
        return False
    if request.tries >= MOST_TRIES:
        _end(request, State.FAILED, trouble=f"{MOST_TRIES} workers were gone before they had published it")
        return False
    ReleaseRequest.objects.filter(pk=request_id).update(tries=F("tries") + 1)
    return True


@transaction.atomic
def _publish(request_id: int) -> None:
    request = _locked(request_id)
    if request is None:
        return
    try:
        release = publishing.publish(
            actor=request.asked_by,
            slug=request.slug,
            runs=list(request.runs.values_list("slug", flat=True)),
            taxonomy=request.taxonomy or None,
            judge_configuration=request.judge.slug if request.judge else None,
            resamples=publishing.RESAMPLES,
            title=request.title or None,
            despite_open_studies=request.despite_open_studies,
        )
    except DomainError as problem:
        _end(request, State.FAILED, trouble=str(problem))
    else:
        _end(request, State.DONE, release=release)


@transaction.atomic
def _fail(request_id: int, trouble: str) -> None:
    request = _locked(request_id)
    if request is not None:
        _end(request, State.FAILED, trouble=trouble)


def _locked(request_id: int) -> ReleaseRequest | None:
    """The request, ours until the transaction ends; None where it is over or another worker has it."""
    waiting = ReleaseRequest.objects.select_for_update(skip_locked=True, of=("self",))
    return waiting.filter(pk=request_id, state=State.WAITING).first()


def _end(request: ReleaseRequest, state: State, *, release: Release | None = None, trouble: str = "") -> None:
    ReleaseRequest.objects.filter(pk=request.pk).update(state=state, release=release, trouble=trouble)
    if release is not None:
        _note(request, "run-released", actor=request.asked_by, release=release.slug)
    else:
        _note(request, "run-release-failed", actor=None, release=request.slug, reason=trouble.partition("\n")[0])


def _note(request: ReleaseRequest, action: str, *, actor: Any, **details: str) -> None:
    for run in request.runs.all():
        record(actor=actor, action=action, target=run, details=details)


def _tell_workers(request_id: int) -> None:
    # Where the broker does not answer, the clock asks again within a minute.
    current_app.send_task(TASK, kwargs={"request": request_id}, queue=settings.PORTAL_QUEUE, expires=3600)
