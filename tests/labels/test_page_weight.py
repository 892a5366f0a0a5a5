"""The list of metrics weighs the same for 809 metrics as for a few, and asks no more."""

import gzip
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support import july_shape

pytestmark = pytest.mark.django_db

MOST_BYTES, MOST_QUERIES = 40 * 1024, 12


@pytest.fixture(scope="module")
def paper(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """As many metrics as the paper has and one not measured yet, tried with one model; no test changes them."""
    with django_db_blocker.unblock(), transaction.atomic():
        july_shape.build(replace(july_shape.PAPER, n_models=1, scenarios=1, turns_every=0, resamples=20))
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "810 metrics"),
        ("?p=promote", "541 of 810 metrics"),
        ("?q=choice&sort=most", "64 of 810 metrics"),
        ("?after=fine-print/m01", "810 metrics"),
    ],
)
def test_list_of_all_metrics_stays_within_its_budget(client: Client, paper: None, query: str, found: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        page = client.get(f"/metrics/{query}").content

    assert f">{found}<" in page.decode()
    assert page.count(b'class="m-row"') == 25
    assert len(gzip.compress(page)) <= MOST_BYTES
    assert len(asked) <= MOST_QUERIES


def test_part_that_a_filter_changes_is_smaller_than_the_page(client: Client, paper: None) -> None:
    page = client.get("/metrics/?p=avoid").content
    part = client.get("/metrics/?p=avoid", headers={"HX-Request": "true"}).content

    assert len(part) < len(page)
    assert len(gzip.compress(part)) <= MOST_BYTES
