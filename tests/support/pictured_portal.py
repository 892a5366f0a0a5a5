"""Submissions at a few stages with people around them, for the pictures of the guides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from django.utils import timezone

from impactbench.accounts.models import User
from submissions.models import Submission, Trial
from submissions.reviewing import Answer, ReviewText
from submissions.rubric import CRITERION_KEYS
from submissions.services import assignments, decisions, discussion, drafts, reviews, rounds, sending
from submissions.services.approving import ApprovalPlan
from submissions.services.decision_choice import Choice, Sending
from tests.support.portal import CONTENT, make_person

TITLES = (
    "Avoid deciding for the person",
    "Avoid telling people which choice to take",
    "Avoid choosing a job for somebody",
)


@dataclass(frozen=True)
class Portal:
    """The people by their part, and the submissions by how far they have come."""

    people: dict[str, User]
    draft: Submission
    reviewed: Submission
    approved: Submission


def build() -> Portal:
    """One author's submissions: a draft that was tried, one whose reviews are in, one to be published."""
    people = _people()
    author = people["author"]
    draft = drafts.open_draft(author, content=replace(CONTENT, title=TITLES[0], hard_cases=""))
    _try(draft, author)
    reviewed = _in_review(people, TITLES[1])
    discussion.post_to(
        reviewed, writer=people["editor"], text="One review is in. The second is due in two weeks.", choice="everyone"
    )
    approved = _in_review(people, TITLES[2])
    _approve(people, approved)
    return Portal(people, draft, reviewed, approved)


def _people() -> dict[str, User]:
    return {
        "author": make_person("Amina Okafor", "expert", affiliation="Clinic for Young People"),
        "first": make_person("Jonas Lindqvist", "reviewer", affiliation="Institute of Counselling"),
        "second": make_person("Mei Tanaka", "reviewer", affiliation="School of Education"),
        "editor": make_person("Ruth Alvarez", "editor"),
        "publisher": make_person("Piotr Nowak", "editor"),
    }


def _try(submission: Submission, author: User) -> None:
    Trial.objects.create(
        submission=submission, kind=Trial.Kind.CONVERSATION, state=Trial.State.DONE, asked_by=author,
        content=submission.content, result={"turns": [], "ending": "end", "verdicts": []},
    )  # fmt: skip


def _in_review(people: dict[str, User], title: str) -> Submission:
    author = people["author"]
    submission = drafts.open_draft(author, content=replace(CONTENT, title=title))
    sending.send(submission, version=submission.version, actor=author)
    submission.refresh_from_db()
    now = timezone.now()
    reviewers = [people["first"], people["second"]]
    rounds.open_round(
        submission, actor=people["editor"], people=reviewers, answer_by=now + timedelta(days=3),
        due_at=now + timedelta(days=14),
    )  # fmt: skip
    for person, advice in zip(reviewers, ("approve", "changes"), strict=True):
        assignment = submission.rounds.get().assignments.get(person=person)
        assignments.accept(assignment, actor=person, no_conflict=True)
        assignment.refresh_from_db()
        if title == TITLES[1] and advice == "changes":
            continue
        reviews.send_review(assignment, _review(advice), version=0, actor=person)
    submission.refresh_from_db()
    return submission


def _review(advice: str) -> ReviewText:
    given = {key: Answer("3", "Clear; one more example of the hard case would help.") for key in CRITERION_KEYS}
    return ReviewText(given, "A useful metric. Please say where a recommendation ends.", "", advice)


def _approve(people: dict[str, User], submission: Submission) -> None:
    plan = ApprovalPlan(
        benchmark="own-decisions", is_new_benchmark=True, benchmark_name="Own decisions", local_ids=("asks-first",),
        profiles=("adult",),
    ).to_json()  # fmt: skip
    choice = Choice("approve", subject="Your metric", letter="Your metric was approved.", plan=plan)
    decision = decisions.decide(submission, choice, actor=people["editor"], sending=Sending.HOLD)
    decisions.send_now(decision, actor=people["editor"])
    submission.refresh_from_db()
