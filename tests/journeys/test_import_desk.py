"""A blueprint of our own goes from the upload over the desk and the review to a published metric, without scripts."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import FilePayload, expect

from evaluation.models import Taxonomy
from evaluation.services import paper_taxonomy
from submissions.models import Submission
from submissions.services.approving import ApprovalPlan, make_metrics
from submissions.services.publishing import publish
from submissions.states import State
from tests.journeys.conftest import Visit
from tests.support.portal import make_decision, make_person, make_round
from tests.support.source_files import BLUEPRINT

FILE: FilePayload = {"name": "essays.yml", "mimeType": "application/yaml", "buffer": BLUEPRINT.encode()}
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(transactional_db: None) -> dict[str, Any]:
    if not Taxonomy.objects.filter(slug=paper_taxonomy.SLUG).exists():
        paper_taxonomy.load()
    return {name: make_person(f"Ed {name}", "editor") for name in ("one", "two", "three")}


def test_a_blueprint_becomes_a_published_metric(visit_without_javascript: Visit, people: dict[str, Any]) -> None:
    visit, page = visit_without_javascript, visit_without_javascript.page

    visit.sign_in(people["one"])
    visit.open("/review/imports/")
    page.get_by_label("File, or several files").set_input_files(files=[FILE])
    visit.go(page.get_by_role("button", name="Read it"))
    expect(page.locator(".p-say")).to_contain_text("3 metric drafts to work on, 0 of them checked. 1 part left out.")

    row = page.locator("#row-1")
    row.get_by_label("I have checked this").check()
    row.get_by_text("Examples, hard cases and what else").click()
    row.get_by_label("Hard cases").fill("A question about the topic counts.")
    row.get_by_label("Example 2, present").fill("What is your point?")
    row.get_by_label("Example 1, absent").fill("Here is your essay.")
    row.get_by_label("Example 2, absent").fill("Done.")
    page.get_by_label("Why it matters for people’s lives").fill("Pupils learn by writing.")
    page.get_by_label("Your choices").check()
    page.get_by_label("Anyone may use it freely").check()
    page.get_by_label("The words may be shown to others").check()
    assert (visit.overflow(), visit.troubles) == (0, [])
    visit.go(page.get_by_role("button", name="Send checked rows to review"))
    expect(page.get_by_role("status").first).to_contain_text("1 submission is in review, in your name.")

    submission = Submission.objects.get()
    assert submission.state == State.SUBMITTED
    _approve(submission, people["two"])
    publish(submission, actor=people["three"])
    visit.open("/metrics/essays/asks-what/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Asks what the pupil wants to argue")


def test_the_desk_is_accessible(visit: Visit, people: dict[str, Any]) -> None:
    visit.sign_in(people["one"])
    visit.open("/review/imports/")
    assert visit.accessibility_problems() == []
    visit.page.get_by_label("File, or several files").set_input_files(files=[FILE])
    visit.go(visit.page.get_by_role("button", name="Read it"))
    assert visit.accessibility_problems() == []


def _approve(submission: Submission, editor: Any) -> None:
    """What a review and an editor's decision leave; both have journeys of their own."""
    submission.state = State.IN_REVIEW
    submission.save()
    make_round(submission)
    plan = ApprovalPlan(
        benchmark="essays", is_new_benchmark=True, benchmark_name="Essays", local_ids=("asks-what",), profiles=("teen",)
    )
    make_metrics(submission, actor=editor, plan=plan)
    submission.rounds.update(closed_at=timezone.now())
    make_decision(submission, editor, "approve")
    submission.state = State.APPROVED
    submission.save()
