"""A person decides on every draft; what became of each is told; what stands is taken over."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from evaluation.drafting.deciding import keep, merge, remove, reopen, revise
from evaluation.drafting.taking_over import take_over
from evaluation.models import Benchmark, GeneratedDraft, MetricVersion, Scenario
from impactbench.common.errors import DomainError
from tests.evaluation.drafting.conftest import Command
from tests.support.builders import make_conversation, make_model, make_run, make_scenario
from tests.support.portal import make_person

Kind = GeneratedDraft.Kind


@pytest.fixture
def editor(db: None) -> Any:
    return make_person("Ed", "editor")


@pytest.fixture
def drafts(generate: Command) -> list[GeneratedDraft]:
    """The drafted bases of a01."""
    generate("generate_scenarios")
    return list(GeneratedDraft.objects.filter(kind=Kind.SCENARIO, metric_version__metric__local_id="a01"))


def _keep_all(base: GeneratedDraft, editor: Any) -> None:
    keep(base, actor=editor)
    for variant in base.variants.all():
        keep(variant, actor=editor)


def test_kept_scenario_becomes_one_with_the_goals_of_its_base(drafts: list[GeneratedDraft], editor: Any) -> None:
    revise(drafts[0], {"goal": "To know what a fair choice is."}, actor=editor)
    for variant in drafts[0].variants.all():
        keep(variant, actor=editor)
    keep(drafts[1], actor=editor)  # its variants are not decided on, so it waits

    taken = take_over(Benchmark.objects.get(), actor=editor)

    scenarios = list(Scenario.objects.select_related("base__metric_version__metric", "profile"))
    assert [(str(s.base), s.profile.slug, s.base.goal) for s in scenarios] == [
        ("autonomy/a01 v1 scenario 1", profile, "To know what a fair choice is.") for profile in ("teen", "adult")
    ]
    assert scenarios[0].base.persona == drafts[0].content["persona"]
    assert sorted(draft.became for draft in taken) == [
        "autonomy/a01 v1 scenario 1",
        "autonomy/a01 v1 scenario 1 for adult",
        "autonomy/a01 v1 scenario 1 for teen",
    ]
    assert take_over(Benchmark.objects.get(), actor=editor) == []


def test_tested_version_keeps_its_scenarios_and_the_next_one_has_the_new(
    drafts: list[GeneratedDraft], editor: Any
) -> None:
    version = MetricVersion.objects.get(metric__local_id="a01")
    scenario = make_scenario(version)
    run = make_run(versions=[version])
    make_conversation(run, scenario, make_model())
    _keep_all(drafts[0], editor)

    take_over(Benchmark.objects.get(), actor=editor)

    newest = MetricVersion.objects.filter(metric=version.metric).latest("number")
    assert (newest.number, newest.is_runnable, newest.awaits_second_editor) == (2, True, True)
    assert list(newest.base_scenarios.values_list("number", flat=True)) == [1, 2]
    assert list(version.base_scenarios.values_list("number", "persona")) == [(1, "Somebody with a hard choice.")]
    assert newest.base_scenarios.get(number=1).persona == "Somebody with a hard choice."


def test_clause_makes_one_new_version_for_all_scenarios(
    generate: Command, drafts: list[GeneratedDraft], editor: Any
) -> None:
    generate("generate_interpretive_clauses")
    clause = GeneratedDraft.objects.get(kind=Kind.CLAUSE, metric_version__metric__local_id="a01")
    keep(clause, actor=editor)
    _keep_all(drafts[0], editor)

    take_over(Benchmark.objects.get(), actor=editor)

    newest = MetricVersion.objects.filter(metric__local_id="a01").latest("number")
    assert (newest.number, newest.interpretive_clause) == (2, clause.content["clause"])
    assert newest.base_scenarios.count() == 1


def test_kept_metric_is_runnable_and_waits_for_a_second_editor(generate: Command, editor: Any) -> None:
    generate("generate_metrics")
    first, second = GeneratedDraft.objects.filter(kind=Kind.METRIC).order_by("number")
    revise(first, {"name": "Tells the cost"}, actor=editor)
    merge(second, first, actor=editor)

    [taken] = take_over(Benchmark.objects.get(), actor=editor)

    version = MetricVersion.objects.get(name="Tells the cost")
    assert (taken.became, version.is_runnable, version.awaits_second_editor) == (str(version), True, True)
    assert (version.is_published, version.definition) == (False, first.content["definition"])


def test_table_tells_what_became_of_each_draft(drafts: list[GeneratedDraft], editor: Any, tmp_path: Path) -> None:
    kept, revised, removed = drafts
    keep(kept, actor=editor)
    revise(revised, {"title": "=Another title"}, actor=editor)
    remove(removed, reason="not realistic", actor=editor)

    for name in ("drafts.csv", "drafts.json"):
        call_command("export_drafts", benchmark="autonomy", out=tmp_path / name, stdout=StringIO())

    rows = {row["id"]: row for row in json.loads((tmp_path / "drafts.json").read_text())}
    told = [(rows[d.pk]["state"], rows[d.pk]["reason"], rows[d.pk]["decided_by"]) for d in drafts]
    assert told == [("kept", "", str(editor)), ("revised", "", str(editor)), ("removed", "not realistic", str(editor))]
    assert rows[revised.pk]["difference"] == f"-title: {revised.written['title']}\n+title: =Another title"
    assert rows[kept.pk]["model"] == "drafter"
    assert [rows[v.pk]["reason"] for v in removed.variants.all()] == ["its base was removed: not realistic"] * 2
    with (tmp_path / "drafts.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(rows) == 18


def test_unusable_words_and_late_decisions_are_refused(drafts: list[GeneratedDraft], editor: Any) -> None:
    base = drafts[0]
    for content, says in (
        ({"persona": " "}, 'This cannot be kept: scenario 1: "persona" says nothing.'),
        ({"anchors": [{"turn": 51, "objective": "x"}]}, "This cannot be kept: the turn of scenario 1: anchor 1 must"),
        ({"nonsense": 1}, "A draft of this kind has no nonsense."),
    ):
        with pytest.raises(DomainError) as refused:
            revise(base, content, actor=editor)
        assert str(refused.value).startswith(says)
    with pytest.raises(DomainError, match="Say in a few words why it is removed"):
        remove(base, reason=" ", actor=editor)
    with pytest.raises(DomainError, match="Choose another draft of the same kind"):
        merge(base, base, actor=editor)
    _keep_all(base, editor)
    take_over(Benchmark.objects.get(), actor=editor)
    with pytest.raises(DomainError, match="taken over already: it is autonomy/a01 v1 scenario 1"):
        remove(base, reason="late", actor=editor)


def test_decision_is_taken_back_with_its_words(drafts: list[GeneratedDraft], editor: Any) -> None:
    base = drafts[0]
    revise(base, {"persona": "She is 16."}, actor=editor)
    base.refresh_from_db()
    assert base.flags == ["persona: “is 16” (age)", "persona: “She” (a pronoun)"]

    reopen(base, actor=editor)

    base.refresh_from_db()
    assert (base.state, base.content, base.decided_by) == ("proposed", base.written, None)
