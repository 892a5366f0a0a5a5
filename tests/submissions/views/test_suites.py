"""Editors see what a suite covers and what it lacks."""

import json
from typing import Any

import pytest
from django.test import Client

from evaluation.services.suites import make_suite
from tests.support.builders import make_metric, make_scenarios
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db


def test_editor_reads_what_a_suite_covers_and_lacks(client: Client) -> None:
    make_scenarios(make_metric("m01"))
    make_suite(slug="small", benchmarks=["autonomy"], title="A <small> one")
    client.force_login(make_person("Ed", "editor"))

    listed = client.get("/review/suites/").content.decode()
    page = client.get("/review/suites/small/1/").content.decode()

    [suite], parts = _rows(client, "/review/suites/suites.json"), _rows(client, "/review/suites/small/1/parts.json")

    assert (suite["suite"], suite["version"], suite["metrics"], suite["scenarios"]) == ("small", 1, 1, 2)
    assert set(parts[0]) == {"area", "part_of_life", "good_behaviour", "harmful_behaviour", "metrics"}
    assert 'href="/review/suites/small/1/parts.xlsx"' in page
    assert "/review/suites/small/1/" in listed
    assert "A &lt;small&gt; one" in page
    assert "1 metric has fewer than 3 base scenarios:</b> autonomy/m01 v1 (1)" in page
    assert "2 scenarios: 1 for adult, 1 for teen." in page
    assert client.get("/review/suites/small/2/").status_code == 404


def _rows(client: Client, address: str) -> Any:
    answer: Any = client.get(address)
    return json.loads(b"".join(answer.streaming_content))["rows"]


def test_suites_are_for_editors_only(client: Client) -> None:
    client.force_login(make_person("Op", "operator"))

    assert [client.get(path).status_code for path in ("/review/suites/", "/review/suites/small/1/")] == [404, 404]
