"""The description of the API is valid, and what the API answers is what it says."""

from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from labels.api.reference import addresses, shapes
from tests.labels.api.conftest import Get

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(get: Get) -> Any:
    return get("schema/").json()


def test_document_is_valid_openapi(document: Any) -> None:
    validate_schema(document)

    assert document["openapi"] == "3.1.1"


def test_document_is_made_before_there_are_tables(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert SchemaGenerator().get_schema(request=None, public=True)["openapi"] == "3.1.1"


def test_document_has_every_path_of_the_contract(document: Any) -> None:
    assert list(document["paths"]) == [
        "/api/v1/agreement/",
        "/api/v1/areas/",
        "/api/v1/areas/{slug}/",
        "/api/v1/benchmarks/",
        "/api/v1/benchmarks/{slug}/",
        "/api/v1/comparisons/",
        "/api/v1/conversations/",
        "/api/v1/conversations/{public_id}/",
        "/api/v1/imports/",
        "/api/v1/imports/{id}/",
        "/api/v1/judgments/",
        "/api/v1/labels/{model}/",
        "/api/v1/metrics/",
        "/api/v1/metrics/{benchmark}/{metric}/",
        "/api/v1/models/",
        "/api/v1/models/{slug}/",
        "/api/v1/releases/",
        "/api/v1/releases/{slug}/",
        "/api/v1/results/",
        "/api/v1/scenarios/",
        "/api/v1/sensitivity/",
        "/api/v1/studies/",
        "/api/v1/submissions/",
        "/api/v1/submissions/{public_id}/",
        "/api/v1/submissions/{public_id}/answers/",
        "/api/v1/submissions/{public_id}/submit/",
        "/api/v1/submissions/{public_id}/withdraw/",
    ]


def test_parameters_and_errors_are_described(document: Any) -> None:
    operation = document["paths"]["/api/v1/results/"]["get"]

    names = [parameter["name"] for parameter in operation["parameters"]]
    assert names == ["cursor", "fields", "group", "key", "model", "page_size", "polarity", "profile", "release"]
    assert list(operation["responses"]) == ["200", "400", "404", "406", "429"]
    assert list(operation["responses"]["400"]["content"]) == ["application/problem+json"]


def test_private_addresses_name_their_scope_and_bodies_are_closed(document: Any) -> None:
    paths, shapes_of = document["paths"], document["components"]["schemas"]

    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert paths["/api/v1/submissions/"]["post"]["security"] == [{"token": ["submissions:write"]}]
    assert "security" not in paths["/api/v1/results/"]["get"]
    assert [shapes_of[name]["additionalProperties"] for name in ("Change", "Content", "Source")] == [False] * 3


@pytest.mark.usefixtures("small")
def test_items_have_the_members_that_the_description_names(get: Get, document: Any) -> None:
    for address in addresses(document):
        if not address.is_list or address.scope:
            continue
        members = set(document["components"]["schemas"][address.shape]["properties"])
        for item in get(address.path.removeprefix("/api/v1/")).json()["results"]:
            assert set(item) == members, address.path


def test_reference_words_tell_types_plainly(document: Any) -> None:
    by_name = {shape.name: {member.name: member.type for member in shape.members} for shape in shapes(document)}

    assert by_name["Turn"] == {"number": "whole number", "user": "text or null", "target": "text or null"}
    assert by_name["Result"]["pass_rate"] == "number or null"
    assert by_name["Scenario"]["anchors"] == "list of Anchor"
    assert by_name["Metric"]["polarity"] == "“positive” or “negative” or null"
    assert by_name["Release"]["published_at"] == "date and time"
    assert by_name["Model"]["accessed_on"] == "date or null"


def test_root_leads_to_the_reference_which_lists_every_address(client: Client, document: Any) -> None:
    response = client.get("/api/v1/", follow=True)

    page = response.content.decode()
    assert response.redirect_chain == [("/api/v1/docs/", 302)]
    assert [path in page for path in document["paths"]] == [True] * len(document["paths"])
    assert "PATCH /api/v1/submissions/{public_id}/" in page
    assert ("<script>" in page, "style=" in page) == (False, False)
