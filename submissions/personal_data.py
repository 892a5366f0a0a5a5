"""What the portal keeps about a person: to take along, and to forget while the work itself stays."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from typing import Any

from django.db import transaction
from django.db.models import Q

from impactbench.accounts.models import User
from impactbench.accounts.organisations import all_addresses
from impactbench.common import private_files
from impactbench.common.models import OutgoingMail
from submissions.models import (
    ApprovedMetric,
    Assignment,
    Attachment,
    CaseVersion,
    CoAuthor,
    Comment,
    Conflict,
    Decision,
    DraftAct,
    Extension,
    ReplyVersion,
    Review,
    Reviewer,
    SourceImport,
    Submission,
    Suggestion,
)
from submissions.selectors.copies import copy_for
from submissions.selectors.visible import written_by
from submissions.services import assignments, sending
from submissions.services.coauthors import refresh_domains
from submissions.services.crediting import credit_line
from submissions.services.drafts import delete_draft
from submissions.states import PRIVATE, State

_UNDECIDED = (State.SUBMITTED, State.IN_REVIEW, State.CHANGES_REQUESTED)


def export_submissions(user: User) -> dict[str, Any]:
    """What the person wrote and did in the portal; nothing that others said of them in confidence."""
    reviews = Review.objects.filter(assignment__person=user).select_related("assignment__round__submission")
    declared = Conflict.objects.filter(person=user, kind=Conflict.Kind.DECLARED)
    decisions = Decision.objects.filter(decided_by=user, state=Decision.State.SENT)
    reviewer = Reviewer.objects.filter(person=user).first()
    return {
        "submissions": [copy_for(user, submission) for submission in written_by(user)],
        "reviews": [
            {
                "submission": review.assignment.round.submission.public_id,
                "answers": review.answers,
                "for_author": review.for_author,
                "private_remark": review.private_remark,
                "advice": review.advice,
                "sent_at": review.sent_at,
            }
            for review in reviews
        ],
        "reviews_asked": list(
            Assignment.objects.filter(person=user).values("round__submission__public_id", "state", "asked_at")
        ),
        "reviews_what": sorted(reviewer.subareas.values_list("slug", flat=True)) if reviewer else [],
        "comments": list(Comment.objects.filter(writer=user).values("submission__public_id", "text", "posted_at")),
        "conflicts_declared": list(declared.values("submission__public_id", "reason", "declared_at")),
        "decisions": list(decisions.values("submission__public_id", "kind", "sent_at")),
        "case_studies": list(
            CaseVersion.objects.filter(written_by=user).values(
                "case__slug", "number", "title", "summary", "annotations"
            )
        ),
        "replies_of_providers": list(
            ReplyVersion.objects.filter(written_by=user).values("reply__model__slug", "number", "written_at")
        ),
        "imports": list(SourceImport.objects.filter(read_by=user).values("pk", "file_name", "read_at")),
        "work_on_imports": list(DraftAct.objects.filter(by=user).values("source", "action", "told", "at")),
        "suggestions": list(
            Suggestion.objects.filter(person=user).values("metric__slug", "kind", "text", "signed_as", "written_at")
        ),
    }


def erase_from_submissions(user: User) -> None:
    """Take back whatever names the person: credits, invitations, notes, unsent drafts.

    What was sent, reviewed or said stays, under an account without a name. Work that others wrote too goes on with
    them; what nobody could answer for any more is withdrawn. Part of the caller's transaction.
    """
    _remove_credits(user)
    for submission in Submission.objects.filter(owner=user).select_for_update().order_by("pk"):
        _leave(submission, user)
    _leave_reviews(user)
    _blank_invitations(user)
    Conflict.objects.filter(person=user).update(reason="")
    Suggestion.objects.filter(person=user).update(person=None, signed_as="")
    Reviewer.objects.filter(person=user).delete()


def _leave(submission: Submission, user: User) -> None:
    _forget_requests_for_time(submission)
    confirmed = submission.co_authors.filter(state=CoAuthor.State.CONFIRMED, person__isnull=False)
    heir = confirmed.filter(person__erased_at=None).first()
    if heir is not None:
        _hand_over(submission, heir, user)
        return
    if submission.state in PRIVATE and not submission.revisions.exists():
        delete_draft(submission)
        return
    if submission.state in _UNDECIDED:
        sending.withdraw(submission, actor=user, reason="The author closed the account.")
    _blank_notes(submission)
    _drop_files(submission)
    Submission.objects.filter(pk=submission.pk).update(author_domains=[], is_status_public=False)


def _hand_over(submission: Submission, heir: CoAuthor, user: User) -> None:
    """The first co-author owns it from now on; the person stays its author, without a name."""
    assert heir.person is not None
    submission.owner = heir.person
    submission.save(update_fields=["owner"])
    heir.person, heir.email, heir.name = user, user.email, ""
    heir.save(update_fields=["person", "email", "name"])
    refresh_domains(submission, without=user)
    for file in submission.attachments.filter(added_by=user):
        file.name = _neutral(file)
        file.save(update_fields=["name"])


def _drop_files(submission: Submission) -> None:
    """The person's own documents go; what remains says that there was one, so that what was reviewed stays told."""
    for file in submission.attachments.all():
        transaction.on_commit(partial(private_files.discard, file.stored))
        file.name = _neutral(file)
        file.save(update_fields=["name"])


def _neutral(file: Attachment) -> str:
    """A name that says no more than the kind of file; people name files after themselves."""
    return f"file {file.pk}{PurePath(file.name).suffix}"


def _forget_requests_for_time(submission: Submission) -> None:
    """Why somebody needed more time is about themselves: illness, a birth."""
    Extension.objects.filter(submission=submission).update(reason="")


def _blank_notes(submission: Submission) -> None:
    """Who should not review: free text about people, wherever a copy of the text is kept."""
    # Nothing that was reviewed changes: reviewers never read this field.
    kept = (submission.draft_versions, submission.revisions, submission.trials)
    rows: list[Any] = [submission, *(row for rows in kept for row in rows.all())]
    for row in rows:
        if row.content.get("not_reviewers"):
            type(row).objects.filter(pk=row.pk).update(content={**row.content, "not_reviewers": ""})


def _remove_credits(user: User) -> None:
    for row in ApprovedMetric.objects.select_for_update().filter(credits__contains=[{"person": user.pk}]):
        row.credits = [one for one in row.credits if one["person"] != user.pk]
        row.save(update_fields=["credits"])
        row.metric_version.contributor = credit_line(row.credits)
        row.metric_version.save(update_fields=["contributor"])


def _leave_reviews(user: User) -> None:
    for assignment in Assignment.objects.filter(person=user, round__closed_at=None):
        if assignment.state == Assignment.State.INVITED:
            assignments.decline(assignment, actor=user)
        elif assignment.state == Assignment.State.ACCEPTED:
            assignments.hand_back(assignment, actor=user)
    seats = [str(pk) for pk in Assignment.objects.filter(person=user).values_list("pk", flat=True)]
    # What editors were told of this person's refusals and conflicts, with the reasons given.
    letters = OutgoingMail.objects.filter(object_type=Assignment._meta.label_lower, object_id__in=seats)
    letters.exclude(recipient=user).update(text="Somebody who was asked here closed their account.\n")


def _blank_invitations(user: User) -> None:
    rows = CoAuthor.objects.filter(Q(person=user) | Q(email__in=all_addresses(user)))
    for row in rows:
        row.email, row.name, row.token_hash = f"erased-{row.pk}@erased.invalid", "", ""
        if row.person_id is None:
            row.state = CoAuthor.State.REMOVED
        row.save(update_fields=["email", "name", "token_hash", "state"])
