"""Two approvals at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from django.db import connection

from evaluation.models import Benchmark, MetricVersion
from evaluation.services import paper_taxonomy
from impactbench.common.errors import DomainError
from submissions.models import Submission
from submissions.services.approving import ApprovalPlan, make_metrics
from submissions.states import State
from tests.support.portal import make_person, make_submission

pytestmark = pytest.mark.django_db(transaction=True)
PLAN = ApprovalPlan(
    benchmark="own-choices", is_new_benchmark=True, benchmark_name="Own choices", profiles=("adult",), local_ids=("a",)
)


def _both(plans: list[ApprovalPlan]) -> list[str]:
    """What became of two approvals that begin together: the metric, or the refusal."""
    paper_taxonomy.load()
    submissions = [make_submission(make_person(f"Ada {n}"), State.IN_REVIEW) for n in range(2)]
    together = Barrier(2)

    def approve(submission: Submission, plan: ApprovalPlan) -> str:
        try:
            together.wait()
            [version] = make_metrics(submission, actor=None, plan=plan)
        except DomainError as error:
            return str(error)
        finally:
            connection.close()
        return str(version)

    with ThreadPoolExecutor(2) as pool:
        return sorted(pool.map(approve, submissions, plans))


def test_two_approvals_at_once_into_one_new_benchmark_both_hold() -> None:
    assert _both([PLAN, replace(PLAN, local_ids=("b",))]) == ["own-choices/a v1", "own-choices/b v1"]
    assert Benchmark.objects.count() == 1


def test_two_approvals_at_once_of_one_id_make_it_once() -> None:
    assert _both([PLAN, PLAN]) == [
        "The benchmark has a metric a already. Give another id.",
        "own-choices/a v1",
    ]
    assert MetricVersion.objects.count() == 1
