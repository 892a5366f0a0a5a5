"""Scenarios that a benchmark has already get the variants that they lack: matched twins, such as adults for teens."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction

from evaluation.drafting.deciding import keep, remove, reopen, revise
from evaluation.drafting.duplicates import near_drafts
from evaluation.drafting.preview import simulator_prompt
from evaluation.drafting.table import rows_of_drafts
from evaluation.drafting.taking_over import take_over
from evaluation.importers.formats.types import ReadBenchmark, ScenarioFile
from evaluation.importers.writing.benchmarks import write_benchmark
from evaluation.importers.writing.stored import stored_header, stored_metric, stored_scenarios
from evaluation.models import BaseScenario, Benchmark, DraftingQuestion, GeneratedDraft, MetricVersion, Scenario
from impactbench.common.errors import DomainError
from tests.evaluation.drafting.conftest import Command
from tests.support.builders import make_conversation, make_model, make_run, make_scenario
from tests.support.llm_server import ScriptedLLM
from tests.support.portal import make_person

GIVEN = ("generate_scenarios", "--missing-variants")


@pytest.fixture
def editor(db: None) -> Any:
    return make_person("Ed", "editor")


@pytest.fixture
def teen(generate: Command) -> Scenario:
    """The only scenario of a01, as an import writes it: the base has goals and no persona of its own."""
    version = MetricVersion.objects.get(metric__local_id="a01")
    scenario = make_scenario(version, profile="teen", persona="Mika is 15.", target_system_prompt="Be brief.", turns=4)
    scenario.base.persona, scenario.base.anchors = "", []
    scenario.base.save()
    return scenario


@pytest.fixture
def twin(generate: Command, teen: Scenario) -> GeneratedDraft:
    generate(*GIVEN)
    return GeneratedDraft.objects.get()


def test_teen_scenario_gets_the_adult_twin_that_it_lacks(
    generate: Command, server: ScriptedLLM, teen: Scenario
) -> None:
    foreseen = generate(*GIVEN, "--dry-run")
    report = generate(*GIVEN)

    [call] = server.calls_of("drafter")
    draft = GeneratedDraft.objects.get()
    assert (foreseen["questions"], foreseen["more_questions"]) == (1, 0)
    assert (report["drafts"], report["drafted"], report["near_duplicates"]) == (1, 1, 0)
    assert ("> Mika is 15." in call.prompt, "> To be told what to do." in call.prompt) == (True, True)
    assert (draft.kind, draft.base, draft.base_scenario, str(draft)) == (
        "variant", None, teen.base, "autonomy/a01 v1 scenario 1 for Adults 18+",
    )  # fmt: skip
    assert draft.content["drafted_from"] == "teen"
    assert [anchor["turn"] for anchor in draft.content["anchors"]] == [1]
    assert near_drafts(Benchmark.objects.get()) == []


def test_twin_is_not_asked_for_again_and_after_a_removal_only_when_told_to(
    generate: Command, twin: GeneratedDraft
) -> None:
    assert generate(*GIVEN, "--dry-run")["questions"] == 0
    remove(twin, reason="a cliche", actor=None)

    assert generate(*GIVEN, "--dry-run")["questions"] == 0
    assert generate(*GIVEN, "--again")["drafts"] == 1
    with pytest.raises(DomainError, match="There is another draft of this variant by now"):
        reopen(twin, actor=None)


def test_budget_stops_before_it_is_passed_and_the_rest_comes_later(generate: Command, teen: Scenario) -> None:
    for number in (2, 3):
        make_scenario(teen.base.metric_version, profile="teen", number=number)

    with pytest.raises(CommandError, match="the same command goes on with what is missing"):
        generate(*GIVEN, "--budget-usd", "0.003")

    assert 0 < DraftingQuestion.objects.count() < 3
    generate(*GIVEN)
    assert sorted(GeneratedDraft.objects.values_list("base_scenario__number", flat=True)) == [1, 2, 3]


def test_scenario_whose_goal_or_persona_was_not_published_is_left_out(generate: Command, teen: Scenario) -> None:
    BaseScenario.objects.update(goal="")
    other = make_scenario(teen.base.metric_version, profile="teen", number=2, persona="")
    BaseScenario.objects.filter(pk=other.base_id).update(persona="")

    assert generate(*GIVEN)["calls"] == 0


def test_kept_twin_joins_the_same_base_scenario(generate: Command, twin: GeneratedDraft, editor: Any) -> None:
    teen = Scenario.objects.get()
    revise(twin, {"persona": "Ada is 41."}, actor=editor)

    [taken] = take_over(Benchmark.objects.get(), actor=editor)

    assert taken.became == "autonomy/a01 v1 scenario 1 for adult"
    base = BaseScenario.objects.get(pk=teen.base_id)
    assert (base.goal, base.latent_adversarial_goal) == (teen.base.goal, teen.base.latent_adversarial_goal)
    assert [
        (one.profile.slug, one.persona, one.title, one.target_system_prompt, one.turns) for one in base.variants.all()
    ] == [
        ("teen", "Mika is 15.", "Scenario 1", "Be brief.", 4),
        ("adult", "Ada is 41.", "Scenario 1", "Be brief.", 4),
    ]
    assert generate(*GIVEN)["calls"] == 0


def test_tested_version_stays_and_the_next_one_has_the_twin(twin: GeneratedDraft, editor: Any) -> None:
    teen, version = Scenario.objects.get(), MetricVersion.objects.get(metric__local_id="a01")
    make_conversation(make_run(versions=[version]), teen, make_model())
    keep(twin, actor=editor)

    [taken] = take_over(Benchmark.objects.get(), actor=editor)

    found = Scenario.objects.order_by("base__metric_version__number", "profile__order")
    assert taken.became == "autonomy/a01 v2 scenario 1 for adult"
    assert [(one.base.metric_version.number, one.base.number, one.profile.slug) for one in found] == [
        (1, 1, "teen"), (2, 1, "teen"), (2, 1, "adult"),
    ]  # fmt: skip
    assert len({one.base.goal for one in found}) == 1


def test_twin_waits_until_each_one_of_its_scenario_is_decided_on(
    generate: Command, teen: Scenario, editor: Any
) -> None:
    make_scenario(MetricVersion.objects.get(metric__local_id="a02"), profile="carer")
    generate(*GIVEN, "--profile", "adult", "carer")
    first, second = GeneratedDraft.objects.filter(base_scenario=teen.base)
    keep(first, actor=editor)

    before = take_over(Benchmark.objects.get(), actor=editor)
    remove(second, reason="not for carers", actor=editor)

    assert (before, take_over(Benchmark.objects.get(), actor=editor)) == ([], [first])


def test_twin_that_came_otherwise_meanwhile_is_refused(twin: GeneratedDraft, editor: Any) -> None:
    teen = Scenario.objects.get()
    assert twin.profile is not None
    Scenario.objects.create(base=teen.base, profile=twin.profile, persona="Another adult.")
    keep(twin, actor=editor)

    with pytest.raises(
        DomainError, match=r"v1 has scenario 1 for Adults 18\+ already\. Remove “autonomy/a01 v1 scenario 1 for "
    ):
        take_over(Benchmark.objects.get(), actor=editor)


def test_table_says_what_a_draft_is_based_on(generate: Command, twin: GeneratedDraft) -> None:
    generate("generate_scenarios", "--count", "3")

    rows = {row["id"]: row for row in rows_of_drafts(Benchmark.objects.get())}
    of_drafts = GeneratedDraft.objects.filter(base__isnull=False)
    assert rows[twin.pk]["based_on"] == "autonomy/a01 v1 scenario 1 for teen"
    assert [rows[one.pk]["based_on"] for one in of_drafts] == [f"draft {one.base_id}" for one in of_drafts]
    assert {row["based_on"] for row in rows.values() if row["kind"] == "scenario"} == {""}


def test_simulator_is_told_the_goals_of_the_existing_scenario(twin: GeneratedDraft) -> None:
    shown = simulator_prompt(twin, twin.content)

    assert twin.content["persona"] in shown.unchanging
    assert "To decide about a job offer." in shown.unchanging
    assert "To be told what to do." in shown.unchanging


def _import(scenario: ScenarioFile) -> None:
    """The benchmark again, with this scenario only."""
    benchmark, version = Benchmark.objects.get(), MetricVersion.objects.get(metric__local_id="a01")
    file = replace(stored_header(benchmark), metrics=(stored_metric(version, ()),), scenarios=(scenario,))
    write_benchmark(ReadBenchmark(file), actor=None, file=Path("a.json"), format_name="native", is_runnable=True)


def test_import_keeps_the_base_scenario_that_a_draft_belongs_to(twin: GeneratedDraft) -> None:
    version = MetricVersion.objects.get(metric__local_id="a01")
    [stored] = stored_scenarios([version])[version.pk]

    _import(replace(stored, persona="Mika is 14."))
    in_place = (MetricVersion.objects.filter(metric=version.metric).count(), Scenario.objects.get().base_id)
    _import(replace(stored, goal="Another goal."))

    assert in_place == (1, twin.base_scenario_id)
    twin.refresh_from_db()
    assert (twin.base_scenario_id, MetricVersion.objects.filter(metric=version.metric).count()) == (in_place[1], 2)


def test_variant_has_exactly_one_base(twin: GeneratedDraft) -> None:
    for changed in ({"base_scenario": None}, {"base": twin}):
        with pytest.raises(IntegrityError, match="generated_variant_has_one_base"), transaction.atomic():
            GeneratedDraft.objects.update(**changed)
