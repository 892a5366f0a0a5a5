"""The status of a metric follows from published studies and open disputes, by the rules in the settings."""

from typing import Any

import pytest

from evaluation.models import MetricVersion, Study, StudyFinding
from evaluation.selectors.studies.published import evidence_for, public_analysis
from evaluation.services.studies import adjudicating, closing, publishing
from evaluation.services.studies.states import NotAllowed
from evaluation.services.studies.statuses import refresh_statuses, status_rules
from impactbench.accounts.models import User
from impactbench.common.models import AuditEvent
from tests.support.builders import make_metric, make_release
from tests.support.portal import make_person
from tests.support.published_studies import make_published_study
from tests.support.studies import make_study, rate_all, take_seat

pytestmark = pytest.mark.django_db
FEW = {"least_raters": 2, "least_conversations": 4, "least_relevance": 3, "least_adequate": 0.6}


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


def _reviewed(study: Study) -> MetricVersion:
    return MetricVersion.objects.filter(study_items__study=study).distinct().get()


def test_a_published_review_that_meets_the_rules_makes_its_metric_expert_reviewed(manager: User, settings: Any) -> None:
    settings.STATUS_RULES = settings.STATUS_RULES | FEW | {"least_adequate": 0}

    study = make_published_study(manager, runs=(make_release().runs.get(),))

    version = _reviewed(study)
    event = AuditEvent.objects.get(action="metric-status-changed")
    assert version.status == "expert-reviewed"
    assert event.details == {"from": "machine-judged", "to": "expert-reviewed", "reasons": []}
    assert MetricVersion.objects.exclude(pk=version.pk).filter(status="expert-reviewed").count() == 0


def test_too_few_raters_leave_the_status_and_what_is_open_counts_for_nothing(manager: User, settings: Any) -> None:
    release = make_release()
    study = make_published_study(manager, runs=(release.runs.get(),))
    settings.STATUS_RULES = settings.STATUS_RULES | FEW | {"least_raters": 3, "least_adequate": 0}
    version = _reviewed(study)

    changed = refresh_statuses([version])

    assert (changed, version.status, status_rules().least_raters) == ([], "machine-judged", 3)
    evidence = evidence_for([version])[version.pk]
    assert (len(evidence.raters), len(evidence.conversations), len(evidence.relevance)) == (2, 4, 2)


def test_what_stays_contested_makes_a_metric_disputed(manager: User) -> None:
    study = make_study(manager, runs=(make_release().runs.get(),))
    for name, main in (("Rita", "pass"), ("Otto", "fail")):
        person = make_person(name)
        rate_all(take_seat(study, manager, person), person, main=main)
    closed = closing.close_study(study, actor=manager)
    item = study.items.filter(unit="conversation").first()
    assert item is not None
    adjudicating.adjudicate(item, outcome="absent", reasons="At first sight.", actor=manager)
    adjudicating.adjudicate(item, outcome="contested", reasons="Both have a point.", actor=manager)

    publishing.publish_study(closed, actor=manager)

    assert _reviewed(study).status == "disputed"


def test_a_retired_metric_stays_retired_and_an_unmeasured_one_a_draft() -> None:
    retired = make_metric("m01", status="retired", status_before="expert-reviewed")
    draft = make_metric("m02", status="draft")

    changed = refresh_statuses([retired, draft])

    retired.refresh_from_db()
    assert (changed, retired.status, retired.status_before) == ([retired], "retired", "draft")


def test_public_analysis_names_no_single_rater_and_no_rating_of_who_did_not_agree(manager: User) -> None:
    study = make_published_study(manager, mains=("pass", "fail"))
    assert study.analysis is not None

    analysis = public_analysis(study)

    assert {row["by"] for row in study.analysis["scales"]} == {"all", "metric", "benchmark", "polarity", "rater"}
    assert {row["by"] for row in analysis["scales"]} == {"all", "metric", "benchmark", "polarity"}
    assert [row["rater"] for row in analysis["times"]] == [None]
    assert (len(study.analysis["disagreements"]) > 0, analysis["disagreements"]) == (True, [])


def test_public_analysis_leaves_out_a_metric_that_only_somebody_who_did_not_agree_rated(manager: User) -> None:
    # As in the preset of the paper: most metrics are rated by one person each.
    study = make_study(manager, design={"n_metrics": 2, "raters_per_item": 1})
    for name, release in (("Rita", True), ("Otto", False)):
        person = make_person(name)
        rate_all(take_seat(study, manager, person, release=release), person, main="pass")
    study = publishing.publish_study(closing.close_study(study, actor=manager), actor=manager)
    metrics = {
        rater.consents_to_release: rater.ratings.values_list("item__metric_version__metric__slug", flat=True)[0]
        for rater in study.raters.all()
    }

    analysis = public_analysis(study)

    shown = {row["key"] for name in ("scales", "choices", "judge") for row in analysis[name] if row["by"] == "metric"}
    assert shown == {metrics[True]}
    assert {"by": "metric", "key": metrics[False]} in analysis["withheld"]
    finding = StudyFinding.objects.get(study=study, metric_version__metric__slug=metrics[False])
    assert (finding.values["scales"], finding.values["choices"]) == ([], [])


def test_a_decision_after_publication_changes_the_status_at_once(manager: User) -> None:
    study = make_published_study(manager, runs=(make_release().runs.get(),))
    item = study.items.filter(unit="conversation").first()
    assert item is not None

    adjudicating.adjudicate(item, outcome="contested", reasons="Both have a point.", actor=manager)
    contested = _reviewed(study).status
    adjudicating.adjudicate(item, outcome="absent", reasons="It is not.", actor=manager)

    assert (contested, _reviewed(study).status) == ("disputed", "machine-judged")


def test_who_rated_in_a_study_decides_nothing_in_it_once_it_is_published(manager: User) -> None:
    study = make_study(manager)
    otto = make_person("Otto", "operator")
    rate_all(take_seat(study, manager, otto), otto)
    published = publishing.publish_study(closing.close_study(study, actor=manager), actor=manager)
    item = published.items.filter(unit="conversation").first()
    assert item is not None

    with pytest.raises(NotAllowed, match="You rated in this study"):
        adjudicating.adjudicate(item, outcome="present", reasons="As I said.", actor=otto)
