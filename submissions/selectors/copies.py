"""Everything of one submission that somebody may take along, by the same rules as its pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils import timezone

from submissions.content import ABOUT_THE_AUTHOR, FIELD_NAMES, Content
from submissions.field_words import readable
from submissions.models import Decision, Revision, Submission
from submissions.naming import Viewing, sees_author
from submissions.selectors.areas import area_names
from submissions.selectors.comments import comments_for
from submissions.selectors.outcome import letters_of
from submissions.selectors.requests import are_answers_sent
from submissions.selectors.reviews import assignment_of, reviews_for
from submissions.selectors.timeline import timeline
from submissions.services.crediting import authors_of
from submissions.services.publishing import versions_of
from submissions.standing import Standing
from submissions.states import STATE_NAMES, State


def copy_for(viewer: Any, submission: Submission) -> dict[str, Any]:
    """A copy as JSON: state, versions, letters, reviews, comments and history, as far as the viewer may read them.

    Authors get their draft too. Reviewers get the versions up to the one they were asked about, and nothing that says
    who wrote them.
    """
    viewing = Viewing(viewer, submission)
    standing = viewing.standing
    knows_author = sees_author(standing, submission)
    found: dict[str, Any] = {
        "submission": submission.public_id,
        "copied_at": timezone.now().isoformat(),
        "state": STATE_NAMES[State(submission.state)],
        "versions": [_version(one, standing) for one in _revisions(viewer, submission, standing)],
        "reviews": [_plain(one) for one in reviews_for(viewing)],
        "comments": [
            {"by": one.heading, "readers": one.readers, "text": one.text, "at": one.posted_at.isoformat()}
            for one in comments_for(viewing)
        ],
        "history": [{"at": one.at.isoformat(), "what": one.text} for one in timeline(viewing)],
    }
    if knows_author:
        found["authors"] = [viewing.name_of(person) for person in authors_of(submission)]
    if standing in (Standing.AUTHOR, Standing.EDITOR):
        found["letters"] = [_letter(one, standing) for one in letters_of(submission)]
        found["metrics"] = [version.metric.slug for version in versions_of(submission) if _may_tell(version, standing)]
    if standing is Standing.AUTHOR:
        found["draft"] = submission.draft.to_json()
    return found


def readable_fields(content: Content, *, is_author: bool) -> list[tuple[str, str]]:
    """The fields as (name, text) in the order of the form; without those about the author for others."""
    found = []
    for field, name in FIELD_NAMES.items():
        if field in ABOUT_THE_AUTHOR and not is_author:
            continue
        value = area_names(content.subareas) if field == "subareas" else getattr(content, field)
        found.append((name, "\n".join(value) if field == "subareas" else readable(value)))
    return found


def _revisions(viewer: Any, submission: Submission, standing: Standing) -> list[Revision]:
    revisions = submission.revisions.order_by("number")
    if standing is Standing.REVIEWER:
        assignment = assignment_of(viewer, submission)
        newest = assignment.round.revision.number if assignment else 0
        revisions = revisions.filter(number__lte=newest)
    return list(revisions)


def _version(revision: Revision, standing: Standing) -> dict[str, Any]:
    hidden = frozenset() if standing is Standing.AUTHOR else ABOUT_THE_AUTHOR
    content = {name: value for name, value in revision.text.to_json().items() if name not in hidden}
    return {
        "number": revision.number,
        "receipt": revision.receipt,
        "sent_at": revision.sent_at.isoformat(),
        "content": content,
        "trial": revision.trial,
    }


def _letter(decision: Decision, standing: Standing) -> dict[str, Any]:
    shows_answers = standing is Standing.AUTHOR or are_answers_sent(decision)
    return {
        "kind": decision.get_kind_display(),
        "sent_at": decision.sent_at.isoformat() if decision.sent_at else None,
        "subject": decision.subject,
        "text": decision.letter,
        "changes": [
            {"number": one.number, "field": one.field, "text": one.text, "answer": one.answer if shows_answers else ""}
            for one in decision.changes.all()
        ],
    }


def _plain(review: Any) -> dict[str, Any]:
    found = asdict(review)
    found["sent_at"] = review.sent_at.isoformat()
    return {name: value for name, value in found.items() if value != ""}


def _may_tell(version: Any, standing: Standing) -> bool:
    return standing is Standing.EDITOR or version.is_published
