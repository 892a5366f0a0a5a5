"""Begins a new draft from what there is: a new version of a published metric, or a copy of one's own submission."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone

from impactbench.common.errors import DomainError
from submissions.content import Content
from submissions.models import CoAuthor, Revision, Submission
from submissions.services.coauthors import refresh_domains
from submissions.services.crediting import authors_of
from submissions.services.drafts import open_draft
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Standing, standing_of
from submissions.states import OPEN, State


@transaction.atomic
def new_version_of(
    submission: Submission, *, actor: Any, reworded: Callable[[Content], Content] | None = None
) -> Submission:
    """A draft with the published text, `reworded` if wanted, for the next version of its metrics; it is reviewed too.

    The published page stays as it is until the new version is published. Asked twice, the draft of the first time is
    given. The other authors are authors of it too. Raises NotAllowed, WrongState, or DomainError while a new version
    is under review, or while one is written that was to be reworded.
    """
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors write a new version; anybody may suggest an improvement on its page.")
    revision = Revision.objects.filter(submission=fresh, approved_metrics__isnull=False).order_by("-number").first()
    if fresh.state != State.PUBLISHED or revision is None:
        raise WrongState("Only a published metric gets a new version.")
    metric = revision.approved_metrics.select_related("metric_version__metric")[0].metric_version.metric
    for other in Submission.objects.filter(improves=metric).order_by("pk"):
        if other.state == State.DRAFT and standing_of(actor, other) is Standing.AUTHOR:
            if reworded is not None:
                raise DomainError(f"A new version is being written already: {other.public_id}. Put the words in there.")
            return other
        if other.state in OPEN:
            raise DomainError(f"A new version is under way already: {other.public_id}. Wait until it is decided.")
    content = reworded(revision.text) if reworded is not None else revision.text
    draft = open_draft(actor, content=content, clone_of=fresh, improves=metric)
    _share_with_authors(draft, fresh, actor)
    return draft


@transaction.atomic
def clone(submission: Submission, *, actor: Any) -> Submission:
    """A draft with the text of a submission of one's own, in whatever state that is; nothing else is taken along.

    Raises NotAllowed, or DomainError when the person has too many drafts.
    """
    if standing_of(actor, submission) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors copy a submission.")
    return open_draft(actor, content=submission.draft, clone_of=submission)


def _share_with_authors(draft: Submission, before: Submission, actor: Any) -> None:
    """Who wrote the version before wrote this one too, and conflicts count for all of them."""
    others = [person for person in authors_of(before) if person != actor]
    for order, person in enumerate(others):
        CoAuthor.objects.create(
            submission=draft, email=person.email, name=person.name, person=person, state=CoAuthor.State.CONFIRMED,
            order=order, invited_at=timezone.now(),
        )  # fmt: skip
    refresh_domains(draft)
