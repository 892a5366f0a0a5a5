"""Comments on a submission: who may write for whom, and the letters that say there is something to read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.addresses import page_of, review_of
from submissions.content import LONGEST_TEXT, text_of
from submissions.models import Comment, Submission
from submissions.naming import Viewing
from submissions.selectors.comments import addressees, choices_for
from submissions.selectors.recipients import authors_of, editors_of, reviewers_at_work
from submissions.selectors.reviews import has_sent_in_newest_round
from submissions.services.transitions import NotAllowed, locked
from submissions.standing import Involved, Standing, standing_of
from submissions.states import PRIVATE

Audience = Comment.Audience
# What one person writes about one submission within an hour.
MOST_AN_HOUR = 20


class TooManyComments(DomainError):
    """The person has written as much as one may within an hour."""


class NothingToPost(DomainError):
    """The text is empty or too long, or nobody is chosen to read it."""


def audiences_for(standing: Standing) -> tuple[str, ...]:
    """The groups that somebody of this standing can write for, narrowest first."""
    if standing is Standing.AUTHOR:
        return (Audience.EDITORS, Audience.EVERYONE)
    if standing in (Standing.REVIEWER, Standing.EDITOR):
        return (Audience.EDITORS, Audience.REVIEWERS, Audience.EVERYONE)
    return ()


def post_to(submission: Submission, *, writer: Any, text: str, choice: str) -> Comment:
    """Post to one of the writer's `choices_for`: a group, a seat ("seat-2") or "author". Raises like `post_comment`."""
    viewing = Viewing(writer, submission)
    if choice not in [item.value for item in choices_for(viewing)]:
        raise NothingToPost("Choose who may read it.")
    if choice in Audience.values:
        return post_comment(submission, writer=writer, text=text, audience=choice)
    person = addressees(viewing.involved)[choice]
    return post_comment(submission, writer=writer, text=text, audience=Audience.EDITORS, addressee=person)


@transaction.atomic
def post_comment(submission: Submission, *, writer: Any, text: str, audience: str, addressee: Any = None) -> Comment:
    """Post a comment and write to those who may read it; the letters hold a link and none of the text.

    `addressee` is the one person besides the editors for whom an editor's comment is. Raises NotAllowed,
    NothingToPost or TooManyComments; then nothing was posted.
    """
    fresh = locked(submission)
    standing = standing_of(writer, fresh)
    if fresh.state in PRIVATE or audience not in audiences_for(standing):
        raise NotAllowed("You cannot write to these people here.")
    if addressee is not None and not _may_address(addressee, standing, audience, fresh):
        raise NotAllowed("Only editors answer one person, and only one who takes part in this submission.")
    comment = Comment.objects.create(
        submission=fresh, writer=writer, audience=audience, addressee=addressee, text=_checked(text, writer, fresh)
    )
    record(actor=writer, action="comment-posted", target=fresh, details={"audience": audience})
    involved = Involved(fresh)
    for reader in _readers(comment):
        _tell(comment, reader, involved)
    return comment


def _may_address(person: Any, standing: Standing, audience: str, submission: Submission) -> bool:
    takes_part = standing_of(person, submission) in (Standing.AUTHOR, Standing.REVIEWER)
    return standing is Standing.EDITOR and audience == Audience.EDITORS and takes_part


def _checked(text: str, writer: Any, submission: Submission) -> str:
    kept = text_of(text).strip()
    if not kept:
        raise NothingToPost("Write something before you post it.")
    if len(kept) >= LONGEST_TEXT:
        raise NothingToPost(f"Shorten your comment to less than {LONGEST_TEXT:,} characters.")
    since = timezone.now() - timedelta(hours=1)
    n_recent = Comment.objects.filter(submission=submission, writer=writer, posted_at__gte=since).count()
    if n_recent >= MOST_AN_HOUR:
        raise TooManyComments(
            f"You have written {MOST_AN_HOUR} comments within an hour. Your text is kept here; post it later."
        )
    return kept


def _readers(comment: Comment) -> list[Any]:
    submission = comment.submission
    people = [*editors_of(submission)]
    if comment.addressee is not None:
        is_for_author = standing_of(comment.addressee, submission) is Standing.AUTHOR
        people += authors_of(submission) if is_for_author else [comment.addressee]
    if comment.audience == Audience.EVERYONE:
        people += [*reviewers_at_work(submission), *authors_of(submission)]
    if comment.audience == Audience.REVIEWERS:
        people += [one for one in reviewers_at_work(submission) if has_sent_in_newest_round(one, submission)]
    return [person for person in dict.fromkeys(people) if person != comment.writer]


def _tell(comment: Comment, reader: Any, involved: Involved) -> None:
    submission, viewing = comment.submission, Viewing(reader, comment.submission, involved)
    is_author = viewing.standing is Standing.AUTHOR
    who = mail.defuse(viewing.name_of(comment.writer))
    address = (page_of if is_author else review_of)(submission)
    mail.post(
        event="comment",
        kind="discussion",
        to=reader,
        about=comment,
        subject=f"{submission.public_id}: something new in the discussion",
        text=f"{who} wrote in the discussion of {submission.public_id}. Read it here:\n\n{address}#talk\n",
    )
