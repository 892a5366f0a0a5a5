"""Those who run a study: design it, invite, watch, analyse, decide, publish, take files along."""

import csv
import io
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Adjudication, Study
from evaluation.services.studies import rating as ratings
from evaluation.services.studies.closing import analysis_of, close_study
from impactbench.accounts.models import User
from tests.support.portal import make_person
from tests.support.studies import SMALL, make_study, rate_all, take_seat, the_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def client(manager: User) -> Client:
    client = Client()
    client.force_login(manager)
    return client


def _page(response: Any) -> str:
    return " ".join(response.content.decode().split())


def _form(kind: str = "expert-review", **changes: Any) -> dict[str, Any]:
    numbers = {f"n-{name}": value for name, value in SMALL[kind].items()}
    return {"title": "Trust", "runs": ["run"], "release": "", "seed": "7", "n-n_benchmarks": "0", **numbers, **changes}


def test_design_is_shown_before_it_is_kept_with_what_is_short(client: Client) -> None:
    the_run()
    shown = _page(client.get("/studies/new/?kind=expert-review"))
    assert '<input type="checkbox" name="n-profiles" value="adult"> <span>Adult' in shown
    assert "External expert review" in _page(client.get("/studies/new/"))
    assert "section 4.9" in _page(client.get("/studies/new/?kind=expert-review"))

    drawn = client.post("/studies/new/?kind=expert-review", _form(a="draw", **{"n-n_metrics": "40"}))
    assert "of 40 metrics. There are no more." in _page(drawn)
    assert Study.objects.count() == 0
    access: dict[str, Any] = {"n-profiles": ["adult"], "has_open_links": "on", "most_raters": "3"}
    kept = client.post("/studies/new/?kind=expert-review", _form(a="keep", consent_text="Kept.", **access))

    study = Study.objects.get()
    assert kept.headers["Location"] == f"/studies/{study.public_id}/"
    assert (study.kind, study.seed, study.state, study.consent_text) == ("expert-review", 7, "draft", "Kept.")
    assert (study.n_raters, study.items.count()) == (2, 5)
    assert (study.has_open_links, study.most_raters) == (True, 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": ""}, "Give the study a title."),
        ({"runs": []}, "Choose one run or more, or a release, and not both."),
        ({"n-raters": "1"}, "There are only 1 raters."),
        ({"n-overlap": "many"}, "Give a whole number from 1 to 1,000."),
        ({"most_raters": "1"}, "You plan 2 raters, so give at least 2."),
        ({"seed": "-1"}, "greater than or equal to 0"),
    ],
)
def test_wrong_field_of_a_design_has_one_message(client: Client, changes: dict[str, Any], message: str) -> None:
    the_run()

    refused = client.post("/studies/new/?kind=expert-review", _form(a="keep", **changes))

    assert refused.status_code == 422
    assert message in _page(refused)


def test_study_is_run_from_its_page(manager: User, client: Client) -> None:
    study = make_study(manager, opens=False)
    page, act = f"/studies/{study.public_id}/", f"/studies/{study.public_id}/act/"

    assert client.post(f"{page}invite/", {"addresses": "rita@x.example\nnobody"}).status_code == 422
    client.post(f"{page}invite/", {"addresses": "rita@x.example\notto@x.example"})
    client.post(act, {"a": "open"})
    client.post(f"{page}raters/2/", {"a": "uninvite"})
    assert client.post(f"{page}raters/1/", {"a": "remind"}).status_code == 302
    assert "rita@x.example" in _page(client.get(page))
    for action, state in (("publish", "open"), ("close", "closed"), ("again", "closed"), ("publish", "published")):
        client.post(act, {"a": action})
        study.refresh_from_db()
        assert study.state == state
    assert list(study.raters.values_list("state", flat=True)) == ["invited", "declined"]
    assert "<form" not in _page(client.get(page)).partition("<main")[2].partition("</main>")[0]


def test_analysis_and_files_tell_what_raters_said(manager: User, client: Client) -> None:
    study = make_study(manager)
    for name, main in (("Rita", "pass"), ("Otto", "fail")):
        person = make_person(name)
        rate_all(take_seat(study, manager, person), person, main=main)
    page = f"/studies/{study.public_id}/"

    analysis = _page(client.get(f"{page}analysis/"))
    assert "Live: it changes with each rating" in analysis
    assert "10 ratings of 5 of 5 items by 2 raters" in analysis
    headings = re.findall(r'<h2 id="h-[^"]*">(.*?)</h2>', analysis)
    assert (headings[0], headings[-1]) == ("The judge beside the majority of the raters", "Time taken")
    assert "Answers: Does the AI pass or fail on this metric?" in headings
    lines = list(csv.DictReader(io.StringIO(_streamed(client, f"{page}ratings.csv"))))
    assert {line["rater"] for line in lines} == {"Rater 1", "Rater 2"}
    assert [line["value"] for line in lines if line["question"] == "outcome"] == ["pass", "fail"] * 4
    assert len(list(csv.DictReader(io.StringIO(_streamed(client, f"{page}items.csv"))))) == 5
    told = json.loads(client.get(f"{page}study.json").content)
    assert (len(told["items"]), len(told["ratings"]), told["analysis"]) == (5, 10, None)
    assert analysis_of(study)["n_ratings"] == 10


def test_pages_ask_the_database_the_same_however_many_rate(manager: User, client: Client) -> None:
    study = make_study(manager)
    page = f"/studies/{study.public_id}/"
    asked: dict[str, list[int]] = {}
    for name, main in (("Rita", "pass"), ("Otto", "fail")):
        person = make_person(name)
        rate_all(take_seat(study, manager, person), person, main=main)
        for address in (page, f"{page}items/", f"{page}analysis/", f"{page}study.json"):
            with CaptureQueriesContext(connection) as queries:
                client.get(address)
            asked.setdefault(address, []).append(len(queries))

    assert {address: len(set(counts)) for address, counts in asked.items()} == dict.fromkeys(asked, 1)


def test_disagreement_is_decided_beside_the_ratings(manager: User, client: Client) -> None:
    study = make_study(manager)
    for name, main in (("Rita", "pass"), ("Otto", "fail")):
        person = make_person(name)
        rate_all(take_seat(study, manager, person), person, main=main)
    item = study.items.filter(unit="conversation").first()
    assert item is not None
    address = f"/studies/{study.public_id}/items/{item.number}/"

    assert _page(client.get(f"/studies/{study.public_id}/items/")).count("<b>Waits:</b> raters differ") == 4
    assert client.post(address, {"outcome": "present", "reasons": " "}).status_code == 422
    client.post(address, {"outcome": "contested", "reasons": "Both have a point."})

    assert list(Adjudication.objects.values_list("outcome", "by")) == [("contested", manager.pk)]
    assert "Both have a point." in _page(client.get(address))
    assert _page(client.get(f"/studies/{study.public_id}/items/")).count("<b>Waits:</b> raters differ") == 3


def test_who_rates_in_a_study_does_not_run_it(manager: User) -> None:
    study, sibling = make_study(manager), make_study(manager, "judgment-review")
    person = make_person("Opal", "operator")
    rater = take_seat(study, manager, person)
    client = Client()
    client.force_login(person)
    page = f"/studies/{study.public_id}/"

    assert "You are Rater 1" in _page(client.get(page))
    for address in ("analysis/", "items/", "items/1/", "items.csv", "ratings.csv", "study.json"):
        assert client.get(f"{page}{address}").status_code == 404
    # Another study of the same run would tell what is hidden, until they have finished.
    assert client.get(f"/studies/{sibling.public_id}/items/").status_code == 404
    assert "There is none yet." in _page(client.get("/studies/"))
    rate_all(rater, person)
    ratings.finish(rater, actor=person)
    assert client.get(f"/studies/{sibling.public_id}/items/").status_code == 200
    assert client.get(f"{page}items/").status_code == 404


def _streamed(client: Client, address: str) -> str:
    response: Any = client.get(address)
    return b"".join(response.streaming_content).decode("utf-8-sig")


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("items/99999999999999999999/", 404),
        ("99999999999999999999/", 404),
        ("hidden/", 404),
        ("raters/99999999999999999999/", 302),
    ],
)
def test_strange_address_of_a_study_is_answered(manager: User, client: Client, end: str, status: int) -> None:
    page = f"/studies/{make_study(manager).public_id}/{end}"

    assert (client.post(page) if end.startswith("raters") else client.get(page)).status_code == status
    assert client.get("/studies/new/?kind=%00nothing").status_code == 200


def test_strange_text_in_a_rating_is_kept_as_text(manager: User) -> None:
    person = make_person("Rita")
    rater = take_seat(make_study(manager, "scenario-review"), manager, person)
    client = Client()
    client.force_login(person)
    page = f"/studies/{rater.study.public_id}/1/"
    text = "<script>alert(1)</script>\x00\u202e{{ 7|add:7 }}"

    client.post(page, {"a": "save", "quality": "9", "remarks": text, "version": "one", "opened": "x", "seconds": "-1"})

    assert rater.ratings.get().answers == {"remarks": text.replace("\x00", "")}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in client.get(page).content.decode()


@pytest.mark.parametrize("page", ["", "items/", "items/1/", "ratings.csv", "items.csv", "study.json"])
def test_no_list_brings_the_whole_analysis_along_with_each_of_its_rows(
    page: str, client: Client, manager: User, django_assert_max_num_queries: Any
) -> None:
    study = make_study(manager)
    person = make_person("Ann")
    rate_all(take_seat(study, manager, person), person)
    close_study(study, actor=manager)

    with django_assert_max_num_queries(40) as asked:
        response = client.get(f"/studies/{study.public_id}/{page}")
        list(response)

    joined = [query["sql"] for query in asked if '"analysis"' in query["sql"] and " JOIN " in query["sql"]]
    alone = [query for query in asked if 'FROM "evaluation_study" WHERE "evaluation_study"."id" = ' in query["sql"]]
    assert (joined, len(alone) <= 1) == ([], True)
