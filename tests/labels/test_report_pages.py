"""The report of a release, its files, and the comparison of two releases."""

import csv
import io
import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import Comparison, Judgment, Release, Sensitivity
from evaluation.selectors.release_report import table_titles
from labels import report_page
from labels.report_pictures import picture
from tests.labels.missing import missing_page
from tests.support.builders import make_finished_run, make_judgment, make_release
from tests.support.later_release import later_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    return make_release()


def words(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(strip_tags(response.content.decode()).split())


def test_report_has_a_section_with_files_for_each_table(client: Client, release: Release):
    page = client.get("/releases/2026-a/report/").content.decode()

    slugs = [table.slug for table in report_page.report_of(release).tables]
    assert re.findall(r'<section class="section rp" aria-labelledby="([^"]+)"', page) == slugs
    assert slugs[:4] == ["headline", "areas", "subareas", "polarity-gap"]
    assert page.count("<h1") == 1
    assert " style=" not in page
    assert "<script" not in page.split("</head>")[1]


def test_every_file_of_the_report_can_be_read(client: Client, release: Release):
    whole = client.get("/releases/2026-a/report.json").json()

    for table in report_page.report_of(release).tables:
        answer = client.get(f"/releases/2026-a/report/{table.slug}.csv")
        rows = list(csv.reader(io.StringIO(answer.getvalue().decode())))
        assert len(rows) == len(table.rows) + 1
        assert client.get(f"/releases/2026-a/report/{table.slug}.json").json()["rows"] == json.loads(
            json.dumps(next(one for one in whole["tables"] if one["slug"] == table.slug)["rows"])
        )


def test_report_speaks_of_aggregation_and_never_of_causes(client: Client, release: Release):
    text = words(client, "/releases/2026-a/report/")

    assert "Pooled over 115 judged conversations. Metrics: 12, benchmarks: 2, models: 3." in text
    assert "because of age" not in text
    assert "Under 80 % of the metrics, so in no order here: Sol." in text
    assert "Which model judged is not published" not in text
    assert "Users were simulated by Simulator Model" in text


def test_second_visit_asks_the_database_little(client: Client, release: Release):
    client.get("/releases/2026-a/report/")
    with CaptureQueriesContext(connection) as queries:
        client.get("/releases/2026-a/report/")

    assert len(queries) <= 6


def test_old_release_says_that_it_has_no_comparisons(client: Client, release: Release):
    with connection.cursor() as cursor:
        # As before there were comparisons; the database would refuse to lose them.
        cursor.execute("SET LOCAL session_replication_role = replica")
        Comparison.objects.filter(release=release).delete()
        Sensitivity.objects.filter(release=release).delete()
        Release.objects.filter(pk=release.pk).update(content_version=1, content_hash="an older form")
        cursor.execute("SET LOCAL session_replication_role = origin")

    text = words(client, "/releases/2026-a/report/")

    assert "made before differences were computed and frozen" in text
    assert "Which models can be told apart" not in text


def test_repeats_of_a_judge_give_its_repeatability(client: Client):
    run = make_finished_run("repeated")
    for position, judgment in enumerate(Judgment.objects.filter(present__isnull=False)[:40]):
        present = judgment.present if position % 4 else not judgment.present
        make_judgment(judgment.conversation, present=present, repeat=2)
    make_release("2026-r", run=run)

    table = client.get("/releases/2026-r/report/repeatability.json").json()

    both = table["rows"][0]
    assert (both["judge"], both["repeats"], both["conversations"]) == ("Judge Model", 2, 40)
    assert (both["unanimity"], both["pairwise"]) == (0.75, 0.75)
    assert both["kappa_interval"] is not None


def test_release_page_shows_both_kinds_and_leads_to_the_report(client: Client, release: Release):
    page = client.get("/releases/2026-a/").content.decode()

    assert 'href="/releases/2026-a/report/"' in page
    words = " ".join(strip_tags(page).split())
    assert "Judged conversations: 115, each counted once (metrics: 12, benchmarks: 2, models: 3)." in words
    assert "What changed since" not in page


def test_unknown_release_or_table_names_what_there_is(release: Release):
    assert "There is no release named" in missing_page("/releases/2026-b/report/")
    assert "has no table named" in missing_page("/releases/2026-a/report/nothing.csv")
    assert "There is no release named" in missing_page("/releases/2026-a/compare/2025/")


def test_comparison_of_releases_marks_what_became_worse(client: Client, release: Release):
    later_release(release)

    document = client.get("/releases/2026-b/compare/2026-a.json").json()
    text = words(client, "/releases/2026-b/compare/2026-a/")

    assert document["n_metrics_same"] == 12
    assert document["made_otherwise"] == [{"what": "Most turns", "before": "6", "now": "8"}]
    luna = next(
        row for row in document["change"]["rows"]
        if row["model"] == "Luna" and row["place"] == "Everything" and row["polarity"].startswith("Good")
    )  # fmt: skip
    assert (luna["flag"], luna["new"], luna["metrics"]) == ("worse", 0.0, 6)
    assert "Marked changes" in text
    assert "What changed since 2026-a" in words(client, "/releases/2026-b/")


def test_release_compared_with_itself_is_no_page(client: Client, release: Release):
    addresses = [f"/releases/{release.slug}/compare/{release.slug}{ending}" for ending in ("/", ".csv", ".json")]

    assert [client.get(address).status_code for address in addresses] == [404, 404, 404]


def test_comparison_file_has_a_line_for_each_change(client: Client, release: Release):
    later_release(release)

    answer = client.get("/releases/2026-b/compare/2026-a.csv")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))

    assert {row["flag"] for row in rows} == {"", "worse"}
    assert len(rows) == len(client.get("/releases/2026-b/compare/2026-a.json").json()["change"]["rows"])


def test_picture_of_few_metrics_gives_counts_and_draws_nothing(release: Release):
    table = report_page.report_of(release).table("subareas")
    assert table is not None

    (few,) = [line for block in picture(table) for line in block.lines if line.name == "Cognition & Judgment"]

    assert (few.value, few.range, few.rests_on) == ("13 of 20", "counts only", "n 20 · 2 metrics")
    assert [mark for mark in ("wide", "span", "dot") if f'class="{mark}' in few.picture] == []


def test_unknown_table_is_refused_before_the_report_is_made(release: Release):
    with CaptureQueriesContext(connection) as queries:
        missing_page("/releases/2026-a/report/nothing.json")

    assert [query["sql"] for query in queries if "evaluation_result" in query["sql"]] == []


def test_every_table_of_a_report_is_among_the_known_ones(release: Release):
    titles = {table.slug: table.title for table in report_page.report_of(release).tables}

    assert {slug: title for slug, title in table_titles().items() if slug in titles} == titles
