"""Explore as files: page, picture, table, figure and API say the same numbers; the chart on demand is pinned."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from plotly.offline import get_plotlyjs_version

from evaluation.models import Release
from labels.figures import dots_figure
from tests.support.commands import ROOT
from tests.support.far_apart import far_apart

pytestmark = pytest.mark.django_db

PLACE = "/explore/psychological/agency-purpose"
LEVELS = ["/explore", "/explore/psychological", PLACE]
LIMITS = "Stress test with simulated users, not everyday use."


@pytest.fixture(scope="module")
def release(django_db_setup: None, django_db_blocker: Any) -> Iterator[Release]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield far_apart()
        transaction.set_rollback(True)


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def rows(client: Client, address: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text(client, address))["rows"]
    return found


def marks(page: str) -> list[tuple[float, float, float, int]]:
    """What the marks, cells or rows of a page stand for: rate, low, high, n."""
    found = re.findall(r'data-rate="([^"]+)" data-low="([^"]+)" data-high="([^"]+)" data-n="(\d+)"', page)
    return sorted((float(rate), float(low), float(high), int(n)) for rate, low, high, n in found)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("suffix", [".csv", ".json", ".svg", ".figure.json"])
@pytest.mark.parametrize("query", ["", "?view=grid&p=avoid", "?view=wheel&m=luna", "?profile=teen&sort=number"])
def test_file_of_every_level_and_view_answers(
    client: Client, release: Release, level: str, suffix: str, query: str
) -> None:
    assert client.get(level + suffix + query).status_code == 200


def test_file_of_an_unknown_place_is_not_found(client: Client, release: Release) -> None:
    assert [client.get(f"/explore/nowhere{suffix}").status_code for suffix in (".csv", ".json", ".svg")] == [404] * 3


def test_page_links_its_files_with_the_same_query(client: Client, release: Release) -> None:
    page = unescape(text(client, f"{PLACE}/?p=avoid&m=luna&m=terra"))

    links = re.findall(r'<a href="([^"]+)">(CSV|XLSX|JSON|SVG)</a>', page)
    assert links == [(f"{PLACE}.{name.lower()}?m=luna,terra&p=avoid", name) for name in ("CSV", "XLSX", "JSON", "SVG")]


def test_picture_table_page_and_api_say_the_same_numbers(client: Client, release: Release) -> None:
    api = json.loads(text(client, "/api/v1/results/?group=subarea&key=agency-purpose&profile=all"))["results"]
    said = sorted(
        (one["pass_rate"], one["ci_low"], one["ci_high"], one["n_judged"])
        for one in api
        if one["model"] and one["coverage"] >= 0.5
    )

    assert len(said) == 6
    assert marks(text(client, f"{PLACE}.svg")) == said
    assert marks(text(client, f"{PLACE}/?view=table")) == said
    # Once as dots and once in the table below them.
    assert marks(text(client, f"{PLACE}/")) == sorted(said * 2)


def test_grid_and_wheel_say_the_same_numbers_as_their_files(client: Client, release: Release) -> None:
    for view in ("grid", "wheel"):
        query = f"?view={view}&m=luna"
        found = [one for one in rows(client, f"/explore.json{query}") if one["model"]]
        said = sorted((one["pass_rate"], one["ci_low"], one["ci_high"], one["n_judged"]) for one in found)
        page = text(client, f"/explore/{query}")
        drawn = re.search(r'<table class="grid.*</table>|<svg[^>]*class="wheel".*?</svg>', page, re.DOTALL)
        assert drawn is not None
        assert marks(drawn[0]) == said


def test_csv_has_range_n_coverage_place_and_limits_in_each_line(client: Client, release: Release) -> None:
    lines = list(csv.DictReader(io.StringIO(text(client, f"{PLACE}.csv?p=promote"))))

    assert [line["model"] for line in lines] == ["luna", "sol", "terra", "vega", ""]
    assert [line["tie_group"] for line in lines] == ["1", "", "2", "1", ""]
    assert [(line["rank_low"], line["rank_high"]) for line in lines] == [
        ("1", "2"), ("", ""), ("3", "3"), ("1", "2"), ("", ""),
    ]  # fmt: skip
    assert lines[1]["outside_order"] == "tested on part of the metrics"
    assert {line["release"] for line in lines} == {release.slug}
    assert all("stress test" in line["notes"] and line["ci_low"] and line["n_judged"] for line in lines)


@pytest.mark.parametrize("query", ["", "?view=wheel"])
def test_svg_stands_alone_with_its_limits_and_release(client: Client, release: Release, query: str) -> None:
    svg = text(client, f"{PLACE}.svg{query}")

    assert svg.startswith("<svg ")
    assert f">{LIMITS}</text>" in svg
    assert release.title in svg
    assert re.search(r"<title id=\"t\">[^<]+</title><desc id=\"d\">[^<]+</desc>", svg)
    assert " style=" not in svg
    assert "<style" not in svg


def test_svg_of_a_hostile_name_stays_text(client: Client, release: Release) -> None:
    name = '<script>x</script>"&'
    release.targets.filter(slug="luna").update(name=name)
    svg, figure = text(client, f"{PLACE}.svg"), json.loads(text(client, f"{PLACE}.figure.json"))
    release.targets.filter(slug="luna").update(name="Luna")

    assert "<script" not in svg
    assert "&lt;script&gt;" in svg
    assert "<" not in "".join(figure["data"][0]["y"])


def test_figure_keeps_the_kinds_on_axes_of_their_own(client: Client, release: Release) -> None:
    figure = json.loads(text(client, f"{PLACE}.figure.json"))

    assert [(trace["name"], trace["xaxis"], trace["yaxis"]) for trace in figure["data"]] == [
        ("Promotes good", "x", "y"),
        ("Avoids harm", "x2", "y2"),
    ]
    found = [one for one in rows(client, f"{PLACE}.json?p=promote") if one["model"] and one["coverage"] >= 0.5]
    assert sorted(figure["data"][0]["x"]) == sorted(one["pass_rate"] * 100 for one in found)


def test_figure_of_nothing_to_draw_is_still_a_figure() -> None:
    assert json.loads(dots_figure([]))["data"] == []


def test_bundled_plotly_is_the_version_that_makes_the_figures() -> None:
    head = (ROOT / "static/vendor/plotly/plotly-basic.min.js").read_text(encoding="utf-8")[:200]

    assert f"plotly.js (basic - minified) v{get_plotlyjs_version()}\n" in head
    assert get_plotlyjs_version() in (ROOT / "static/vendor/plotly/README.md").read_text(encoding="utf-8")


def test_page_loads_nothing_of_plotly_by_itself(client: Client, release: Release) -> None:
    page = text(client, f"{PLACE}/")

    assert re.findall(r'<(?:script|link)[^>]*(?:src|href)="[^"]*plotly[^"]*"', page) == []
    assert '<div class="ex-live no-print"' in page
