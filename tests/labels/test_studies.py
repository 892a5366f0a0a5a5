"""Published studies: their pages and files, and what they bring to the trust panel and the API."""

import csv
import io
from dataclasses import asdict
from typing import Any

import pandas as pd
import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from evaluation.models import MetricVersion, Release, Study, StudyFinding, StudyRater
from evaluation.services.studies.adjudicating import adjudicate
from evaluation.services.studies.closing import close_study
from evaluation.services.studies.publishing import publish_study
from evaluation.statistics.repeatability import repeatability
from impactbench.accounts.models import User
from labels.studied import studied
from tests.labels.test_translation import everything_stored, unmarked
from tests.support.builders import make_release
from tests.support.later_release import later_release
from tests.support.portal import make_person
from tests.support.pseudo_locale import pseudo_locale
from tests.support.published_studies import make_published_study
from tests.support.studies import make_study, rate_all, take_seat

pytestmark = pytest.mark.django_db
NOT_CHECKED = "Not checked yet"


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def release() -> Release:
    return make_release()


@pytest.fixture
def study(manager: User, release: Release) -> Study:
    return make_published_study(manager, runs=(release.runs.get(),), mains=("pass", "fail"))


def words(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return " ".join(strip_tags(response.content.decode()).split())


def version_of(study: Study) -> MetricVersion:
    return MetricVersion.objects.filter(study_items__study=study).distinct().get()


def test_studies_are_listed_once_they_are_published(client: Client, manager: User) -> None:
    hidden = make_study(manager)
    before = words(client, "/methodology/studies/")

    study = make_published_study(manager)

    page = words(client, "/methodology/studies/")
    assert "No study has been published yet." in before
    assert f"{study.title}External expert review210" in page
    assert client.get(f"/methodology/studies/{hidden.public_id}/").status_code == 404
    assert {client.get(f"/methodology/studies/{hidden.public_id}.{form}").status_code for form in ("csv", "json")} == {
        404
    }


def test_page_of_a_study_tells_how_it_was_done_and_what_was_found(client: Client, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(title="<b>Bold</b> \u202e")

    response = client.get(f"/methodology/studies/{study.public_id}/")

    page = " ".join(strip_tags(response.content.decode()).split())
    assert "2 people, who gave 10 ratings of 5 of 5 items." in page
    assert "The judge beside the majority of the raters" in page
    assert f"Drawn by chance with seed {study.seed}" in page
    assert "&lt;b&gt;Bold&lt;/b&gt; [U+202E]" in response.content.decode()
    assert "@" not in page.partition("How it was done")[2].partition("Files")[0]


def test_files_have_the_ratings_of_those_who_agreed_and_follow_a_change_of_mind(
    client: Client, manager: User, release: Release
) -> None:
    study = make_published_study(manager, runs=(release.runs.get(),), mains=("pass", "fail"), all_agree=True)
    address = f"/methodology/studies/{study.public_id}"

    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}.csv").content.decode())))
    document = client.get(f"{address}.json").json()
    StudyRater.objects.filter(study=study).update(consents_to_release=False)
    later = client.get(f"{address}.json").json()

    assert {row["rater"] for row in rows} == {"Rater 1", "Rater 2"}
    assert {row["metric"] for row in rows} == {version_of(study).metric.slug}
    assert (len(document["ratings"]), len(later["ratings"])) == (len(rows), 0)
    assert (document["analysis"]["n_ratings"], later["analysis"]["n_ratings"]) == (10, 10)
    assert (document["study"], document["kind"]) == (study.public_id, "expert-review")


def test_no_single_rating_tells_that_of_the_one_who_did_not_agree(client: Client, study: Study) -> None:
    assert list(study.raters.order_by("seat").values_list("consents_to_release", flat=True)) == [True, False]

    document = client.get(f"/methodology/studies/{study.public_id}.json").json()

    assert document["ratings"] == []
    assert "the average would tell that rater’s" in document["notes"][1]


def test_publishing_a_study_changes_the_trust_panel_of_its_metrics_alone(
    client: Client, manager: User, release: Release
) -> None:
    before = words(client, "/metrics/autonomy/m01/").count(NOT_CHECKED)

    study = make_published_study(manager, runs=(release.runs.get(),))

    version = version_of(study)
    page = words(client, f"/metrics/{version.metric.slug}/")
    other = MetricVersion.objects.exclude(pk=version.pk).filter(releases=release)[0]
    found = studied(version, release)
    assert found.human_agreement is not None
    assert found.relevance is not None
    assert found.relevance.value == "4.0 of 4"
    assert page.count(NOT_CHECKED) == before - 4
    assert f"{found.human_agreement.value}" in page
    linked = client.get(f"/metrics/{version.metric.slug}/").content.decode()
    assert linked.count(f'href="/methodology/studies/{study.public_id}/"') == 5
    assert words(client, f"/metrics/{other.metric.slug}/").count(NOT_CHECKED) == before


def test_findings_about_verdicts_are_pinned_to_the_release_they_looked_at(
    client: Client, manager: User, release: Release
) -> None:
    version = version_of(make_published_study(manager, runs=(release.runs.get(),)))
    later = later_release(release)

    here, there = studied(version, release), studied(version, later)
    of_release = client.get("/api/v1/studies/?release=2026-a").json()["results"]
    of_later = client.get("/api/v1/studies/?release=2026-b").json()["results"]

    assert (here.human_agreement is not None, there.human_agreement) == (True, None)
    assert len(of_release) == StudyFinding.objects.count() == 2
    assert of_later == []


def test_findings_about_scenarios_hold_in_every_release_of_the_wording(manager: User, release: Release) -> None:
    study = make_published_study(manager, "scenario-review", runs=(release.runs.get(),))
    version = MetricVersion.objects.filter(study_items__study=study).distinct()[0]

    found = studied(version, None)

    assert found.accuracy is not None
    assert (found.accuracy.value[:1], found.accuracy.detail.endswith("Marks of 3 or 4 from 1 to 4.")) == ("2", True)
    assert (found.human_agreement, found.last_reviewed) == (None, None)


def test_api_tells_findings_with_n_and_interval_and_filters_them(client: Client, study: Study) -> None:
    slug = version_of(study).metric.slug

    [of_metric] = client.get(f"/api/v1/studies/?metric={slug}&kind=expert-review").json()["results"]
    unknown = client.get("/api/v1/studies/?kind=guess")

    [judge] = of_metric["values"]["judge"]
    assert (of_metric["study"], of_metric["metric"], of_metric["version"]) == (study.public_id, slug, 1)
    assert of_metric["page"] == f"/methodology/studies/{study.public_id}/"
    assert {"value", "n", "low", "high", "method", "reason"} == set(judge["agreement"])
    assert unknown.status_code == 400


def test_contested_chats_stand_on_the_page_of_the_metric_with_their_split(
    client: Client, manager: User, release: Release
) -> None:
    runs, reasons = (release.runs.get(),), "Both <b>have</b> a point."
    study = make_published_study(manager, runs=runs, mains=("pass", "fail"), all_agree=True, contested=reasons)

    page = client.get(f"/metrics/{version_of(study).metric.slug}/").content.decode()

    assert "Bad outcome: 1, Good outcome: 1." in page
    assert "Both &lt;b&gt;have&lt;/b&gt; a point." in page
    assert "Disputed" in page


def test_repeatability_of_the_judge_is_told_by_kind_of_behaviour_for_its_release_alone(
    client: Client, manager: User, release: Release
) -> None:
    readings = [
        {"conversation": f"c{n}", "judge": "judge", "metric": f"m{n % 2}", "polarity": polarity, "present": present}
        for n, (polarity, *said) in enumerate([("positive", 1, 1), ("positive", 1, 0), ("negative", 0, 0)])
        for present in map(bool, said)
    ]
    found = repeatability(pd.DataFrame(readings), resamples=50, seed=0)
    analysis = {"kind": "judge-repeatability", "design": {}, "n_conversations": 3, "n_judgments": 6, "n_unjudged": 0}
    study = Study.objects.create(
        public_id="again", kind="judge-repeatability", title="Asked again", seed=1, sampling_frame={}, state="closed",
        release=release, opened_at=timezone.now(), closed_at=timezone.now(),
        analysis={**analysis, "repeatability": [asdict(row) for row in found]},
    )  # fmt: skip
    publish_study(study, actor=manager)
    good, bad = (release.metric_versions.filter(polarity=kind)[0] for kind in ("positive", "negative"))

    told = [studied(version, release).repeatability for version in (good, bad)]

    assert [one.value for one in told if one] == ["1 of 2 chats", "1 of 1 chats"]
    assert studied(good, None).repeatability is None
    assert "The judge asked again" in words(client, "/methodology/studies/again/")


def test_a_study_without_a_majority_says_that_it_is_too_little(study: Study, release: Release) -> None:
    found = studied(version_of(study), release).human_agreement

    assert found is not None
    assert (found.value, found.detail) == ("Too little to say", "4 chats without a clear majority left out.")


def test_split_is_kept_back_where_a_rater_agreed_to_averages_alone(
    client: Client, manager: User, release: Release
) -> None:
    study = make_published_study(
        manager, runs=(release.runs.get(),), mains=("pass", "fail"), contested="Both have a point."
    )

    found = studied(version_of(study), release)

    assert [(one.split, one.reasons) for one in found.contested] == [("", "Both have a point.")]
    assert "Bad outcome: 1" not in client.get(f"/methodology/studies/{study.public_id}/").content.decode()


def test_methodology_tells_the_rules_of_the_settings(client: Client, settings: Any) -> None:
    settings.STATUS_RULES = settings.STATUS_RULES | {"least_raters": 5, "disputes_to_be_disputed": 0}

    page = words(client, "/methodology/")

    assert "at least 5 people rated it in at least 9 chats" in page
    assert "and 60 of 100 or more found its examples adequate." in page
    assert ("doubts from readers" in page, "could not agree in the end: 1 or more" in page) == (False, True)


def test_no_text_about_studies_is_left_unmarked(client: Client, study: Study) -> None:
    data = everything_stored()
    metric = version_of(study).metric.slug

    with pseudo_locale():
        addresses = (f"/methodology/studies/{study.public_id}/", "/methodology/studies/", f"/metrics/{metric}/")
        pages = {address: client.get(address).content.decode() for address in addresses}

    assert {address: found for address, html in pages.items() if (found := unmarked(html, data))} == {}


def test_the_page_of_a_study_says_what_was_looked_at_and_whether_it_was_public(client: Client, manager: User) -> None:
    def said(kind: str) -> str:
        text = words(client, f"/methodology/studies/{make_published_study(manager, kind).public_id}/")
        return text.partition("What was looked at")[2].partition("Drawn by chance")[0].strip()

    assert said("scenario-review") == "Scenarios of metrics. No conversation was shown."
    assert said("simulation-review") == "Conversations that were not public when people rated them."

    study = make_study(manager, "judgment-review")
    make_release(run=study.runs.get())
    person = make_person("Rita")
    rate_all(take_seat(study, manager, person), person)
    publish_study(close_study(study, actor=manager), actor=manager)
    text = words(client, f"/methodology/studies/{study.public_id}/")
    assert "Conversations that became public before the study was closed." in text


def test_a_trust_panel_tells_what_stays_contested_as_of_today(study: Study, release: Release, manager: User) -> None:
    item = study.items.filter(unit="conversation").first()
    assert item is not None

    adjudicate(item, outcome="contested", reasons="Both have a point.", actor=manager)
    contested = [one.reasons for one in studied(version_of(study), release).contested]
    adjudicate(item, outcome="absent", reasons="It is not.", actor=manager)

    assert (contested, studied(version_of(study), release).contested) == (["Both have a point."], [])
