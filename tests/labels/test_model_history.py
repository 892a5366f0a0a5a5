"""One model over releases: what may be compared, what changed for sure, and the chart that joins nothing."""

import csv
import io
import json
import re
from datetime import date
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import LanguageModel, Release, Result
from evaluation.selectors.same_metrics import same_metrics
from labels.charts.history import LEFT, NEAREST, RIGHT, places
from labels.model_history import model_history
from tests.support.builders import make_metric, make_release, make_run
from tests.support.later_release import later_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def releases() -> tuple[Release, Release]:
    """Two releases of the same metrics; in the second `luna` has become worse at everything good, in longer chats."""
    older = make_release()
    return older, later_release(older)


def luna() -> LanguageModel:
    return LanguageModel.objects.get(slug="luna")


def test_one_release_has_no_chart_and_says_why(client: Client) -> None:
    make_release()

    page = client.get("/models/luna/").content.decode()

    assert '<svg class="hist"' not in page
    assert "The model stands in one release so far" in page


def test_releases_made_otherwise_are_cut_off_from_each_other_and_no_change_is_named(
    releases: tuple[Release, Release], client: Client
) -> None:
    history = model_history(luna())

    assert [step.reasons for step in history.steps] == [["Made otherwise: length of the chats."]]
    assert history.changes == []
    page = client.get("/models/luna/").content.decode()
    assert page.count('class="hist-break"') == 2
    assert "not comparable across it" in page


def test_releases_made_alike_show_a_change_that_is_more_than_chance() -> None:
    later_release(make_release(), turns=6)

    history = model_history(luna())

    assert [step.is_break for step in history.steps] == [False]
    assert [sentence[:39] for sentence in history.changes] == ["Promotes good: lower than before. Over "]
    assert model_history(LanguageModel.objects.get(slug="terra")).changes == []


def test_other_metrics_cut_off_unless_only_the_same_are_counted() -> None:
    older = make_release()
    later_release(older, turns=6)
    older.metric_versions.add(make_metric("m99"))

    everything, same = model_history(luna()), model_history(luna(), same=True)

    assert [step.reasons for step in everything.steps] == [
        ["Other metrics: 12 of 12 stood in the release before, in the same wording."]
    ]
    assert ([step.is_break for step in same.steps], same.is_same) == ([False], True)


def test_same_metrics_of_equal_releases_are_the_frozen_results_to_the_last_digit(
    releases: tuple[Release, Release],
) -> None:
    columns = ("n_metrics", "n_judged", "n_passed", "pass_rate", "coverage")

    for found in same_metrics(luna(), releases):
        frozen = Result.objects.get(
            release=found.release, model=luna(), group="overall", profile="all", polarity=found.polarity
        )
        assert [getattr(found, column) for column in columns] == [getattr(frozen, column) for column in columns]
        assert found.ci_low is not None
        assert found.ci_high is not None
        assert found.pass_rate is not None
        assert found.ci_low <= found.pass_rate <= found.ci_high


def test_releases_without_a_common_metric_say_that_there_is_nothing_to_count(client: Client) -> None:
    older = make_release()
    newer = Release.objects.create(
        slug="empty", title="Empty", taxonomy=older.taxonomy, resamples=10, seed=0, method="", n_models=1,
        n_benchmarks=0, n_metrics=0, n_conversations=0, n_judged=0, n_unjudged=0, content_hash="e" * 64,
    )  # fmt: skip
    newer.targets.add(luna())
    newer.runs.add(make_run("nothing", targets=[luna()]))

    page = client.get("/models/luna/?view=same").content.decode()

    assert "So there is no number over the same metrics" in page
    assert "The same metrics only" not in page


def test_model_page_asks_as_many_questions_for_two_releases_as_it_may(
    client: Client, releases: tuple[Release, Release]
) -> None:
    client.get("/models/luna/")

    with CaptureQueriesContext(connection) as queries:
        client.get("/models/luna/")

    assert len(queries) <= 14


def test_table_twin_csv_json_and_svg_say_the_same(client: Client, releases: tuple[Release, Release]) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get("/models/luna.csv").content.decode())))
    document = json.loads(client.get("/models/luna.json").content)
    chart = client.get("/models/luna.svg").content.decode()

    assert [row["in_release"] for row in rows] == ["2026-a", "2026-a", "2026-b", "2026-b"]
    assert [float(row["pass_rate"]) for row in rows] == [row["pass_rate"] for row in document["rows"]]
    assert [row["comparable_with_before"] for row in document["rows"]] == [None, None, False, False]
    numbers = {f"{int(row['pass_rate'] * 100 + 0.5)}" for row in document["rows"]}
    assert set(re.findall(r'font-weight="700" fill="currentColor">(\d+)</text>', chart)) == numbers
    assert client.get("/models/nobody.csv").status_code == 404


def test_places_go_by_date_and_never_run_into_each_other() -> None:
    days = [date(2026, 1, 1), date(2026, 1, 2), date(2026, 7, 1), date(2026, 12, 31)]

    found = places(days)

    assert (found[0], found[-1]) == (LEFT, RIGHT)
    assert found[1] == LEFT + NEAREST
    assert places([date(2026, 1, 1)] * 3)[-1] <= RIGHT
    assert places([]) == []
    many = places([date(2026, 1, 1)] * 40)
    assert all(a < b for a, b in pairwise(many))
    assert many[-1] <= RIGHT


def test_model_page_shows_the_fingerprint_of_what_the_model_was_told(client: Client) -> None:
    make_release()
    LanguageModel.objects.filter(slug="luna").update(system_prompt="Be <kind>.")

    page = client.get("/models/luna/").content.decode()

    assert "Be &lt;kind&gt;." in page
    assert len(re.findall(r'<code class="hash">([0-9a-f]{64})</code>', page)) == 1
