"""/runs/<slug>/schedule/: what operators set, what comes back refused, and what the pages then say."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from evaluation.models import RunSchedule
from evaluation.services import schedules
from tests.support.builders import make_finished_run
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
FORM = {"every": "2", "unit": "weeks", "budget_usd": "12.50", "first_on": ""}


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_person("Op Erator", "operator", time_zone="Asia/Tokyo"))
    make_finished_run()
    return client


def test_a_schedule_is_set_shown_in_both_zones_listed_and_stopped(operator: Client) -> None:
    day = (timezone.now() + timedelta(days=40)).date()

    answer = operator.post("/runs/run/schedule/", FORM | {"first_on": f"{day}"})

    made = RunSchedule.objects.get()
    first = datetime(day.year, day.month, day.day, 2, tzinfo=UTC)
    assert (answer.status_code, answer["Location"]) == (302, "/runs/run/")
    assert (made.every, made.unit, made.budget_usd, made.next_at) == (2, "weeks", Decimal("12.5"), first)
    page, runs = (operator.get(path).content.decode() for path in ("/runs/run/", "/runs/"))
    moment = f"{day.day} {day:%B %Y}, 02:00 UTC ({day.day} {day:%B %Y}, 11:00 your time)"
    assert f"Again every 2 weeks, next on <b>{moment}</b>, for at most $12.50 each time." in page
    assert f'<td data-l="Next">{moment}</td>' in runs
    operator.post("/runs/run/schedule/stop/")
    assert "The clock does not hold this run again." in operator.get("/runs/run/").content.decode()


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("budget_usd", "", "Write what each round may cost at most."),
        ("every", "often", "Write a whole number."),
        ("first_on", "soon", "Write a date, such as 2027-01-31."),
        ("unit", "eons", "Select a valid choice."),
    ],
)
def test_what_cannot_be_used_comes_back(operator: Client, field: str, value: str, problem: str) -> None:
    answer = operator.post("/runs/run/schedule/", FORM | {field: value})

    page = answer.content.decode()
    assert (answer.status_code, RunSchedule.objects.count()) == (422, 0)
    assert problem in page
    assert 'value="2"' in page or field == "every"


def test_a_first_date_that_is_over_is_told(operator: Client) -> None:
    answer = operator.post("/runs/run/schedule/", FORM | {"first_on": "2020-01-01"}, follow=True)

    assert "The first date is over; choose a later one." in answer.content.decode()


def test_a_round_says_what_it_is_of(operator: Client) -> None:
    operator.post("/runs/run/schedule/", FORM)
    [made] = schedules.begin_due(timezone.now() + timedelta(days=15))

    page = operator.get(f"/runs/{made.slug}/").content.decode()
    first = operator.get("/runs/run/").content.decode()

    assert 'This is a round of <a href="/runs/run/">run</a>.' in page
    assert f'<a href="/runs/{made.slug}/">{made.slug}</a>' in first
