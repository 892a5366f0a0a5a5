"""One submission that goes through everything, by people and in words that cannot be mistaken for anything else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from evaluation.services import paper_taxonomy
from impactbench.accounts.models import User
from impactbench.common.models import OutgoingMail
from submissions.content import Content
from submissions.models import Assignment, Call, Decision, Submission, Suggestion, Trial
from submissions.reviewing import Answer, ReviewText
from submissions.rubric import CRITERION_KEYS
from submissions.services import (
    answers,
    assignments,
    attachments,
    calls,
    coauthors,
    conflicts,
    decisions,
    discussion,
    drafts,
    extensions,
    publishing,
    reviews,
    rounds,
    sending,
    suggestions,
)
from submissions.services.approving import ApprovalPlan
from submissions.services.decision_choice import Choice, Point, Sending
from tests.support.portal import CONTENT, make_person

STAGES = ("draft", "reviewing", "changes", "again", "waiting", "approved", "published")
# name, address, affiliation: any of the three gives the person away
IDENTITIES = {
    "owner": ("Adelheid Zqowner", "adelheid@zqowner.example", "Zqowner Institute"),
    "co-author": ("Corvin Zqcoauthor", "corvin@zqcoauthor.example", "Zqcoauthor Clinic"),
    "first reviewer": ("Ruthild Zqfirst", "ruthild@zqfirst.example", "Zqfirst College"),
    "second reviewer": ("Rurik Zqsecond", "rurik@zqsecond.example", "Zqsecond College"),
    "early reviewer": ("Rosalind Zqearly", "rosalind@zqearly.example", "Zqearly College"),
    "invited": ("Ingmar Zqinvited", "ingmar@zqinvited.example", "Zqinvited School"),
    "declined": ("Dagmar Zqdeclined", "dagmar@zqdeclined.example", "Zqdeclined School"),
    "conflicted": ("Kasimir Zqconflict", "kasimir@zqconflict.example", "Zqconflict School"),
    "editor": ("Edeltraud Zqeditor", "edeltraud@zqeditor.example", "Zqeditor Press"),
    "second editor": ("Emeric Zqpublisher", "emeric@zqpublisher.example", "Zqpublisher Press"),
    "shut-out editor": ("Eulalia Zqshut", "eulalia@zqshut.example", "Zqshut Press"),
    "other expert": ("Xaver Zqexpert", "xaver@zqexpert.example", "Zqexpert House"),
    "other reviewer": ("Xenia Zqreader", "xenia@zqreader.example", "Zqreader House"),
    "operator": ("Oda Zqoperator", "oda@zqoperator.example", "Zqoperator House"),
}
ROLES = {
    "owner": ("expert",),
    # Authors and reviewers who hold every other role too: it must not help them.
    "co-author": ("expert", "reviewer", "editor"),
    "first reviewer": ("reviewer",),
    "second reviewer": ("reviewer", "editor"),
    "early reviewer": ("reviewer",),
    "invited": ("reviewer",),
    "declined": ("reviewer",),
    "conflicted": ("reviewer",),
    "editor": ("editor",),
    "second editor": ("editor",),
    "shut-out editor": ("editor", "reviewer"),
    "other expert": ("expert",),
    "other reviewer": ("reviewer",),
    "operator": ("operator",),
}


@dataclass
class Story:
    """The submission, everybody around it, and how far it has come."""

    people: dict[str, User]
    submission: Submission = field(init=False)
    stage: str = "draft"

    def go_on_to(self, stage: str) -> Story:
        """Let everything happen up to that stage."""
        while self.stage != stage:
            self.stage = STAGES[STAGES.index(self.stage) + 1]
            _CHAPTERS[self.stage](self)
            self.submission.refresh_from_db()
        return self

    def round(self) -> Any:
        return self.submission.rounds.order_by("-number")[0]

    def assignment(self, who: str) -> Assignment:
        return self.round().assignments.get(person=self.people[who])


def begin_story() -> Story:
    """A draft with several versions, a co-author, a file and a trial, in a call that hides everybody."""
    paper_taxonomy.load()
    story = Story({who: _person(who) for who in IDENTITIES})
    _draft(story)
    return story


def _person(who: str) -> User:
    name, email, affiliation = IDENTITIES[who]
    return make_person(name, *ROLES[who], email=email, affiliation=affiliation)


def _draft(story: Story) -> None:
    owner = story.people["owner"]
    call = Call.objects.create(
        slug="winter", title="Winter", opens_at=timezone.now() - timedelta(days=1),
        closes_at=timezone.now() + timedelta(days=9),
    )  # fmt: skip
    story.submission = drafts.open_draft(owner, content=replace(CONTENT, title="Zqtitle"), call=call)
    _save(story, construct="Zqabandoned words of an early draft.")
    file = SimpleUploadedFile("Zqowner zqfilename.txt", b"zqfilecontent", "text/plain")
    attachments.attach(story.submission, file, actor=owner)
    co_author = story.people["co-author"]
    coauthors.invite(story.submission, email=co_author.email, name=co_author.name, actor=owner)
    letter = OutgoingMail.objects.get(event="co-author-invited")
    token = re.search(r"/invitations/([\w-]+)/", letter.text)
    assert token is not None
    coauthors.confirm(token[1], person=co_author)
    _trial(story, "zqtrialone")
    calls.ask_for_time(story.submission, actor=owner, reason="Zqillness kept me away.")
    _save(story, construct="Zqversionone construct.", credit="unnamed", not_reviewers="Professor Zqnemesis")


def _trial(story: Story, words: str) -> None:
    Trial.objects.create(
        submission=story.submission, kind=Trial.Kind.CONVERSATION, state=Trial.State.DONE,
        asked_by=story.people["owner"], content=story.submission.content,
        result={"turns": [{"number": 1, "user": words, "target": words}], "ending": "end", "verdicts": []},
    )  # fmt: skip


def _save(story: Story, **fields: Any) -> None:
    submission = story.submission
    content = replace(Content.from_json(submission.content), **fields)
    story.submission = drafts.save_draft(submission, content, version=submission.version, actor=submission.owner)


def _reviewing(story: Story) -> None:
    people = story.people
    editor, now = people["editor"], timezone.now()
    extensions.answer(story.submission.extensions.get(), until=now + timedelta(days=20), actor=editor)
    sending.send(story.submission, version=story.submission.version, actor=people["owner"])
    story.submission.refresh_from_db()
    conflicts.note(story.submission, email=people["shut-out editor"].email, reason="Zqnoted reason.", actor=editor)
    asked = ["first reviewer", "second reviewer", "early reviewer", "declined", "conflicted"]
    when = {"answer_by": now + timedelta(days=3), "due_at": now + timedelta(days=14)}
    rounds.open_round(story.submission, actor=editor, people=[people[who] for who in asked], **when)
    for who in ("first reviewer", "second reviewer", "early reviewer"):
        assignments.accept(story.assignment(who), actor=people[who], no_conflict=True)
    assignments.decline(story.assignment("declined"), actor=people["declined"], reason="Zqbusy just now.")
    assignments.declare_conflict(
        story.assignment("conflicted"), actor=people["conflicted"], reason="Zqfamily of somebody."
    )
    _send_review(story, "first reviewer", "zqreviewone")
    _keep_review(story, "second reviewer", "zqreviewtwo")
    _send_review(story, "early reviewer", "zqreviewearly")
    _talk(story)


def _text(words: str) -> ReviewText:
    given = {key: Answer("2", f"{words} criterion.") for key in CRITERION_KEYS}
    return ReviewText(given, f"{words} for the author.", words.replace("zqreview", "zqprivate"), "changes")


def _keep_review(story: Story, who: str, words: str) -> None:
    reviews.save_review(story.assignment(who), _text(words), version=0, actor=story.people[who])


def _send_review(story: Story, who: str, words: str) -> None:
    assignment = story.assignment(who)
    kept = getattr(assignment, "review", None)
    reviews.send_review(assignment, _text(words), version=kept.version if kept else 0, actor=story.people[who])


def _talk(story: Story) -> None:
    said = (
        ("owner", "zqauthoreditors", "editors"),
        ("owner", "zqauthorall", "everyone"),
        ("first reviewer", "zqrevieweditors", "editors"),
        ("first reviewer", "zqreviewreviewers", "reviewers"),
        ("first reviewer", "zqreviewall", "everyone"),
        ("editor", "zqamongeditors", "editors"),
        ("editor", "zqtoauthor", "author"),
        ("editor", "zqtoseat", "seat-1"),
        ("editor", "zqtoreviewers", "reviewers"),
    )
    for who, words, choice in said:
        discussion.post_to(story.submission, writer=story.people[who], text=words, choice=choice)


def _changes(story: Story) -> None:
    people = story.people
    _send_review(story, "second reviewer", "zqreviewtwo")
    choice = Choice(
        "request_changes", (Point("definition", "Zqrequest to change."),), timezone.now() + timedelta(days=20),
        subject="Zqsubject of the letter", letter="Zqletter about the changes.",
    )  # fmt: skip
    decision = decisions.decide(story.submission, choice, actor=people["editor"], sending=Sending.HOLD)
    decisions.send_now(decision, actor=people["editor"])
    story.submission.refresh_from_db()
    _save(story, construct="Zqversiontwo construct.")
    answers.answer(story.submission, 1, text="Zqanswer to the request.", done="changed", actor=people["owner"])


def _again(story: Story) -> None:
    people = story.people
    sending.resend(story.submission, actor=people["owner"])
    # What goes on in the open: one reviewer has sent, one writes, one left, one is asked.
    rounds.cancel(story.assignment("early reviewer"), actor=people["editor"])
    now = timezone.now()
    rounds.ask(
        story.round(), [people["invited"]], actor=people["editor"], answer_by=now + timedelta(days=3),
        due_at=now + timedelta(days=14),
    )  # fmt: skip
    _send_review(story, "second reviewer", "zqreviewagain")


def _waiting(story: Story) -> None:
    plan = ApprovalPlan(
        benchmark="zqbenchmark", is_new_benchmark=True, benchmark_name="Zqbenchmark", local_ids=("zqmetric",),
        profiles=("adult",),
    ).to_json()  # fmt: skip
    choice = Choice("approve", subject="Zqapproval", letter="Zqapprovalletter says yes.", plan=plan)
    decisions.decide(story.submission, choice, actor=story.people["editor"], sending=Sending.HOLD)


def _approved(story: Story) -> None:
    decision = story.submission.decisions.get(state=Decision.State.HELD)
    sent = decisions.send_now(decision, actor=story.people["editor"])
    assert sent.state == Decision.State.SENT, sent.trouble


def _published(story: Story) -> None:
    publishing.publish(story.submission, actor=story.people["second editor"])
    [version] = publishing.versions_of(story.submission)
    person = story.people["other expert"]
    for words, state in (("zqwaitingvoice", None), ("zqrefusedvoice", "declined"), ("zqshownvoice", "shown")):
        made = suggestions.suggest(
            version.metric, kind=Suggestion.Kind.IMPROVEMENT, text=f"{words} about the metric.", signed_as="",
            person=person, address="203.0.113.7",
        )  # fmt: skip
        if state:
            suggestions.decide(made, state=state, reply="", actor=story.people["editor"])


_CHAPTERS = {
    "reviewing": _reviewing,
    "changes": _changes,
    "again": _again,
    "waiting": _waiting,
    "approved": _approved,
    "published": _published,
}
