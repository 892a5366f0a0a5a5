"""Every kind of public page asks the database as often for a lot of data as for a little."""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Release
from tests.support import copies, july_shape
from tests.support.july_shape import NOTABLE, Scale

pytestmark = pytest.mark.django_db

LITTLE = Scale(n_metrics=30, n_models=3, scenarios=1, turns_every=5, resamples=50, with_older=False)
# Sixteen times as many conversations.
A_LOT = Scale(n_metrics=60, n_models=6, scenarios=2, samples=2, turns_every=50, resamples=50, with_older=False)
METRIC = "/metrics/borrowed-decisions/m01/"
OVER_RELEASES = ["/models/alder-2/", "/models/alder-2/?view=same"]
PAGES = [
    "/",
    "/labels/",
    "/labels/alder-2/",
    "/labels/alder-2/?profile=teen",
    "/labels/alder-2/own-choices/",
    "/compare/?m=alder-2,birch-1-1",
    "/explore/",
    "/explore/?view=grid",
    "/explore/?view=table",
    "/explore/psychological/",
    "/explore/psychological/agency-purpose/",
    "/metrics/",
    METRIC,
    f"{METRIC}scenarios/1/",
    f"/conversations/{NOTABLE['hostile']}/",
    "/models/alder-2/",
    "/benchmarks/",
    "/benchmarks/borrowed-decisions/",
    "/releases/",
    f"/releases/{july_shape.SLUG}/",
    "/search/?q=choice",
]


def _most(address: str) -> int:
    """How many the design allows to a kind of page; home shows a label, and a row shows chats as a metric does."""
    if address == "/" or re.fullmatch(r"/labels/[^/]+/(embed/)?(\?.*)?", address):
        return 8
    return 15 if address.startswith(("/explore/", "/compare/")) else 12


def _queries(client: Client, scale: Scale) -> tuple[int, dict[str, int]]:
    """The number of conversations of a scale, and of queries that each page makes of it; nothing of it stays."""
    with transaction.atomic():
        release: Release = july_shape.build(scale)
        counts = {address: _queries_of(client, address) for address in PAGES}
        transaction.set_rollback(True)
    return release.n_conversations, counts


def _queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, address
    return len(captured)


def test_pages_ask_as_often_for_a_lot_as_for_a_little(client: Client) -> None:
    n_little, little = _queries(client, LITTLE)
    n_lot, lot = _queries(client, A_LOT)

    assert (n_little, n_lot) == (180, 2_880)
    assert lot == little
    assert {address: n for address, n in lot.items() if n > _most(address)} == {}


def test_model_page_asks_as_often_for_many_releases_as_for_two(client: Client) -> None:
    release = july_shape.build(LITTLE)
    copies.copy_release(release, 1)
    two = [_queries_of(client, address) for address in OVER_RELEASES]

    for number in (2, 3, 4):
        copies.copy_release(release, number)
    five = [_queries_of(client, address) for address in OVER_RELEASES]

    assert Release.objects.count() == 5
    assert five == two
