"""Who is named on a metric's page: the authors, in order, when they wish to be."""

from __future__ import annotations

from typing import Any

from impactbench.accounts.models import User
from submissions.content import Content
from submissions.models import CoAuthor, Submission


def authors_of(submission: Submission) -> list[User]:
    """The owner, then the co-authors who confirmed, in their order."""
    confirmed = submission.co_authors.filter(state=CoAuthor.State.CONFIRMED, person__isnull=False)
    return [submission.owner, *(one.person for one in confirmed.select_related("person") if one.person)]


def credits_of(submission: Submission, content: Content) -> list[dict[str, Any]]:
    """Names and affiliations as the accounts state them now; [] when they are to be left out.

    Each is {"person": key of the account, "text": words}, so that one can be taken back without the others.
    """
    if content.credit != "named":
        return []
    named = ((person, _words(person)) for person in authors_of(submission))
    return [{"person": person.pk, "text": text} for person, text in named if text]


def credit_line(named: list[dict[str, Any]]) -> str:
    """All of them in one line."""
    return "; ".join(str(one["text"]) for one in named)


def _words(person: User) -> str:
    # A semicolon separates people.
    name, affiliation = (" ".join(text.replace(";", ",").split())[:180] for text in (person.name, person.affiliation))
    if not name:
        return ""
    return f"{name} ({affiliation})" if affiliation else name
