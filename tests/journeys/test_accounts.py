"""From signing up to a passkey, in a real browser."""

from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from playwright.sync_api import expect

from impactbench.accounts.models import User
from impactbench.accounts.services import create_account, sign_in_token
from tests.impactbench.accounts.people import (
    PASSWORD,
    code_of_app,
    code_of_last_mail,
    make_person,
    second_factors,
)
from tests.journeys.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def check(visit: Visit, problems: list[str]) -> None:
    """Note what axe finds, and what does not fit a phone."""
    title = visit.page.title()
    problems += [f"{title}: {problem}" for problem in visit.accessibility_problems()]
    visit.page.set_viewport_size({"width": 360, "height": 740})
    if visit.overflow() > 0:
        problems.append(f"{title}: {visit.overflow()} px too wide")
    visit.page.set_viewport_size({"width": 1280, "height": 900})


def test_newcomer_signs_up_and_sets_up_app_and_passkey(visit: Visit) -> None:
    page, problems = visit.page, list[str]()
    visit.open("/about/")
    visit.follow("Sign in")
    visit.follow("Sign up")
    check(visit, problems)
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The same password again").fill(PASSWORD)
    visit.press("Sign up")
    check(visit, problems)
    page.get_by_label("Code").fill(code_of_last_mail())
    visit.press("Confirm")
    visit.is_at("/about/")

    visit.follow("Account")
    check(visit, problems)
    page.get_by_label("Name").fill("Ada Lovelace")
    page.get_by_label("Time zone").select_option("Europe/Zurich")
    visit.press("Save")
    expect(page.get_by_text("Signed in as Ada Lovelace")).to_be_visible()

    visit.follow("Second factor")
    check(visit, problems)
    visit.follow("Set up an app")
    check(visit, problems)
    page.get_by_label("Password").fill(PASSWORD)
    visit.press("Confirm")
    check(visit, problems)
    secret = page.locator(".p-steps .p-mono").inner_text()
    page.get_by_label("Code of the app").fill(code_of_app(secret))
    visit.press("Turn it on")
    expect(page.get_by_role("list", name="Recovery codes").get_by_role("listitem")).to_have_count(10)
    check(visit, problems)

    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    visit.open("/accounts/2fa/webauthn/add/")
    check(visit, problems)
    page.get_by_label("Sign in with it alone").check()
    visit.press("Add it")
    check(visit, problems)

    visit.press("Sign out")
    visit.open("/accounts/login/?next=/accounts/data/")
    check(visit, problems)
    visit.press("Sign in with a passkey")
    visit.is_at("/accounts/data/")
    check(visit, problems)

    assert problems == []
    user = User.objects.get()
    assert (user.name, user.time_zone, user.roles) == ("Ada Lovelace", "Europe/Zurich", frozenset({"expert"}))
    assert second_factors(user) == ["recovery_codes", "totp", "webauthn"]
    assert [letter.subject for letter in mail.outbox][:1] == ["Your code for ImpactBench"]


def test_operator_is_led_to_a_second_factor_and_back(visit: Visit, settings: Any) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    operator, _ = create_account(email="op@example.org", roles=["operator", "editor"])
    page, problems = visit.page, list[str]()

    visit.open(reverse("accounts:sign-in", args=[sign_in_token(operator)]))
    check(visit, problems)
    visit.press("Sign in")
    expect(page.get_by_role("heading", name="Set one up before you go on")).to_be_visible()
    check(visit, problems)
    visit.follow("Set up an app")
    visit.press("Send me a code")
    page.get_by_label("Code").fill(code_of_last_mail())
    visit.press("Confirm")
    page.get_by_label("Code of the app").fill(code_of_app(page.locator(".p-steps .p-mono").inner_text()))
    visit.press("Turn it on")
    visit.follow("Go on to the page you asked for")

    visit.is_at("/runs/")
    for address in ("/accounts/people/", "/accounts/sessions/", "/accounts/email/", "/accounts/2fa/"):
        visit.open(address)
        check(visit, problems)
    assert problems == []


def test_token_for_a_program_is_made_shown_once_and_revoked(visit: Visit) -> None:
    make_person("ed@example.org", "expert", "editor")
    page, problems = visit.page, list[str]()
    visit.open("/accounts/login/?next=/accounts/tokens/")
    page.get_by_label("E-mail address").fill("ed@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    visit.press("Sign in")
    check(visit, problems)
    page.get_by_label("What it is for").fill("the laptop at home, which reads and writes submissions every night")
    visit.expects_refusal(422)
    visit.press("Make the token")
    expect(page.get_by_text("Choose at least one thing that it allows.")).to_be_visible()
    check(visit, problems)
    page.get_by_label("Write, send and withdraw my submissions").check()
    page.get_by_label("Import benchmark files as drafts").check()
    visit.press("Make the token")
    page.get_by_label("Password").fill(PASSWORD)
    visit.press("Confirm")
    expect(page.get_by_role("heading", name="Your new token")).to_be_visible()
    text = page.get_by_label("Token “").input_value()
    check(visit, problems)
    visit.follow("I have copied it")
    check(visit, problems)
    assert text not in page.content()
    visit.press("Revoke the laptop at home, which reads and writes submissions every night")
    expect(page.get_by_text("is revoked. Nothing can be done with it any more.")).to_be_visible()
    check(visit, problems)
    assert problems == []


def test_words_of_a_form_that_came_too_late_are_sent_again(visit: Visit, live_server: Any) -> None:
    make_person("ada@example.org")
    page, problems = visit.page, list[str]()
    visit.open("/accounts/login/")
    # A form of the portal that lay open while somebody signed out: its token and session are gone.
    page.evaluate(
        """() => {
            const form = document.querySelector("form.p-form");
            form.action = "/submissions/S-1/";
            form.querySelector("[name=login]").name = "definition";
        }"""
    )
    page.locator("[name=definition]").fill("every@word.stays")
    page.get_by_label("Password").fill("never shown again")
    visit.expects_refusal(403)
    with page.expect_response("**/submissions/S-1/") as answer:
        visit.press("Sign in")

    assert answer.value.status == 403
    expect(page.get_by_role("heading", name="You have been signed out")).to_be_visible()
    expect(page.get_by_label("definition")).to_have_value("every@word.stays")
    assert "never shown again" not in page.content()
    check(visit, problems)
    assert problems == []


def test_signing_in_works_without_javascript_on_a_phone(visit_without_javascript: Visit) -> None:
    make_person("ada@example.org", "expert", name="Ada Lovelace")
    visit = visit_without_javascript
    visit.open("/accounts/login/?next=/accounts/profile/")

    visit.page.get_by_label("E-mail address").fill("ada@example.org")
    visit.page.get_by_label("Password").fill(PASSWORD)
    visit.press("Sign in")

    visit.is_at("/accounts/profile/")
    expect(visit.page.get_by_label("Name")).to_have_value("Ada Lovelace")
