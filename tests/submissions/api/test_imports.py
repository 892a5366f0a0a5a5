"""Editors' programs import benchmark files through the desk's own service; people decide on the drafts."""

from typing import Any

import pytest

from submissions.models import SourceImport
from submissions.services.reading_sources import MOST_FILES
from tests.support.api_tokens import Program
from tests.support.portal import make_person
from tests.support.source_files import upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Program:
    return Program(make_person("Ed Editor", "editor"))


def test_file_becomes_drafts_once(program: Program) -> None:
    made, again = program.upload("imports/", upload()), program.upload("imports/", upload())
    report, listed = program.get(made.headers["Location"].removeprefix("/api/v1/")), program.get("imports/").json()

    source = SourceImport.objects.get()
    assert [made.status_code, again.status_code] == [201, 200]
    assert report.json() == made.json() == again.json()
    assert made.json()["drafts"]["metric"] == {"proposed": source.rows.filter(kind="metric").count()}
    assert made.json()["page"] == f"/review/imports/{source.pk}/"
    assert [(row["id"], row["n_metrics"], row["n_sent"]) for row in listed["results"]] == [
        (source.pk, made.json()["drafts"]["metric"]["proposed"], 0)
    ]


def test_bad_file_is_told_with_its_place_and_leaves_nothing(program: Program) -> None:
    refused = program.upload("imports/", upload("title: x\n---\n- [", "broken.yml"))

    assert refused.status_code == 422
    assert refused.json()["detail"].endswith("Nothing was kept.")
    assert SourceImport.objects.count() == 0


def test_wrong_parts_are_told(program: Program) -> None:
    none: Any = program.client.post("/api/v1/imports/", {}, headers=program.headers)
    text = program.client.post("/api/v1/imports/", {"file": "words"}, headers=program.headers)
    json = program.post("imports/", {"file": "words"})
    many = program.upload("imports/", *(upload(name=f"{n}.yml") for n in range(MOST_FILES + 1)))

    assert [response.status_code for response in (none, text, json, many)] == [422, 422, 415, 422]
    assert none.json()["detail"] == "Choose a file first."
    assert text.json()["errors"] == [{"field": "file", "detail": "Send files only, each in a part named “file”."}]
    assert SourceImport.objects.count() == 0
