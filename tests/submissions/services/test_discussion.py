"""The discussion: each comment reaches those it says, by pseudonym, and nobody else."""

from datetime import timedelta

import pytest
from django.utils import timezone

from impactbench.common.mail import mails_about
from submissions.models import Assignment, Comment, Conflict
from submissions.naming import Viewing
from submissions.selectors.comments import choices_for, comments_for, discussion_for
from submissions.services.discussion import (
    MOST_AN_HOUR,
    NothingToPost,
    TooManyComments,
    audiences_for,
    post_comment,
    post_to,
)
from submissions.services.transitions import NotAllowed
from submissions.standing import Standing
from submissions.states import State
from tests.support.portal import make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db


class Scene:
    """A submission in review with two reviewers, two editors, and somebody with a conflict."""

    def __init__(self):
        self.author = make_person("Ada Author", "expert")
        self.submission = make_submission(self.author, State.IN_REVIEW)
        self.round = self.submission.rounds.get()
        self.rita = make_person("Rita Reviewer", "reviewer")
        self.rolf = make_person("Rolf Reviewer", "reviewer")
        self.seats = [make_assignment(self.round, person) for person in (self.rita, self.rolf)]
        self.editor = make_person("Ed Editor", "editor")
        self.second = make_person("Edna Editor", "editor")
        self.conflicted = make_person("Cora Conflict", "editor")
        Conflict.objects.create(submission=self.submission, person=self.conflicted, kind="found")
        self.everyone = [self.author, self.rita, self.rolf, self.editor, self.second, self.conflicted]

    def read_by(self):
        return [person.name.split()[0] for person in self.everyone if comments_for(Viewing(person, self.submission))]

    def told(self, comment):
        return sorted(name.split()[0] for name in mails_about(comment).values_list("recipient__name", flat=True))


@pytest.fixture
def scene(db):
    return Scene()


def test_reviewer_to_the_editors_is_read_by_both_sides_only(scene):
    comment = post_comment(scene.submission, writer=scene.rita, text="May I?", audience="editors")

    assert scene.read_by() == ["Rita", "Ed", "Edna"]
    assert scene.told(comment) == ["Ed", "Edna"]


def test_to_the_reviewers_opens_only_after_the_own_review_is_sent(scene):
    comment = post_comment(scene.submission, writer=scene.rita, text="I doubt it.", audience="reviewers")
    before = scene.read_by()
    make_review(scene.seats[1])

    assert before == ["Rita", "Ed", "Edna"]
    assert scene.told(comment) == ["Ed", "Edna"]
    assert scene.read_by() == ["Rita", "Rolf", "Ed", "Edna"]


def test_to_everyone_reaches_authors_reviewers_and_editors(scene):
    comment = post_comment(scene.submission, writer=scene.editor, text="More time?", audience="everyone")

    assert scene.read_by() == ["Ada", "Rita", "Rolf", "Ed", "Edna"]
    assert scene.told(comment) == ["Ada", "Edna", "Rita", "Rolf"]


def test_answer_to_one_reviewer_is_read_by_that_one_and_the_editors(scene):
    comment = post_to(scene.submission, writer=scene.editor, text="Please ask.", choice="seat-2")

    assert scene.read_by() == ["Rolf", "Ed", "Edna"]
    assert scene.told(comment) == ["Edna", "Rolf"]
    assert [(one.heading, one.readers) for one in comments_for(Viewing(scene.rolf, scene.submission))] == [
        ("An editor to you", "Read by you and the editors")
    ]


def test_answer_to_the_author_is_not_read_by_reviewers(scene):
    comment = post_to(scene.submission, writer=scene.editor, text="Which age?", choice="author")

    assert scene.read_by() == ["Ada", "Ed", "Edna"]
    assert scene.told(comment) == ["Ada", "Edna"]


def test_headings_say_who_reads_it_in_words(scene):
    for audience in audiences_for(Standing.REVIEWER):
        post_comment(scene.submission, writer=scene.rita, text="Words.", audience=audience)

    assert [(one.heading, one.readers) for one in comments_for(Viewing(scene.rita, scene.submission))] == [
        ("You to the editors", "Read by you and the editors"),
        ("You to the editors and the reviewers", "Read by the editors, and by the reviewers once their reviews are in"),
        ("You to everyone in this discussion", "Read by the editors, the reviewers and the author"),
    ]


def test_complaint_10_no_picker_and_no_comment_names_a_person(scene):
    post_to(scene.submission, writer=scene.rita, text="A question.", choice="everyone")
    post_to(scene.submission, writer=scene.author, text="An answer.", choice="everyone")
    names = [person.name for person in scene.everyone]

    viewings = [Viewing(person, scene.submission) for person in (scene.author, scene.rita, scene.rolf)]
    shown = {viewing.viewer.name: str([*comments_for(viewing), *choices_for(viewing)]) for viewing in viewings}

    assert [(reader, name) for reader, text in shown.items() for name in names if name in text] == []
    assert [choice.label for choice in choices_for(Viewing(scene.editor, scene.submission))] == [
        "The editors only",
        "The author and the editors",
        "Reviewer 1 and the editors",
        "Reviewer 2 and the editors",
        "The editors and the reviewers, each once their review is in",
        "The editors, the reviewers and the author",
    ]


def test_letters_name_nobody_and_hold_no_text(scene):
    comment = post_to(scene.submission, writer=scene.rita, text="SECRET WORDS", choice="everyone")

    found = mails_about(comment).values_list("recipient__name", "subject", "text")
    mails = {name: subject + text for name, subject, text in found}
    blind = [text for name, text in mails.items() if "Editor" not in name]
    assert [text for text in mails.values() if "SECRET" in text] == []
    assert [text for text in blind if "Rita" in text or "rita" in text] == []
    assert len(blind) == 2


def test_narrowest_audience_is_chosen_beforehand(scene):
    assert {discussion_for(Viewing(person, scene.submission)).chosen for person in scene.everyone} == {"editors"}


def test_author_cannot_write_to_the_reviewers_alone(scene):
    with pytest.raises(NotAllowed):
        post_comment(scene.submission, writer=scene.author, text="Dear reviewers", audience="reviewers")


def test_editor_who_declined_to_review_speaks_as_an_editor(scene):
    declined = make_person("Dora Declined", "editor", "reviewer")
    make_assignment(scene.round, declined, Assignment.State.DECLINED)
    post_comment(scene.submission, writer=declined, text="More time?", audience="everyone")

    assert [one.heading for one in comments_for(Viewing(scene.author, scene.submission))] == [
        "An editor to everyone in this discussion"
    ]


def test_reviewer_cannot_address_one_person(scene):
    with pytest.raises(NothingToPost):
        post_to(scene.submission, writer=scene.rita, text="Psst", choice="seat-2")
    with pytest.raises(NotAllowed):
        post_comment(scene.submission, writer=scene.rita, text="Psst", audience="editors", addressee=scene.rolf)

    assert Comment.objects.count() == 0


def test_editor_cannot_address_somebody_who_takes_no_part(scene):
    with pytest.raises(NotAllowed):
        post_comment(scene.submission, writer=scene.editor, text="Psst", audience="editors", addressee=scene.conflicted)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 20_000])
def test_empty_or_endless_text_is_refused(scene, text):
    with pytest.raises(NothingToPost):
        post_comment(scene.submission, writer=scene.rita, text=text, audience="editors")


def test_too_many_comments_within_an_hour_are_refused_and_later_taken(scene):
    for number in range(MOST_AN_HOUR):
        post_comment(scene.submission, writer=scene.rita, text=f"Comment {number}", audience="editors")

    with pytest.raises(TooManyComments):
        post_comment(scene.submission, writer=scene.rita, text="One more", audience="editors")
    Comment.objects.update(posted_at=timezone.now() - timedelta(minutes=61))
    post_comment(scene.submission, writer=scene.rita, text="One more", audience="editors")

    assert Comment.objects.count() == MOST_AN_HOUR + 1


def test_a_next_round_closes_what_reviewers_write_to_each_other_until_the_own_review_is_in(scene):
    make_review(scene.seats[1])
    post_comment(scene.submission, writer=scene.rita, text="I doubt it.", audience="reviewers")
    Assignment.objects.filter(person=scene.rolf).update(state="accepted")
    scene.seats[1].review.sent_at = None
    scene.seats[1].review.save()

    assert scene.read_by() == ["Rita", "Ed", "Edna"]
