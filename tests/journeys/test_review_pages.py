"""Reviewing in a real browser: by keyboard, without JavaScript, on a phone, and with bad luck."""

import re

import pytest
from playwright.sync_api import Page, expect

from submissions.models import Assignment, Review
from submissions.rubric import CRITERION_KEYS
from submissions.states import State
from tests.journeys.conftest import Visit
from tests.support.portal import PASSWORD, make_assignment, make_person, make_review, make_submission

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Work:
    """A reviewer with an open review, an invitation, and a colleague who has sent a review already."""

    def __init__(self) -> None:
        self.reviewer = make_person("Rita Reviewer", "reviewer")
        self.submission = make_submission(make_person("Ada Author", "expert"), State.IN_REVIEW)
        round_ = self.submission.rounds.get()
        self.assignment = make_assignment(round_, self.reviewer)
        colleague = make_assignment(round_, make_person("Rolf Reviewer", "reviewer"))
        make_review(colleague, for_author="The words of a colleague")
        self.asked = make_submission(make_person("Otto Other", "expert"), State.IN_REVIEW)
        make_assignment(self.asked.rounds.get(), self.reviewer, Assignment.State.INVITED)
        self.address = f"/review/{self.submission.public_id}/"


@pytest.fixture
def work(transactional_db: None) -> Work:
    return Work()


def choose_all(page: Page) -> None:
    for key in CRITERION_KEYS:
        page.locator(f"input[name={key}][value='3']").check()
    page.get_by_label("For the author").fill("Good work.")
    page.locator("input[name=advice][value=approve]").check()


def test_review_without_javascript_on_a_phone(visit_without_javascript: Visit, work: Work) -> None:
    visit, page = visit_without_javascript, visit_without_javascript.page
    visit.sign_in(work.reviewer)
    visit.open("/review/")
    assert visit.overflow() <= 0

    page.get_by_label("No. I do not know who wrote it").check()
    visit.press("Accept, due", exact=False)
    visit.is_at(f"/review/{work.asked.public_id}/")
    visit.open(work.address)
    assert visit.overflow() <= 0
    choose_all(page)
    visit.press("Send review")

    expect(page.get_by_text("Sent. Thank you.")).to_be_visible()
    expect(page.get_by_text("The words of a colleague")).to_be_visible()
    assert Review.objects.get(assignment=work.assignment).sent_at is not None


def test_review_is_saved_while_it_is_written_and_found_again(visit: Visit, work: Work) -> None:
    page = visit.page
    visit.sign_in(work.reviewer)
    visit.open(work.address)

    page.get_by_label("For the author").press_sequentially("Half a sentence")
    page.locator("[data-saved]").get_by_text("Saved at").wait_for()
    visit.open(work.address)

    expect(page.get_by_label("For the author")).to_have_value("Half a sentence")


def test_digit_answers_only_the_question_that_has_the_focus(visit: Visit, work: Work) -> None:
    page = visit.page
    visit.sign_in(work.reviewer)
    visit.open(work.address)

    page.keyboard.press("4")
    page.locator("input[name=clarity][value='1']").focus()
    page.keyboard.press("3")
    page.get_by_label("For the author").fill("2 things")
    page.get_by_label("For the author").press("1")

    chosen = page.evaluate(
        "() => [...document.querySelectorAll('#rubric input:checked')].map((one) => one.name + one.value)"
    )
    assert chosen == ["clarity3"]


def test_unfinished_review_moves_the_focus_to_the_summary(visit: Visit, work: Work) -> None:
    page = visit.page
    visit.sign_in(work.reviewer)
    visit.open(work.address)
    page.get_by_label("For the author").fill("So far")

    visit.expects_refusal(422)
    page.get_by_role("button", name="Send review").click()

    # The script that moves the focus runs after the page has appeared: wait for the states, never read them at once.
    expect(page.get_by_role("heading", name="Your review is saved, but not sent yet")).to_be_visible()
    expect(page.locator(".p-summary")).to_be_focused()
    expect(page).to_have_title(re.compile("^Problem"))
    assert visit.accessibility_problems() == []


def test_complaint_01_words_written_without_a_connection_come_back(visit: Visit, work: Work) -> None:
    page = visit.page
    visit.sign_in(work.reviewer)
    visit.open(work.address)
    visit.expects_no_connection()
    page.context.set_offline(True)
    page.get_by_label("For the author").press_sequentially("Typed in a tunnel")
    page.locator("[data-saved]").get_by_text("No connection").wait_for()

    page.context.set_offline(False)
    page.locator("[data-saved]").get_by_text("Saved at").wait_for()

    assert Review.objects.get(assignment=work.assignment).for_author == "Typed in a tunnel"


def test_newer_text_on_this_device_is_offered_after_a_crash(visit: Visit, work: Work) -> None:
    page = visit.page
    visit.sign_in(work.reviewer)
    visit.open(work.address)
    visit.expects_no_connection()
    page.route(
        f"**{work.address}", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    page.get_by_label("For the author").press_sequentially("Typed before the crash")
    page.locator("[data-saved]").get_by_text("No connection").wait_for()
    page.unroute(f"**{work.address}")
    page.once("dialog", lambda dialog: dialog.accept())
    visit.open(work.address)

    page.get_by_role("button", name="Put it back").click()
    page.locator("[data-saved]").get_by_text("Saved at").wait_for()

    assert Review.objects.get(assignment=work.assignment).for_author == "Typed before the crash"


def test_complaint_04_second_window_is_told_and_compares_both_texts(visit: Visit, work: Work) -> None:
    page, other = visit.page, visit.page.context.new_page()
    visit.sign_in(work.reviewer)
    for one in (page, other):
        one.goto(visit.site + work.address)
    other.get_by_label("For the author").fill("The other window")
    other.locator("[data-saved]").get_by_text("Saved at").wait_for()

    visit.expects_refusal(409)
    page.get_by_label("For the author").fill("This window")
    visit.press("Compare both")

    expect(page.get_by_role("heading", name="This review was changed in another window")).to_be_visible()
    expect(page.locator(".p-side .p-words")).to_have_text(["The other window", "This window"])
    assert Review.objects.get(assignment=work.assignment).for_author == "The other window"
    assert visit.accessibility_problems() == []


def test_signed_out_in_the_middle_keeps_the_words_and_saves_them_after_signing_in(visit: Visit, work: Work) -> None:
    page = visit.page
    visit.sign_in(work.reviewer)
    visit.open(work.address)
    page.context.clear_cookies()

    visit.expects_refusal(401, 403)
    page.get_by_label("For the author").press_sequentially("Typed after the session")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in, then come back").click()
    second = opened.value
    second.get_by_label("E-mail").fill(work.reviewer.email)
    second.get_by_label("Password", exact=True).fill(PASSWORD)
    second.locator("main button[type=submit]").first.click()
    second.wait_for_url(f"**{work.address}")
    page.get_by_role("button", name="I have signed in").click()
    page.locator("[data-saved]").get_by_text("Saved at").wait_for()

    assert Review.objects.get(assignment=work.assignment).for_author == "Typed after the session"


def test_pages_of_reviewers_are_accessible_and_fit(visit: Visit, work: Work) -> None:
    page, found = visit.page, {}
    visit.sign_in(work.reviewer)

    for address in (
        "/review/",
        work.address,
        f"/review/{work.asked.public_id}/",
        "/review/settings/",
        f"{work.address}hand-back/",
    ):
        visit.open(address)
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 900})
            found[address, width] = (visit.accessibility_problems(), max(visit.overflow(), 0))

    assert {place: result for place, result in found.items() if result != ([], 0)} == {}


def test_text_under_review_scrolls_by_keyboard_beside_the_form(visit: Visit, work: Work) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 500})
    visit.sign_in(work.reviewer)
    visit.open(work.address)

    page.locator("#text").focus()
    before = page.evaluate("() => window.scrollY")
    page.keyboard.press("End")
    page.wait_for_function("() => document.getElementById('text').scrollTop > 100")

    assert page.evaluate("() => window.scrollY") == before
