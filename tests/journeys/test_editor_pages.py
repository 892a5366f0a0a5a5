"""What an editor sees in a browser: without JavaScript, on a phone, by keyboard, and with axe."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from evaluation.models import Area, Benchmark, Subarea, Taxonomy
from submissions.models import Assignment, Call, Conflict, Decision, Extension
from submissions.services.rounds import remind
from submissions.states import State
from tests.journeys.conftest import Visit
from tests.support.portal import (
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_revision,
    make_round,
    make_submission,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def work() -> dict[str, Any]:
    """An editor's day: submissions in every state, a letter that waits, one that is late."""
    taxonomy = Taxonomy.objects.create(slug="t", title="T")
    area = Area.objects.create(taxonomy=taxonomy, slug="meaning", name="Meaning and purpose")
    subarea = Subarea.objects.create(taxonomy=taxonomy, area=area, slug="agency-purpose", name="Agency and purpose")
    Benchmark.objects.create(slug="agency", name="Agency")
    call = Call.objects.create(slug="spring", title="Spring 2027", time_zone="Europe/Paris",
                               closes_at=timezone.now() + timedelta(days=60))  # fmt: skip
    editor = make_person("Ed Editor", "editor")
    owner = make_person("Ada Author", "expert", affiliation="A clinic", time_zone="Asia/Tokyo")
    reviewers = [make_person(name, "reviewer") for name in ("Rita Reviewer", "Rolf Reader", "Rosa Rater")]
    for person in reviewers:
        person.reviewer.subareas.add(subarea)
    found = {
        "new": make_submission(owner, State.SUBMITTED, call=call),
        "decide": make_submission(owner, State.IN_REVIEW, call=call),
        "late": make_submission(owner, State.IN_REVIEW),
        "changes": make_submission(owner, State.CHANGES_REQUESTED),
        "approved": make_submission(owner, State.APPROVED),
        "waiting": make_submission(owner, State.IN_REVIEW),
        "withdrawn": make_submission(owner, State.WITHDRAWN),
    }
    found["new"].revisions.update(trial={"n_differ": 1, "n_examples": 4, "n_agree": 3, "model": "a model"})
    for person, value in zip(reviewers[:2], (4, 2), strict=True):
        values = (4, value, *(3,) * 6)
        make_review(
            make_assignment(found["decide"].rounds.get(), person), values=values, private_remark="Between us: good."
        )
    late = make_assignment(found["late"].rounds.get(), reviewers[0])
    make_assignment(found["late"].rounds.get(), reviewers[2], "invited")
    Assignment.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(days=2))
    remind(late, actor=editor)
    changed = found["changes"]
    make_decision(changed, editor, "request_changes")
    changed.content = {**changed.content, "definition": "The assistant says which choice to take."}
    changed.save()
    make_round(changed) if make_revision(changed).number == 2 else None
    waiting = make_decision(found["waiting"], editor, "reject", "waiting")
    Decision.objects.filter(pk=waiting.pk).update(
        release_at=timezone.now() + timedelta(minutes=26),
        subject="Your metric is not accepted",
        letter="Dear author,\n",
    )
    Conflict.objects.create(submission=found["decide"], person=reviewers[2], kind="found", reason="Same office.")
    Extension.objects.create(submission=make_submission(owner, State.DRAFT), reason="I was ill.")
    return {"editor": editor, "reviewers": reviewers, **found}


def pages_of(work: dict[str, Any]) -> list[str]:
    """Every page of editors, with the states that look different."""

    def page(name: str, key: str) -> str:
        return reverse(f"submissions:{name}", args=[work[key].public_id])

    return [
        "/review/?tab=all&state=any",
        "/review/?tab=outbox",
        page("review-reviewers", "new"),
        *(page("review", key) for key in ("decide", "late", "changes", "approved", "withdrawn")),
        page("review-decision", "decide"),
        page("review-decision", "waiting"),
        "/review/import/",
        "/review/calls/",
        "/review/calls/spring/",
        "/review/people/",
        reverse("submissions:review-person", args=[work["reviewers"][0].pk]),
    ]


def open_details(visit: Visit) -> None:
    visit.page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true })")


def test_editor_pages_are_accessible_and_fit_a_phone(visit: Visit, work: dict[str, Any]) -> None:
    visit.sign_in(work["editor"])
    problems: dict[tuple[str, int], list[str]] = {}

    for address in pages_of(work):
        visit.open(address)
        open_details(visit)
        for width in (1280, 360):
            visit.page.set_viewport_size({"width": width, "height": 900})
            wide = ["too wide"] if width == 360 and visit.overflow() > 0 else []
            problems[address, width] = [*visit.accessibility_problems(), *wide]

    assert {place: found for place, found in problems.items() if found} == {}


def test_editor_finds_reviewers_and_decides_without_javascript(visit_without_javascript: Visit, work: Any) -> None:
    visit, page = visit_without_javascript, visit_without_javascript.page
    visit.sign_in(work["editor"])

    visit.open("/review/?tab=all")
    page.locator(f"input[value={work['new'].public_id}]").check()
    visit.press("Find reviewers", exact=False)
    visit.press("Ask the selected")
    expect(page.get_by_role("status").first).to_have_text("2 people were asked.")
    visit.open(reverse("submissions:review-decision", args=[work["decide"].public_id]))
    page.locator("input[name=kind][value=request_changes]").check()
    visit.press("Take points from the reviews")
    visit.press("Add a point")
    page.get_by_label("Point 1", exact=True).fill("Keep one of the two.")
    visit.press("Save the decision")
    visit.press("Undo the decision")

    assert list(Decision.objects.filter(submission=work["decide"]).values_list("kind", "state", "requests")) == [
        ("request_changes", "undone", [{"field": "definition", "text": "Keep one of the two."}])
    ]


def test_editor_decides_by_keyboard_and_enter_sends_nothing(visit: Visit, work: dict[str, Any]) -> None:
    visit.sign_in(work["editor"])
    visit.open(reverse("submissions:review-decision", args=[work["decide"].public_id]))
    page = visit.page

    page.locator("input[name=kind][value=request_changes]").check()
    page.get_by_label("Point 1", exact=True).fill("Keep one of the two.")
    with page.expect_navigation():
        page.get_by_label("Answer due, 23:59 UTC").press("Enter")

    expect(page.get_by_label("Text of the letter")).to_contain_text("1. ")
    assert Decision.objects.filter(submission=work["decide"]).count() == 0
