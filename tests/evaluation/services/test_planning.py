"""What a plan becomes in the database, and what it is refused for."""

from pathlib import Path
from typing import Any

import pytest

from evaluation.models import BaseScenario, Conversation, LanguageModel, Metric, MetricVersion, Run, Scenario, Suite
from evaluation.services import planning, running
from impactbench.common.errors import UnusableInput
from impactbench.common.models import AuditEvent
from tests.support.builders import make_metric, make_model
from tests.support.plans import PARTS, make_small_benchmark, planned_model, write_plan

URL = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db


def _freeze(tmp_path: Path, **changes: Any) -> tuple[Run, bool]:
    return planning.freeze(planning.load_plan(write_plan(tmp_path, URL, **changes)))


def _problem(tmp_path: Path, **changes: Any) -> str:
    with pytest.raises(UnusableInput) as refused:
        _freeze(tmp_path, **changes)
    return str(refused.value).removeprefix(f"{tmp_path / 'pilot.yaml'}, ")


def test_run_has_a_conversation_for_each_scenario_target_and_sample(tmp_path: Path) -> None:
    make_small_benchmark()

    run, is_new = _freeze(tmp_path, samples=2)

    assert (is_new, run.state, run.conversations.count()) == (True, "created", 4 * 2 * 2)
    assert run.user_simulator.slug == "simulator"  # type: ignore[union-attr]
    assert sorted(target.slug for target in run.targets.all()) == ["target-a", "target-b"]
    assert [judge.language_model.slug for judge in run.judges.all()] == ["judge"]  # type: ignore[union-attr]
    assert len({conversation.public_id for conversation in run.conversations.all()}) == 16


def test_names_of_conversations_are_the_same_on_another_machine(tmp_path: Path) -> None:
    make_small_benchmark()
    first = sorted(_freeze(tmp_path)[0].conversations.values_list("public_id", flat=True))
    Conversation.objects.all().delete()
    Run.objects.all().delete()

    again = sorted(_freeze(tmp_path)[0].conversations.values_list("public_id", flat=True))

    assert first == again


def test_same_plan_gives_the_same_run(tmp_path: Path) -> None:
    make_small_benchmark()
    run, _ = _freeze(tmp_path)

    again, is_new = _freeze(tmp_path, targets=["target-b", "target-a"])

    assert (again.pk, is_new, again.conversations.count()) == (run.pk, False, 8)


def test_spec_holds_no_key_and_the_name_of_its_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_small_benchmark()
    monkeypatch.setenv("TARGET_KEY", "sk-secret")
    models = [planned_model(slug, URL) for slug in ("simulator", "judge", "target-b")]
    models.append({**planned_model("target-a", URL), "api_key_env": "TARGET_KEY"})

    run, _ = _freeze(tmp_path, models=models)

    assert run.spec["models"]["target-a"]["api_key_env"] == "TARGET_KEY"
    assert "sk-secret" not in str(run.spec)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"turns": 3}, "turns was 2 and is 3"),
        ({"targets": ["target-a"]}, "targets was target-a, target-b and is target-a"),
        ({"profiles": ["teen"]}, "profiles was not given and is teen"),
        ({"samples": 2}, "samples was 1 and is 2"),
    ],
)
def test_changed_plan_is_refused_naming_the_change(tmp_path: Path, changes: dict[str, Any], what: str) -> None:
    make_small_benchmark()
    _freeze(tmp_path)

    assert what in _problem(tmp_path, **changes)


def test_other_prompts_are_a_change(tmp_path: Path) -> None:
    make_small_benchmark()
    planning.freeze(planning.load_plan(write_plan(tmp_path, URL)))
    run = Run.objects.get()
    spec = planning.freezable_spec(planning.load_plan(write_plan(tmp_path, URL)))
    spec["prompt_hashes"]["judge"] = "0" * 64
    spec["code_version"] = "another"

    with pytest.raises(UnusableInput, match=r"exists with another plan: prompt judge was changed\. Undo"):
        planning._check_same(run, spec)


def test_new_version_of_a_metric_is_a_change(tmp_path: Path) -> None:
    versions = make_small_benchmark()
    _freeze(tmp_path)
    newer = MetricVersion.objects.get(pk=versions[0].pk)
    newer.pk, newer.number, newer.definition, newer.content_hash = None, 2, "Other words.", "other"
    newer.save()
    base = BaseScenario.objects.create(metric_version=newer, number=1)
    Scenario.objects.create(base=base, profile=Scenario.objects.all()[0].profile)

    assert "metric autonomy/m01 was changed; metric autonomy/m01 number was 1 and is 2" in _problem(tmp_path)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"targets": ["target-c"]}, "there is no model 'target-c'; did you mean target-b or target-a?"),
        ({"benchmarks": ["autonomi"]}, "there is no benchmark 'autonomi'; did you mean autonomy?"),
        ({"benchmarks": None, "metrics": ["autonomy/m1"]},
         "there is no metric 'autonomy/m1'; did you mean autonomy/m01 or autonomy/m02?"),
        ({"benchmarks": None, "suite": "health@2"}, "there is no suite 'health@2'"),
        ({"profiles": ["teens"]}, "there is no profile 'teens'; did you mean teen?"),
    ],
)  # fmt: skip
def test_unknown_names_come_with_near_ones(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    make_small_benchmark()

    assert _problem(tmp_path, **changes).partition(": ")[2] == problem


def test_two_plans_that_bring_the_same_new_models_share_them(tmp_path: Path) -> None:
    make_small_benchmark()
    ours = planning.load_plan(write_plan(tmp_path, URL, name="ours"))
    theirs = planning.load_plan(write_plan(tmp_path, URL, name="theirs"))

    planning.freeze(theirs)
    planning.freeze(ours)

    assert (Run.objects.count(), LanguageModel.objects.count()) == (2, 4)


def test_plan_whose_new_model_another_plan_described_otherwise_meanwhile_is_refused(tmp_path: Path) -> None:
    make_small_benchmark()
    ours = planning.load_plan(write_plan(tmp_path, URL, name="ours"))
    planning.freeze(planning.load_plan(write_plan(tmp_path, URL, name="theirs", prices=2.0)))

    with pytest.raises(UnusableInput, match="is known with other settings"):
        planning.freeze(ours)
    assert Run.objects.count() == 1


def test_near_names_are_named_once_though_the_plan_and_the_database_know_them(tmp_path: Path) -> None:
    make_small_benchmark()
    planning.freeze(planning.load_plan(write_plan(tmp_path, URL)))

    assert _problem(tmp_path, targets=["target-c"]).endswith("did you mean target-b or target-a?")


def test_known_model_with_other_settings_is_refused_listing_them(tmp_path: Path) -> None:
    make_small_benchmark()
    make_model("judge", name="Judge", litellm_model="openai/judge", api_base=URL, parameters={"max_tokens": 9})

    assert (
        _problem(tmp_path)
        .partition(": ")[2]
        .startswith(
            "model 'judge' is known with other settings: provider 'Example Labs' is '' here; "
            "parameters {'max_tokens': 9} is {'max_tokens': 200} here"
        )
    )


def test_draft_is_not_runnable(tmp_path: Path) -> None:
    make_small_benchmark()
    MetricVersion.objects.filter(metric__local_id="m02").update(is_runnable=False)

    found = _problem(tmp_path)

    assert found == "line 3, column 3: not runnable yet: autonomy/m02; an editor must accept the draft first"


def test_turns_below_the_last_anchor_are_refused_naming_it(tmp_path: Path) -> None:
    make_small_benchmark()
    Scenario.objects.filter(source_id="m02-s1-adult").update(anchors=[{"turn": 4, "objective": "Ask again."}])

    assert _problem(tmp_path).partition(": ")[2] == (
        "2 turns end before the last anchor (turn 4) of scenario 1 (m02-s1-adult) of metric autonomy/m02; "
        "give 4 turns, which is enough for all scenarios of this plan, or plan without anchors"
    )


def test_budget_counts_unknown_prices_at_the_ceiling_of_the_plan(tmp_path: Path) -> None:
    make_small_benchmark()
    models = [planned_model(slug, URL, None if slug == "judge" else 1.0) for slug in PARTS]

    run, _ = _freeze(tmp_path, budget_usd=1, models=models)

    assert (run.spec["budget_usd"], run.spec["unpriced_call_usd"]) == ("1", "0.01")


def test_budget_below_the_first_call_is_refused(tmp_path: Path) -> None:
    make_small_benchmark()

    problem = _problem(tmp_path, budget_usd=0.0001)

    assert "a budget of $0.0001 does not pay for the first call, which may cost $0.00" in problem


def test_other_budget_and_concurrency_are_taken_over_by_the_same_run(tmp_path: Path) -> None:
    make_small_benchmark()
    first, _ = _freeze(tmp_path, budget_usd=5)

    again, is_new = _freeze(tmp_path, budget_usd=7, concurrency=3)

    again.refresh_from_db()
    assert (again.pk, is_new) == (first.pk, False)
    assert (again.budget_usd, again.concurrency) == (7, 3)
    assert list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))[-2:] == [
        "run-concurrency-changed",
        "run-budget-changed",
    ]


def test_budget_raised_by_hand_outlives_the_plan_it_was_frozen_with(tmp_path: Path) -> None:
    make_small_benchmark()
    run, _ = _freeze(tmp_path, budget_usd=5)
    running.raise_budget(run, 9)

    again, _ = _freeze(tmp_path, budget_usd=5)

    assert again.budget_usd == 9


def test_suite_brings_its_own_scenarios(tmp_path: Path) -> None:
    versions = make_small_benchmark()
    suite = Suite.objects.create(slug="health", version=3)
    suite.metric_versions.add(versions[0])
    suite.scenarios.add(Scenario.objects.filter(base__metric_version=versions[0])[0])

    run, _ = _freeze(tmp_path, benchmarks=None, suite="health@3")

    assert run.conversations.count() == 2


def test_nothing_is_written_when_a_plan_is_refused(tmp_path: Path) -> None:
    make_small_benchmark()

    _problem(tmp_path, profiles=["nobody"])

    assert (Run.objects.count(), LanguageModel.objects.filter(slug="target-a").count()) == (0, 0)


def test_benchmark_without_metrics_is_refused(tmp_path: Path) -> None:
    make_metric()
    Metric.objects.update(local_id="m01")

    assert "metric autonomy/m01 has no scenario" in _problem(tmp_path)
