"""Every error of the API is a problem document, and nothing that a client sends is a fault of ours."""

from typing import Any

import pytest
from django.test import Client, RequestFactory
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.labels.api.conftest import Get

pytestmark = pytest.mark.django_db

LISTS = (
    "releases", "models", "areas", "benchmarks", "metrics", "results", "comparisons", "sensitivity", "agreement",
    "scenarios", "conversations", "judgments",
)  # fmt: skip


def problem(response: Any) -> Any:
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    return response.json()


def test_unknown_parameter_is_refused_naming_the_known_ones(get: Get) -> None:
    response = get("results/?colour=red")

    assert response.status_code == 400
    known = "cursor, fields, group, key, model, page_size, polarity, profile, release"
    detail = f"The parameter 'colour' is not known here; known ones: {known}."
    assert problem(response) == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": detail,
        "instance": "/api/v1/results/",
        "errors": [{"parameter": "colour", "detail": detail}],
    }


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("group=area&group=metric", "The parameter group is given more than once."),
        ("group=", "The parameter group has no value; leave it out to ask for everything."),
        ("key=%00", "The parameter key holds a character that no name has."),
        (
            "group=all",
            "The parameter group must be one of overall, area, subarea, benchmark, label-row, metric, not 'all'.",
        ),
        ("release=1999", "There is no release '1999'; /api/v1/releases/ lists them."),
        (
            "model=hal&release=small",
            "Release small has no model 'hal'; /api/v1/models/?release=small lists them.",
        ),
        ("profile=old", "Release small has no profile 'old'; known ones: teen, adult."),
        ("key=nothing", "Release small has no results with the key 'nothing'."),
        ("page_size=0", "The parameter page_size must be a whole number from 1 to 1000, not '0'."),
        ("page_size=1001", "The parameter page_size must be a whole number from 1 to 1000, not '1001'."),
        ("page_size=ten", "The parameter page_size must be a whole number from 1 to 1000, not 'ten'."),
        ("cursor=x", "The cursor is not one that this address gave out; begin without it."),
        ("cursor=cD1hYmM%3D", "The cursor is not one that this address gave out; begin without it."),
        ("cursor=cD0lMDA%3D", "The cursor is not one that this address gave out; begin without it."),
        ("cursor=%E2%82%AC", "The cursor is not one that this address gave out; begin without it."),
        ("format=xml", "The parameter 'format' is not known here; known ones: "),
    ],
)
@pytest.mark.usefixtures("small")
def test_bad_value_is_refused_with_what_to_do(get: Get, query: str, detail: str) -> None:
    response = get(f"results/?{query}")

    assert response.status_code == 400
    assert problem(response)["detail"][: len(detail)] == detail


def test_long_values_are_shortened_in_the_answer(get: Get) -> None:
    response = get("results/", {"release": "r" * 5000})

    assert problem(response)["detail"] == f"There is no release '{'r' * 100}...'; /api/v1/releases/ lists them."


def test_too_many_parameters_are_a_bad_request(get: Get) -> None:
    response = get("results/?" + "&".join(f"a{number}=1" for number in range(1100)))

    assert (response.status_code, problem(response)["detail"]) == (400, "The request cannot be read.")


def test_host_that_is_not_ours_is_refused_in_the_form_of_the_api(client: Client) -> None:
    found = [client.get(path, headers={"host": "< ;fq"}) for path in ("/api/v1/results/", "/labels/")]

    assert [response.status_code for response in found] == [400, 400]
    assert found[0].json()["detail"] == "The request cannot be read."
    assert [response.headers["Content-Type"] for response in found] == [
        "application/problem+json",
        "text/html; charset=utf-8",
    ]


NOWHERE = (
    "models/hal/",
    "releases/1999/",
    "areas/none/",
    "benchmarks/none/",
    "metrics/a/b/",
    "conversations/none/",
    "labels/hal/",
    "none",
)


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.usefixtures("small")
def test_what_does_not_exist_is_a_problem_document(get: Get, path: str) -> None:
    response = get(path)

    assert response.status_code == 404
    assert {name: problem(response)[name] for name in ("title", "status", "instance")} == {
        "title": "Not Found",
        "status": 404,
        "instance": f"/api/v1/{path}",
    }


@pytest.mark.parametrize("path", ["models/%00/", "metrics/a/%00/", "conversations/%00/", "labels/%00/", "%00/"])
@pytest.mark.usefixtures("small")
def test_nul_in_a_path_is_not_found(get: Get, path: str) -> None:
    assert problem(get(path))["status"] == 404


def test_forgotten_slash_leads_to_the_address_with_its_query(get: Get) -> None:
    response = get("results?group=overall")

    assert (response.status_code, response.headers["Location"]) == (301, "/api/v1/results/?group=overall")


def test_writing_is_not_allowed(client: Client) -> None:
    response = client.post("/api/v1/results/", {})

    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert problem(response)["title"] == "Method Not Allowed"


def test_another_language_than_json_is_not_acceptable(get: Get) -> None:
    response = get("results/", accept="application/xml")

    assert response.status_code == 406
    assert problem(response)["title"] == "Not Acceptable"


@pytest.mark.parametrize("path", LISTS)
def test_lists_are_empty_while_nothing_is_published(get: Get, path: str) -> None:
    response = get(f"{path}/")

    assert response.status_code == 200
    assert response.json() == {"next": None, "previous": None, "results": []}


def test_label_is_not_found_while_nothing_is_published(get: Get) -> None:
    assert problem(get("labels/luna/"))["detail"] == "Nothing has been published yet."


def test_view_that_nobody_said_is_open_is_closed(rf: RequestFactory) -> None:
    class Forgotten(APIView):
        def get(self, request: Request) -> Response:  # noqa: ARG002  (a view's signature)
            return Response({"secret": 1})

    assert Forgotten.as_view()(rf.get("/api/v1/forgotten/")).status_code == 403
