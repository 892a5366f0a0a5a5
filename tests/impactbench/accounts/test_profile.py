"""What people say of themselves, and what follows from it."""

from datetime import UTC, datetime

import pytest
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.test import Client, override_settings
from django.urls import path

from impactbench import urls as site
from impactbench.accounts import mail_preferences
from impactbench.accounts.models import User
from impactbench.accounts.naming import display_label
from impactbench.accounts.organisations import verified_domains
from impactbench.accounts.places import countries, time_zones
from tests.impactbench.accounts.people import make_person

pytestmark = pytest.mark.django_db


def clock(request: HttpRequest) -> HttpResponse:
    moment = datetime(2026, 12, 14, 23, 59, tzinfo=UTC)
    return HttpResponse(Template('{{ moment|date:"Y-m-d H:i" }}').render(Context({"moment": moment})))


urlpatterns = [path("clock/", clock), *site.urlpatterns]


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_preferences, "_kinds", {})
    mail_preferences.register("reminder", "Reminders")
    mail_preferences.register("assignment", "Something to review")


def test_profile_is_saved(client: Client) -> None:
    user = make_person()
    client.force_login(user)

    response = client.post(
        "/accounts/profile/",
        {
            "name": " Ada Lovelace ",
            "affiliation": "Analytical Engines",
            "country": "GB",
            "time_zone": "Europe/London",
            "expertise": "Numbers",
            "wants_to_review": "on",
            "conflicts_of_interest": "Charles Babbage",
        },
    )

    user.refresh_from_db()
    assert response.status_code == 302
    assert (user.name, user.affiliation, user.country) == ("Ada Lovelace", "Analytical Engines", "GB")
    assert (user.time_zone, user.wants_to_review) == ("Europe/London", True)
    assert (user.expertise, user.conflicts_of_interest) == ("Numbers", "Charles Babbage")


def test_bad_time_zone_is_refused_and_the_rest_stays_in_the_form(client: Client) -> None:
    client.force_login(make_person())

    response = client.post("/accounts/profile/", {"name": "Ada", "time_zone": "Mars/Base"})

    assert response.status_code == 422
    assert 'value="Ada"' in response.content.decode()
    assert "Signed in as" not in response.content.decode()
    assert User.objects.get().name == ""


def test_nobody_changes_the_address_here(client: Client) -> None:
    client.force_login(make_person())

    client.post("/accounts/profile/", {"email": "evil@example.org", "is_superuser": "on"})

    user = User.objects.get()
    assert (user.email, user.is_superuser) == ("ada@example.org", False)


@pytest.mark.usefixtures("kinds")
def test_kinds_of_mail_are_muted_one_by_one(client: Client) -> None:
    user = make_person(muted_mail_kinds=["no-longer-offered"])
    client.force_login(user)

    client.post("/accounts/profile/", {"wanted_mail_kinds": ["assignment"]})

    user.refresh_from_db()
    assert user.muted_mail_kinds == ["no-longer-offered", "reminder"]


@pytest.mark.parametrize(
    ("zone", "shown"),
    [("", "2026-12-14 23:59"), ("Europe/Zurich", "2026-12-15 00:59"), ("No/Such", "2026-12-14 23:59")],
)
def test_dates_are_shown_in_ones_own_zone(client: Client, zone: str, shown: str) -> None:
    client.force_login(make_person(time_zone=zone))

    with override_settings(ROOT_URLCONF=__name__):
        assert client.get("/clock/").content.decode() == shown


def test_places_to_choose_from() -> None:
    assert ("CH", "Switzerland") in countries()
    assert len(countries()) > 240
    assert time_zones()[0] == "UTC"
    assert {"Europe/Zurich", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} <= set(time_zones())


def test_label_is_the_name_and_never_the_address() -> None:
    assert display_label(User(email="ada@example.org", name=" Ada ")) == "Ada"
    assert display_label(User(email="ada@example.org")) == "an account without a name"


def test_domains_are_those_of_verified_addresses_of_organisations() -> None:
    user = make_person("ada@Physics.Example.EDU")
    EmailAddress.objects.create(user=user, email="ada@gmail.com", verified=True, primary=False)
    EmailAddress.objects.create(user=user, email="ada@unproven.example", verified=False, primary=False)

    assert verified_domains(user) == ["physics.example.edu"]


def test_a_new_account_is_told_where_to_go_from_here(client):
    client.force_login(make_person())

    page = client.get("/accounts/profile/").content.decode()

    assert [f'href="{path}"' in page for path in ("/submit/", "/metrics/", "/methodology/")] == [True] * 3
    assert "Where to go from here" in page
