"""Each table of the public pages as a workbook: the same columns and lines as its CSV, and what they are."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.test import Client

from evaluation.importers.formats.workbooks import read_workbook
from evaluation.models import Release
from impactbench.common.xlsx_files import XLSX
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db
PAGES = (
    "/labels",
    "/labels/luna",
    "/labels/luna/agency-purpose",
    "/compare",
    "/concerns",
    "/metrics",
    "/metrics/autonomy/m01",
    "/models/luna",
    "/explore",
    "/benchmarks",
    "/releases",
    "/releases/2026-a/report/models",
)


@pytest.fixture
def release() -> Release:
    return make_release()


def content_of(client: Client, address: str) -> bytes:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.getvalue()


@pytest.mark.parametrize("address", PAGES)
def test_workbook_has_what_the_csv_has(client: Client, release: Release, tmp_path: Path, address: str) -> None:
    lines = list(csv.reader(io.StringIO(content_of(client, f"{address}.csv").decode())))
    (tmp_path / "x.xlsx").write_bytes(content_of(client, f"{address}.xlsx"))
    rows = [row.cells for row in read_workbook(tmp_path / "x.xlsx")]

    # Release and notes stand in every line of a CSV, and once in a workbook.
    said_once = {"release", "notes"} if lines[0][0] == "release" else set()
    kept = [column for column, name in enumerate(lines[0]) if name not in said_once]
    assert [rows[0], len(rows)] == [tuple(lines[0][column] for column in kept), len(lines)]


def test_lists_of_releases_and_benchmarks_are_data(client: Client, release: Release) -> None:
    [row] = client.get("/releases.json").json()["rows"]
    listed = client.get("/benchmarks.json").json()

    assert (row["slug"], row["status"], row["models"], row["conversations"]) == (
        "2026-a", "published", release.n_models, release.n_conversations,
    )  # fmt: skip
    assert (listed["release"], [one["benchmark"] for one in listed["rows"]]) == ("2026-a", ["autonomy", "learning"])
    assert listed["notes"]
    assert 'href="/releases.xlsx"' in client.get("/releases/").content.decode()
    assert 'href="/benchmarks.xlsx"' in client.get("/benchmarks/").content.decode()


def test_about_names_release_address_filters_and_limits(client: Client, release: Release) -> None:
    response = client.get("/metrics.xlsx?p=avoid")

    told = zipfile.ZipFile(io.BytesIO(response.getvalue())).read("xl/worksheets/sheet2.xml").decode()
    cells = re.findall(r"<t[^>]*>([^<]*)</t>", told)
    assert response.headers["Content-Type"] == XLSX
    assert cells[cells.index("Release") + 1] == "2026-a"
    assert cells[cells.index("Address, with what was chosen") + 1] == "http://testserver/metrics.xlsx?p=avoid"
    assert cells[cells.index("Read first") + 1]


def test_a_table_that_is_not_there_has_no_workbook(client: Client, release: Release) -> None:
    assert [client.get(path).status_code for path in ("/labels/none.xlsx", "/metrics/autonomy/none.xlsx")] == [404] * 2
