"""A judge is measured by what people settled: a failing one is refused in new plans, an unknown one is noted."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import Conversation, JudgeConfiguration, Judgment, Release, Run, Study, StudyCondition
from evaluation.selectors.studies.calibration_set import calibration_set, judge_calibrations
from evaluation.services.estimating import estimate
from evaluation.services.planning import freeze, load_plan
from evaluation.services.prompts import judge_configuration
from evaluation.studies.calibration import Answer
from evaluation.views.estimate_words import estimate_in_words
from impactbench.accounts.models import User
from impactbench.common.errors import UnusableInput
from tests.support.builders import make_finished_run, make_judgment, make_model, make_release, make_run
from tests.support.labelled_studies import make_labelled_study
from tests.support.plans import FORM_FIELDS, make_small_benchmark, write_plan
from tests.support.portal import make_person
from tests.support.published_studies import make_published_study
from tests.support.studies import make_study, rate_all, take_seat

URL = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def release() -> Release:
    return make_release()


@pytest.fixture
def settled(manager: User, release: Release, settings: Any) -> list[Conversation]:
    """24 conversations that were decided not to pass."""
    settings.CALIBRATION_RULES = {"setting": 0.7, "least": 20}
    make_labelled_study(manager, release)
    return list(Conversation.objects.filter(study_items__adjudications__isnull=False).order_by("pk"))


def _ask(judge: JudgeConfiguration, conversations: list[Conversation], n_right: int) -> None:
    for number, conversation in enumerate(conversations):
        fails = conversation.scenario.base.metric_version.polarity == "negative"
        make_judgment(conversation, judge=judge, present=fails if number < n_right else not fails)


def _planned_judge(tmp_path: Path) -> JudgeConfiguration:
    """The judge of the test's plan, under today's prompts, known by another run."""
    _, is_new = freeze(load_plan(write_plan(tmp_path, URL, name="earlier")))
    assert is_new
    return JudgeConfiguration.objects.get(language_model__slug="judge")


def test_agreement_of_each_judge_is_that_of_its_verdicts_with_what_was_settled(
    settled: list[Conversation], release: Release
) -> None:
    good = judge_configuration(make_model("good-judge"))
    _ask(good, settled, 24)

    known = calibration_set()
    found = {one.judge.slug: one.result for one in judge_calibrations(known)}

    judged = [Judgment.objects.get(conversation=one, judge__slug="judge") for one in settled]
    n_equal = sum(one.passed is False for one in judged)
    assert (len(known.conversations), known.n_decided, known.n_contested) == (24, 24, 0)
    assert list(found) == [good.slug, "judge"]
    assert (found["judge"].agreement.n, found["judge"].agreement.value) == (24, pytest.approx(n_equal / 24))
    assert found["judge"].n_unjudged == sum(one.present is None for one in judged)
    assert (found[good.slug].answer, found[good.slug].agreement.value) == (Answer.YES, 1.0)


def test_majorities_of_two_raters_are_settled_once_the_study_is_closed_and_contested_ones_never(manager: User) -> None:
    run = make_finished_run()
    still_open = make_study(manager, runs=(run,))
    for name in ("Rita", "Otto"):
        person = make_person(name)
        rate_all(take_seat(still_open, manager, person), person, main="pass")
    before = calibration_set()

    make_published_study(manager, runs=(run,), contested="Both have a point.")

    after = calibration_set()
    assert (before.conversations, before.n_contested) == ({}, 0)
    assert (len(after.conversations), after.n_decided, after.n_contested) == (3, 0, 1)
    assert {one.passed for one in after.conversations.values()} == {True}


def test_readings_of_saved_copies_count_for_their_originals(settled: list[Conversation]) -> None:
    original = settled[0]
    study = Study.objects.create(
        public_id="compared", kind="judge-comparison", title="Two judges", seed=1, sampling_frame={}
    )
    version = original.scenario.base.metric_version
    study.items.create(number=1, unit="conversation", metric_version=version, conversation=original)
    run = make_run("compared-1", versions=[version], targets=[original.target])
    StudyCondition.objects.create(study=study, number=1, slug="other", name="Other", run=run)
    copy = Conversation.objects.create(
        public_id="copy", run=run, scenario=original.scenario, target=original.target, state="finished"
    )
    _ask(judge_configuration(make_model("other")), [copy], 1)

    [found] = [one for one in judge_calibrations(calibration_set()) if one.judge.slug != "judge"]

    assert (found.judge.language_model, found.result.agreement.n) == (make_model("other"), 1)
    assert (found.result.agreement.value, found.result.answer) == (1.0, Answer.TOO_FEW)


def test_a_plan_with_a_judge_that_is_known_to_fail_is_refused_at_its_place(
    tmp_path: Path, settled: list[Conversation]
) -> None:
    _ask(_planned_judge(tmp_path), settled, 6)

    with pytest.raises(UnusableInput) as refused:
        load_plan(write_plan(tmp_path, URL))

    assert str(refused.value).startswith(
        f"{tmp_path}/pilot.yaml, line 5, column 8: judge 'judge' agrees too little with what people settled: "
        "in 25 of 100 of 24 conversations (95 % interval from "
    )
    assert load_plan(tmp_path / "earlier.yaml").plan.name == "earlier"


def test_a_judge_that_was_asked_too_little_is_noted_in_the_estimate(
    tmp_path: Path, settled: list[Conversation]
) -> None:
    _ask(_planned_judge(tmp_path), settled[:5], 0)

    resolved = load_plan(write_plan(tmp_path, URL))
    found = estimate(resolved)

    said = (
        "Whether judge judge agrees with people is not known yet: it was asked about 5 of the 24 conversations that "
        "people settled, which are too few."
    )
    assert (found.notes, found.as_json()["notes"]) == ((said,), [said])
    assert estimate_in_words(found, resolved).warnings[-1] == said


def test_a_judge_that_agrees_and_a_place_where_nothing_is_settled_say_nothing(
    tmp_path: Path, settled: list[Conversation]
) -> None:
    _ask(_planned_judge(tmp_path), settled, 24)

    assert estimate(load_plan(write_plan(tmp_path, URL))).notes == ()


def test_nothing_is_asked_of_a_judge_before_anything_is_settled(tmp_path: Path) -> None:
    make_small_benchmark()

    assert estimate(load_plan(write_plan(tmp_path, URL))).notes == ()


def test_form_of_a_plan_refuses_a_failing_judge_beside_its_field(
    client: Client, tmp_path: Path, settled: list[Conversation]
) -> None:
    _ask(_planned_judge(tmp_path), settled, 6)
    client.force_login(make_person("Olga", "operator"))

    answer = client.post("/runs/", {"name": "from-the-page", **FORM_FIELDS, "action": "save"})

    errors = answer.context["form"].errors
    assert (answer.status_code, list(errors), Run.objects.filter(slug="from-the-page").exists()) == (
        422, ["judge"], False,
    )  # fmt: skip
    assert errors["judge"][0].startswith("Judge 'judge' agrees too little with what people settled")


def _words(answer: Any) -> str:
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_page_tells_which_judges_may_be_used(client: Client, manager: User, settled: list[Conversation]) -> None:
    _ask(judge_configuration(make_model("bad-judge", name="Bad <b>Judge</b>")), settled, 6)
    client.force_login(manager)

    with CaptureQueriesContext(connection) as few:
        page = _words(client.get("/studies/calibration/"))
    _ask(judge_configuration(make_model("good-judge")), settled, 24)
    with CaptureQueriesContext(connection) as more:
        later = _words(client.get("/studies/calibration/"))

    assert "24 conversations 24 by a decision on a study’s items, 0 by what more than half" in page
    assert ("24 of 24 25 (" in page, "May not be used" in page) == (True, True)
    assert ("0 May be used" in page, "0 May be used" in later) == (False, True)
    assert len(more) == len(few)
    file: Any = client.get("/studies/calibration/judges.json")
    rows = {row["model"]: row for row in json.loads(b"".join(file.streaming_content))["rows"]}
    assert [(rows[name]["n"], rows[name]["answer"]) for name in ("bad-judge", "good-judge")] == [
        (24, "no"),
        (24, "yes"),
    ]
    assert rows["good-judge"]["ci_low"] < rows["good-judge"]["agreement"] == 1
