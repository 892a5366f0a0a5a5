"""Publishing by a second editor, retiring, and new versions."""

from dataclasses import replace

import pytest
from django.utils import timezone

from evaluation.importers.formats.problems import FileProblem
from evaluation.models import MetricVersion
from evaluation.plans import read_plan
from evaluation.services import paper_taxonomy
from evaluation.services.plan_resolving import resolve
from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent, OutgoingMail
from submissions.models import CoAuthor, Submission
from submissions.services.approving import ApprovalPlan, default_plan, make_metrics
from submissions.services.new_versions import clone, new_version_of
from submissions.services.publishing import publish, reinstate, retire, versions_of
from submissions.services.transitions import NotAllowed, WrongState
from submissions.states import State
from tests.support.plans import write_plan
from tests.support.portal import CONTENT, make_decision, make_person, make_revision, make_round, make_submission

pytestmark = pytest.mark.django_db

PLAN = ApprovalPlan(
    benchmark="own-choices", is_new_benchmark=True, benchmark_name="Own choices", local_ids=("avoid-deciding",),
    profiles=("adult",),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _taxonomy() -> None:
    paper_taxonomy.load()


@pytest.fixture
def first():
    return make_person("Ed One", "editor")


@pytest.fixture
def second():
    return make_person("Ed Two", "editor")


def approved(editor, content=CONTENT, plan=PLAN, author=None, **fields) -> Submission:
    submission = make_submission(author or make_person("Ada Expert"), State.IN_REVIEW, content, **fields)
    make_metrics(submission, actor=editor, plan=plan)
    submission.rounds.update(closed_at=timezone.now())
    make_decision(submission, editor, "approve")
    submission.state = State.APPROVED
    submission.save()
    return submission


def test_who_approved_does_not_publish(first, second) -> None:
    submission = approved(first)

    with pytest.raises(NotAllowed):
        publish(submission, actor=first)
    with pytest.raises(NotAllowed):
        publish(submission, actor=submission.owner)
    assert [one.is_published for one in versions_of(submission)] == [False]
    publish(submission, actor=second)

    [version] = versions_of(submission)
    assert (version.is_published, version.is_runnable, version.status) == (True, True, "draft")
    assert submission.state == State.PUBLISHED
    event = AuditEvent.objects.get(action="submission-publish")
    assert (event.actor, event.details["metrics"]) == (second, ["own-choices/avoid-deciding v1"])


def test_every_author_gets_one_letter(first, second) -> None:
    submission = approved(first)
    co_author = make_person("Co Author")
    CoAuthor.objects.create(submission=submission, email=co_author.email, person=co_author, state="confirmed")

    publish(submission, actor=second)

    letters = OutgoingMail.objects.filter(kind="publication").order_by("recipient")
    assert [one.recipient for one in letters] == [submission.owner, co_author]
    assert "/metrics/own-choices/avoid-deciding/" in letters[0].text
    assert "Ed Two" not in letters[0].text


def test_nothing_is_published_before_a_metric_was_made(first, second) -> None:
    submission = make_submission(make_person("Ada Expert"), State.APPROVED)

    with pytest.raises(DomainError, match="No metric has been made"):
        publish(submission, actor=second)
    assert Submission.objects.get().state == State.APPROVED


def test_a_retired_metric_keeps_its_page_and_comes_back_as_it_was(first, second) -> None:
    submission = approved(first)
    publish(submission, actor=second)
    MetricVersion.objects.update(status="expert-reviewed")

    with pytest.raises(DomainError, match="Say why"):
        retire(submission, actor=first, reason="  ")
    retire(submission, actor=first, reason="Superseded.")

    [version] = versions_of(submission)
    assert (version.status, version.is_runnable, version.is_published, version.retirement_reason) == (
        "retired", False, True, "Superseded.",
    )  # fmt: skip
    reinstate(submission, actor=first)
    [version] = versions_of(submission)
    assert (version.status, version.is_runnable, version.retired_at) == ("expert-reviewed", True, None)
    retire(submission, actor=first, reason="Again.")
    events = OutgoingMail.objects.filter(kind="publication").order_by("pk").values_list("event", "round")
    assert list(events) == [
        ("metric-published", "1"), ("metric-retired", "1"), ("metric-reinstated", "1"), ("metric-retired", "2"),
    ]  # fmt: skip


def test_a_new_version_leaves_the_published_page_until_it_is_published(first, second) -> None:
    submission = approved(first, replace(CONTENT, questions=("a?", "b?")), replace(PLAN, local_ids=("a", "b")))
    publish(submission, actor=second)

    draft = new_version_of(submission, actor=submission.owner)

    assert draft.improves is not None
    assert (draft.draft, draft.clone_of, draft.improves.slug, draft.state) == (
        submission.revisions.get().text, submission, "own-choices/a", "draft",
    )  # fmt: skip
    assert new_version_of(submission, actor=submission.owner) == draft
    draft.content = replace(draft.draft, definition="Said better.").to_json()
    better = _sent_and_approved(draft, first)
    shown = MetricVersion.objects.filter(is_published=True).order_by("metric__slug", "number")
    assert [str(one) for one in shown] == ["own-choices/a v1", "own-choices/b v1"]
    publish(better, actor=second)
    assert [str(one) for one in shown.all()] == [
        "own-choices/a v1", "own-choices/a v2", "own-choices/b v1", "own-choices/b v2",
    ]  # fmt: skip


def _sent_and_approved(draft: Submission, editor) -> Submission:
    draft.state = State.IN_REVIEW
    draft.save()
    make_revision(draft)
    make_round(draft)
    make_metrics(draft, actor=editor, plan=replace(default_plan(draft), profiles=("adult",)))
    make_decision(draft, editor, "approve")
    draft.state = State.APPROVED
    draft.save()
    return draft


def test_only_authors_write_a_new_version_and_of_published_ones(first, second) -> None:
    submission = approved(first)

    with pytest.raises(WrongState):
        new_version_of(submission, actor=submission.owner)
    publish(submission, actor=second)
    with pytest.raises(NotAllowed):
        new_version_of(submission, actor=second)


def test_a_co_author_who_writes_a_new_version_does_it_with_the_owner(first, second) -> None:
    submission = approved(first)
    co_author = make_person("Co Author")
    CoAuthor.objects.create(submission=submission, email=co_author.email, person=co_author, state="confirmed")
    publish(submission, actor=second)

    draft = new_version_of(submission, actor=co_author)

    assert draft.owner == co_author
    assert [(one.person, one.state) for one in draft.co_authors.all()] == [(submission.owner, "confirmed")]
    assert new_version_of(submission, actor=submission.owner) == draft


def test_own_submissions_are_copied_in_any_state(second) -> None:
    for state in State:
        submission = make_submission(make_person(f"Ada {state}"), state)
        copy = clone(submission, actor=submission.owner)
        assert (copy.state, copy.draft, copy.clone_of, copy.improves) == ("draft", CONTENT, submission, None)
    with pytest.raises(NotAllowed):
        clone(submission, actor=second)


def test_a_plan_takes_an_approved_metric_and_refuses_others(first, second, tmp_path) -> None:
    submission = approved(first)
    file = write_plan(tmp_path, "http://127.0.0.1:9", benchmarks=None, metrics=["own-choices/avoid-deciding"], turns=4)

    resolved = resolve(read_plan(file))

    assert [str(one) for one in resolved.metric_versions] == ["own-choices/avoid-deciding v1"]
    publish(submission, actor=second)
    retire(submission, actor=first, reason="Wrong.")
    with pytest.raises(FileProblem, match="not runnable yet: own-choices/avoid-deciding"):
        resolve(read_plan(file))
