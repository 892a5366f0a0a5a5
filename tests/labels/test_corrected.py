"""What experts' labels say of the rates of a release: on its report, on the page of the study, and in the API."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import CorrectedRates, Release, Study
from evaluation.services.studies.correcting import correct_what_is_missing
from evaluation.services.studies.publishing import publish_study
from evaluation.study_tables.numbers import estimate_words
from impactbench.accounts.models import User
from labels.corrected import corrected_by, corrected_for, says
from tests.labels.test_translation import everything_stored, unmarked
from tests.support.builders import make_release
from tests.support.frozen import nothing_is_frozen
from tests.support.labelled_studies import make_labelled_study
from tests.support.portal import make_person
from tests.support.pseudo_locale import pseudo_locale
from tests.support.published_studies import make_published_study

pytestmark = pytest.mark.django_db
REPORT, HEADING = "/releases/2026-a/report/", "What experts’ labels say of these rates"


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def release() -> Release:
    return make_release()


@pytest.fixture
def study(manager: User, release: Release) -> Study:
    return publish_study(make_labelled_study(manager, release), actor=manager)


def words(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(strip_tags(response.content.decode()).split())


def test_report_and_study_show_both_rates_with_their_counts(client: Client, study: Study, release: Release) -> None:
    stored = {(row["polarity"], row["target"]): row for row in CorrectedRates.objects.get().rates}

    [of_release], [of_study] = corrected_for(release), corrected_by(study)

    assert of_release == of_study
    assert of_release.says.startswith("48 chats have a label. 24 of them were decided after a second look.")
    assert of_release.overall is not None
    assert of_release.overall.rows == [
        [
            "All models", kind,
            estimate_words(row["judge"], is_share=True), estimate_words(row["corrected"], is_share=True),
            str(row["labels"]), "6", str(row["judged"]),
        ]
        for kind, row in (
            ("Good behaviour", stored["positive", None]), ("Harmful behaviour", stored["negative", None]),
        )
    ]  # fmt: skip
    assert "; likely too narrow, as it rests on 6 metrics only)" in of_release.overall.rows[0][3]
    page = words(client, REPORT)
    assert f"{HEADING} People read some" in page
    assert of_release.overall.rows[0][3] in page
    assert of_release.overall.rows[0][3] in words(client, f"/methodology/studies/{study.public_id}/")


def test_labels_that_do_not_count_are_told(release: Release) -> None:
    study = Study(public_id="s", kind="expert-review", title="S", seed=1)
    rows = [{"target": None, "labels": 40}, {"target": "luna", "labels": 40}]

    found = says(CorrectedRates(study=study, release=release, n_labels=42, n_unlabelled=1, n_adjudicated=0, rates=rows))

    assert found == (
        "42 chats have a label. 2 of them are not counted: the judge gave no verdict, or the chat is not in this "
        "release. 1 rated chat has none, as nothing was clear: the rates may lean to the clear ones."
    )


def test_a_release_without_labels_says_nothing_of_them(client: Client, release: Release) -> None:
    assert (corrected_for(release), HEADING in words(client, REPORT)) == ([], False)


def test_too_few_labels_are_told_in_words(client: Client, manager: User, release: Release) -> None:
    make_published_study(manager, runs=(release.runs.get(),))

    [found] = corrected_for(release)

    assert found.overall is not None
    assert {row[3] for row in found.overall.rows} == {"Too few labels: it takes 10"}
    assert "No single model has enough labels." in words(client, REPORT)


def test_report_asks_no_more_of_the_database_for_more_studies(client: Client, manager: User, study: Study) -> None:
    client.get(REPORT)
    with CaptureQueriesContext(connection) as before:
        client.get(REPORT)
    make_published_study(manager, runs=(study.runs.get(),))

    with CaptureQueriesContext(connection) as after:
        page = client.get(REPORT).content.decode()

    assert len(re.findall('<h3><a href="/methodology/studies/', page)) == 2
    assert len(after) == len(before)


def test_api_has_the_corrected_rates_with_the_finding_on_everything(client: Client, study: Study) -> None:
    found = client.get(f"/api/v1/studies/?study={study.public_id}").json()["results"]
    document = client.get(f"/methodology/studies/{study.public_id}.json").json()

    stored = CorrectedRates.objects.get()
    [overall] = [one for one in found if one["metric"] is None]
    assert {one["corrected_rates"] for one in found if one["metric"]} == {None}
    assert overall["corrected_rates"] == document["corrected_rates"][0] == {
        "release": "2026-a", "n_labels": 48, "n_adjudicated": 24, "n_unlabelled": 0, "rates": stored.rates,
        "reason": "",
    }  # fmt: skip


def test_no_text_about_labels_is_left_unmarked(client: Client, study: Study) -> None:
    data = everything_stored()

    with pseudo_locale():
        page = client.get(REPORT).content.decode()

    section = page[page.index('<section class="section" aria-labelledby="experts-labels"') :].partition("</section>")[0]
    assert unmarked(section, data) == []


def test_rates_of_a_study_from_before_there_were_any_say_so_until_the_clock_makes_them(
    client: Client, study: Study, release: Release
) -> None:
    address = f"/methodology/studies/{study.public_id}/"
    with nothing_is_frozen():
        CorrectedRates.objects.all().delete()

    before = words(client, REPORT), words(client, address)
    made = correct_what_is_missing(), correct_what_is_missing()

    assert "The labels of 1 study have not been used here yet, so it has no rates of its own." in before[0]
    assert "For 1 release these labels have not been used yet, so it has no rates by them." in before[1]
    assert made == (1, 0)
    assert ("not been used" in words(client, REPORT), len(corrected_for(release))) == (False, 1)
