"""Suites: what runs measured, under a name and a version."""

import pytest

from evaluation.models import Run, Scenario
from evaluation.services.suites import make_suite
from impactbench.common.errors import UnusableInput
from tests.support.builders import make_finished_run, make_run
from tests.support.frozen import nothing_is_frozen

pytestmark = pytest.mark.django_db


def test_suite_holds_metrics_and_scenarios_of_a_run_once():
    run = make_finished_run("first")

    suite, is_new = make_suite(slug="autonomy", runs=["first"])
    again, is_new_again = make_suite(slug="autonomy", runs=["first"])

    assert (str(suite), is_new, again, is_new_again) == ("autonomy@1", True, suite, False)
    assert set(suite.metric_versions.all()) == set(run.metric_versions.all())
    assert suite.scenarios.count() == 48


def test_other_content_is_the_next_version():
    run = make_finished_run("first")
    make_suite(slug="autonomy", runs=["first"])
    gone = Scenario.objects.filter(conversations__run=run).order_by("pk")[0]
    with nothing_is_frozen():
        gone.conversations.all().delete()

    suite, is_new = make_suite(slug="autonomy", runs=["first"])

    assert (str(suite), is_new, suite.scenarios.count()) == ("autonomy@2", True, 47)


@pytest.mark.parametrize(
    ("slug", "runs", "says"),
    [
        ("a b", ["empty"], "'a b' cannot name a suite: use at most 100 letters, digits and hyphens"),
        ("suite", ["nowhere"], "there is no run nowhere"),
        ("suite", ["empty"], "these runs have no conversation, so there is nothing to make a suite of"),
        ("suite", ["read-in"], "imported results cannot be run again, so they make no suite: read-in"),
    ],
)
def test_unusable_suite_is_refused(slug: str, runs: list[str], says: str):
    make_run("empty")
    make_run("read-in", kind=Run.Kind.IMPORTED)

    with pytest.raises(UnusableInput) as refused:
        make_suite(slug=slug, runs=runs)

    assert str(refused.value) == says
