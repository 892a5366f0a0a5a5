"""/studies/planning/: how many raters and items a wished precision takes."""

import re

import pytest
from django.test import Client

from evaluation.selectors.studies.pilots import pilots
from evaluation.services.studies.closing import close_study
from evaluation.studies.planning import plans_for_agreement, plans_for_mean
from tests.support.portal import make_person
from tests.support.studies import make_study, rate_all, take_seat

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/planning/"


@pytest.fixture
def editor(client: Client) -> Client:
    client.force_login(make_person("Mara", "editor"))
    return client


def rows(client: Client, **query: str) -> list[tuple[str, ...]]:
    """The numbers of the table."""
    page = client.get(ADDRESS, query).content.decode()
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    return [tuple(re.findall(r">(\d+)(?: raters? for each item)?<", row)) for row in body.split("<tr>")[1:]]


def test_page_begins_with_plans_for_agreement(editor: Client) -> None:
    plans = plans_for_agreement(alpha=0.4, shares=[0.4, 0.4, 0.2], half_width=0.1, ratings_per_rater=16)

    assert rows(editor) == [
        (str(plan.raters_per_item), str(plan.n_items), str(plan.n_ratings), str(plan.n_raters)) for plan in plans
    ]


def test_address_is_a_plan_that_can_be_sent_on(editor: Client) -> None:
    plans = plans_for_mean(sd_items=0.5, sd_raters=0.8, half_width=0.1, ratings_per_rater=20)

    asked = {"what": "mean", "sd_items": "0.5", "sd_raters": "0.8", "half_width": "0.1", "ratings_per_rater": "20"}
    assert [row[1] for row in rows(editor, **asked)] == [str(plan.n_items) for plan in plans]


def test_share_counts_what_is_left_out(editor: Client) -> None:
    # 0.8 * 0.2 * (1.96 / 0.1)^2 = 61.46, times 1 + 8 * 0.2 = 2.6, over 0.9: 177.6
    assert rows(editor, what="share") == [("3", "178", "534"), ("4", "178", "712"), ("5", "178", "890")]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"shares": "a, b"}, "Write shares as numbers with commas, such as 0.4, 0.4, 0.2."),
        ({"shares": "0.5, 0.6"}, "give the shares of 2 to 5 categories, each above 0, 1 in sum"),
        ({"half_width": "0"}, "Ensure this value is greater than or equal to 0.001."),
        ({"what": "mean", "sd_items": "90", "half_width": "0.01"}, "That takes more than 1,000,000 items"),
        ({"alpha": "nan"}, "Enter a number."),
    ],
)
def test_wish_that_cannot_be_planned_says_why_and_keeps_what_was_typed(
    editor: Client, query: dict[str, str], sentence: str
) -> None:
    response = editor.get(ADDRESS, query)

    page = response.content.decode()
    assert response.status_code == 422
    assert sentence in page
    assert f'value="{next(iter(query.values())) if "what" not in query else query["half_width"]}"' in page
    assert "Ways to get there" not in page


def test_unknown_question_and_pilot_are_passed_over(editor: Client) -> None:
    assert editor.get(ADDRESS, {"what": "x", "pilot": "y"}).status_code == 200


def test_who_runs_no_studies_learns_nothing(client: Client) -> None:
    client.force_login(make_person("Rita", "reviewer"))

    assert client.get(ADDRESS).status_code == 404


def test_ratings_of_a_closed_study_tell_what_to_expect() -> None:
    manager, client = make_person("Mara", "editor"), Client()
    client.force_login(manager)
    study = make_study(manager)
    for number, name in enumerate(("Ann", "Bo")):
        person = make_person(name)
        rate_all(take_seat(study, manager, person), person, main=("pass", "fail")[number])
    assert pilots("agreement") == []
    close_study(study, actor=manager)

    [pilot] = [one for one in pilots("agreement") if one.question == "outcome"]
    page = client.get(ADDRESS, {"pilot": pilot.value, "shares": "0.1, 0.9"}).content.decode()

    assert 'name="shares" value="0.5000, 0.5000"' in page
    assert f'<option value="{pilot.value}" selected>{study.title}: ' in page
