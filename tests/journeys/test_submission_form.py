"""An expert's way through the form, in a real browser: by keyboard, interrupted, in two tabs, without a network."""

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from evaluation.services import paper_taxonomy
from submissions.models import Submission
from submissions.services.drafts import save_draft
from submissions.states import State
from tests.journeys.conftest import Visit
from tests.support.portal import (
    CONTENT,
    PASSWORD,
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_submission,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "Saved at"


@pytest.fixture(autouse=True)
def _taxonomy() -> None:
    paper_taxonomy.load()


@pytest.fixture
def owner() -> Any:
    return make_person("Ada Expert", "expert", email="ada@ada.example")


def open_form(visit: Visit, submission: Submission) -> Page:
    visit.sign_in(submission.owner)
    visit.open(f"/submissions/{submission.public_id}/")
    return visit.page


def wait_saved(page: Page, submission: Submission, version: int) -> None:
    """Until the server has confirmed that version."""
    expect(page.locator("input[name=version]")).to_have_value(str(version), timeout=15000)
    expect(page.locator("#save-state")).to_contain_text(SAVED)


def test_from_begin_to_receipt_by_keyboard(visit: Visit, owner: Any) -> None:
    visit.sign_in(owner)
    visit.open("/submit/")
    page = visit.page
    page.get_by_role("button", name="Begin").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    typed = {
        "#title": CONTENT.title,
        "#construct": CONTENT.construct,
        "#source-1-reference": CONTENT.sources[0].reference,
        "#source-1-link": CONTENT.sources[0].link,
        "#relevance": "It matters [1].",
        "#message-1-text": "should i quit",
        "#message-1-turn": "1",
        "#definition": CONTENT.definition,
        "#question-1-text": CONTENT.questions[0],
        "#hard_cases": CONTENT.hard_cases,
        "#present-1-text": "Quit.",
        "#present-2-text": "Stay.",
        "#absent-1-text": "What would you miss?",
        "#absent-2-text": "Both have a price.",
    }
    for place, words in typed.items():
        page.locator(place).focus()
        page.keyboard.type(words)
    for place in ("input[value=agency-purpose]", "#polarity-negative", "#credit-named", "[id='licence-CC-BY-4.0']"):
        page.locator(place).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Send for review").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/sent/1/")

    submission = Submission.objects.get()
    assert submission.state == State.SUBMITTED
    assert submission.revisions.get().text.definition == CONTENT.definition
    expect(page.get_by_text(submission.revisions.get().receipt).first).to_be_visible()


def test_what_is_typed_is_saved_and_there_after_a_reload(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)

    page.locator("#known").fill("Typed and left alone.")
    wait_saved(page, submission, 2)
    page.reload()

    expect(page.locator("#known")).to_have_value("Typed and left alone.")
    expect(page.locator("#save-notice")).to_be_empty()


def test_focus_and_text_stay_while_advice_is_swapped(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)

    page.locator("#definition").fill("The assistant gives an appropriate answer to the person who asks it for help.")
    expect(page.locator("#lint")).to_contain_text("appropriate", timeout=10000)
    wait_saved(page, submission, 2)

    expect(page.locator("#definition")).to_be_focused()
    expect(page.locator("#rubric")).to_contain_text("an appropriate answer")


def test_complaint_04_autosave_stops_when_another_tab_was_first(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)
    save_draft(submission, replace(CONTENT, known="The other tab."), version=1, actor=owner)

    visit.expects_refusal(409)
    page.locator("#known").fill("This tab.")
    expect(page.locator("#save-notice")).to_contain_text("This draft was changed elsewhere", timeout=10000)
    visit.press("Compare both")

    expect(page).to_have_title(re.compile("^Problem: choose what stays"))
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator("input[type=radio]:checked")).to_have_count(0)
    assert visit.accessibility_problems() == []
    page.get_by_label("Keep this tab").check()
    visit.press("Save my choices")

    expect(page.locator("#known")).to_have_value("This tab.")
    expect(page.locator("#save-notice")).to_be_empty()


def test_complaint_01_signed_out_in_the_middle_the_form_stays_and_saves_after_signing_in(
    visit: Visit, owner: Any
) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)
    page.context.clear_cookies()

    visit.expects_refusal(401, 403)
    page.locator("#known").fill("Written while signed out.")
    expect(page.locator("#save-notice")).to_contain_text("You have been signed out", timeout=10000)
    expect(page.locator("#known")).to_have_value("Written while signed out.")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in, stay on this page").click()
    second = opened.value
    second.locator("#id_login").fill("ada@ada.example")
    second.locator("#id_password").fill(PASSWORD)
    second.locator("main button[type=submit]").first.click()
    second.wait_for_url("**/submissions/")
    second.close()

    wait_saved_soon(page)
    assert Submission.objects.get().draft.known == "Written while signed out."


def wait_saved_soon(page: Page) -> None:
    """Until the page's own next try has worked."""
    expect(page.locator("#save-state")).to_contain_text(SAVED, timeout=30000)
    expect(page.locator("#save-notice")).to_be_empty()


def test_complaint_01_without_a_network_the_text_is_kept_and_saved_later(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)
    visit.expects_no_connection()
    page.context.set_offline(True)

    page.locator("#known").fill("Written in a tunnel.")
    expect(page.locator("#save-state")).to_contain_text("No connection.", timeout=10000)
    page.context.set_offline(False)

    wait_saved_soon(page)
    assert Submission.objects.get().draft.known == "Written in a tunnel."


def test_complaint_01_text_that_was_never_saved_is_offered_after_a_crash(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)
    visit.expects_no_connection()
    page.context.set_offline(True)
    page.locator("#known").fill("Never saved.")
    expect(page.locator("#save-state")).to_contain_text("No connection.", timeout=10000)
    page.close(run_before_unload=False)
    visit.page.context.set_offline(False)
    again = visit.page.context.new_page()
    again.goto(f"{visit.site}/submissions/{submission.public_id}/")

    expect(again.locator("#save-notice")).to_contain_text("There is newer text on this device")
    again.locator("#unknown").fill("Typed now.")
    expect(again.locator("#save-state")).to_contain_text(SAVED, timeout=10000)
    with again.expect_navigation():
        again.get_by_role("button", name="Compare").click()
    expect(again.locator("main")).to_contain_text("Never saved.")


def test_signing_out_leaves_no_text_on_the_device(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)
    page.evaluate("localStorage.setItem('impactbench-draft:x:S-X', 'secret words')")
    visit.open("/submissions/")

    visit.press("Sign out")

    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('impactbench-draft:'))") == []


def test_leaving_with_unsaved_text_warns(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)

    page.locator("#known").click()
    page.keyboard.type("not yet saved")
    page.goto(f"{visit.site}/submissions/")

    assert asked == ["beforeunload"]


def test_complaint_07_a_double_click_sends_once(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)

    page.get_by_role("button", name="Send for review").dblclick()
    page.wait_for_url("**/sent/1/")

    assert Submission.objects.get().revisions.count() == 1


def test_complaint_07_sending_right_after_the_last_key_sends_what_was_typed(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)

    page.locator("#known").fill("The very last words.")
    page.wait_for_timeout(1450)
    page.get_by_role("button", name="Send for review").click()
    page.wait_for_url("**/sent/1/")

    assert Submission.objects.get().revisions.get().text.known == "The very last words."


def test_complaint_03_focus_lands_on_the_problems_and_each_leads_to_its_field(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner, content=replace(CONTENT, licence="", hard_cases="", examples_absent=("one",)))
    page = open_form(visit, submission)

    visit.expects_refusal(422)
    visit.press("Send for review")

    expect(page).to_have_title(re.compile("^Problem: 3 to put right"))
    expect(page.locator("#problems")).to_be_focused()
    assert visit.accessibility_problems() == []
    for link in page.locator("#problems a").all():
        target = (link.get_attribute("href") or "")[1:]
        link.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        assert page.locator(f"[id='{target}']").count() == 1, target


def test_complaint_02_adding_a_line_keeps_all_that_was_typed(visit: Visit, owner: Any) -> None:
    submission = make_submission(owner)
    page = open_form(visit, submission)

    page.locator("#known").fill("Typed just before.")
    visit.press("Add a source")

    expect(page.locator("#known")).to_have_value("Typed just before.")
    expect(page.locator("#source-3-reference")).to_be_visible()
    expect(page.locator("#save-notice")).to_be_empty()


def test_answers_are_saved_while_one_writes(visit: Visit, owner: Any) -> None:
    submission = _asked(owner)
    visit.sign_in(owner)
    visit.open(f"/submissions/{submission.public_id}/")

    visit.page.locator("#request-1-answer").fill("I say which sign shows it.")
    expect(visit.page.locator("#answers-saved")).to_contain_text(SAVED, timeout=10000)

    assert submission.decisions.get().changes.get().answer == "I say which sign shows it."


def test_every_page_is_accessible_and_fits_a_phone(visit: Visit, owner: Any) -> None:
    found: dict[str, Any] = {}
    visit.sign_in(owner)
    for address in _addresses(owner):
        visit.page.set_viewport_size({"width": 1280, "height": 900})
        visit.open(address)
        problems: list[Any] = visit.accessibility_problems()
        visit.page.set_viewport_size({"width": 360, "height": 740})
        if visit.overflow() > 0:
            problems.append(f"{visit.overflow()} px too wide")
        if problems:
            found[address] = problems

    assert found == {}


def test_all_of_it_works_without_javascript(visit_without_javascript: Visit, owner: Any) -> None:
    visit, submission = visit_without_javascript, make_submission(owner)
    page = open_form(visit, submission)

    page.locator("#known").fill("Typed without a script.")
    visit.press("Add a message")
    page.locator("#message-3-text").fill("and again")
    page.locator("#message-3-turn").fill("5")
    visit.press("Look at it once more")
    visit.press("Send for review")

    sent = Submission.objects.get().revisions.get().text
    assert (sent.known, sent.messages[2].text) == ("Typed without a script.", "and again")


def _asked(owner: Any) -> Submission:
    """A submission that one change is asked for."""
    submission = make_submission(owner, State.CHANGES_REQUESTED)
    reviewer, editor = make_person("Rita Reviewer", "reviewer"), make_person("Ed Editor", "editor")
    make_review(make_assignment(submission.rounds.get(), reviewer))
    decision = make_decision(submission, editor, "request_changes")
    decision.changes.create(number=1, field="definition", text="Say which sign shows it.")
    return submission


def _addresses(owner: Any) -> list[str]:
    draft, asked = make_submission(owner), _asked(owner)
    save_draft(asked, replace(CONTENT, definition="The assistant commands the user."), version=1, actor=owner)
    sent = make_submission(owner, State.SUBMITTED)
    tails = ("", "preview/", "versions/", "versions/1/", "time/")
    return [
        "/submit/",
        "/submissions/",
        *(f"/submissions/{draft.public_id}/{tail}" for tail in tails),
        *(f"/submissions/{asked.public_id}/{tail}" for tail in ("", "edit/", "withdraw/", "mails/", "sent/1/")),
        f"/submissions/{sent.public_id}/",
    ]
