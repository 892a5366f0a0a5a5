"""One new model in a suite: one plan, one command, and a release of the old and the new run together."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from evaluation.models import Release
from evaluation.services import verification
from tests.support.builders import make_scenarios
from tests.support.commands import finished
from tests.support.llm_server import ScriptedLLM
from tests.support.plans import make_small_benchmark, planned_model, write_plan

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.alone]


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        yield scripted


def said(*arguments: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def test_new_model_is_one_plan_and_one_command(server: ScriptedLLM, tmp_path: Path) -> None:
    versions = make_small_benchmark()
    first = write_plan(tmp_path, server.url, name="first", targets=["target-a"])
    assert finished("run_evaluation", first, "--workers", "1", home=tmp_path)[0] == 0
    assert said("make_suite", "autonomy", "--run", "first") == (
        "Made suite autonomy@1: 2 metrics, 4 scenarios. In a plan: `suite: autonomy@1`.\n"
    )
    # What is added later takes no part: the suite is frozen.
    make_scenarios(versions[0], number=9)

    second = write_plan(
        tmp_path, server.url, name="second", benchmarks=None, suite="autonomy@1", targets=["target-b"],
        models=[planned_model("target-b", server.url)],
    )  # fmt: skip
    assert finished("run_evaluation", second, "--workers", "1", home=tmp_path)[0] == 0

    summary = said("publish_release", "both", "--run", "first", "second", "--resamples", "50")
    release = Release.objects.get(slug="both")
    assert summary.startswith("Published release both: 2 models, 2 metrics, 8 of 8 conversations judged; ")
    assert (release.unlike, verification.verify("both")) == ([], [])
