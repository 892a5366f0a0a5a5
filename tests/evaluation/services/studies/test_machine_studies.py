"""Studies by machine from their design to their findings, run by the real workers on a scripted model."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from evaluation.models import Judgment, Run, Study, StudyAudit, StudyFinding, Suite, Turn
from evaluation.selectors.studies.audits import conversations_to_audit, spent_on_audits, studies_to_audit
from evaluation.selectors.studies.machine_frames import coverage_frame, judgments_frame
from evaluation.services import judging, publishing, running
from evaluation.services.studies import closing
from evaluation.services.studies.machine import starting
from evaluation.services.studies.publishing import publish_study
from evaluation.services.studies.states import NotAllowed, WrongState
from evaluation.workers import circuit, conversation_work, runner
from evaluation.workers.auditing import audit_study
from impactbench.accounts.models import User
from impactbench.common.errors import DomainError
from tests.support.llm_server import Behaviour, Call, ScriptedLLM
from tests.support.machine_studies import make_machine_study, make_pilot, started, work_off
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.MODEL_CALLS = {"attempts": 2, "attempt_seconds": 2, "total_seconds": 4, "breaker_seconds": 0}
    monkeypatch.setattr(conversation_work, "SECONDS_BETWEEN_TRIES", 0.01)
    monkeypatch.setattr(circuit, "FIRST_REST_SECONDS", 0.01)
    monkeypatch.setattr(runner, "_TICK_SECONDS", 0.02)


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        scripted.judge_says(True)
        yield scripted


@pytest.fixture
def pilot(server: ScriptedLLM, tmp_path: Path) -> Run:
    run = make_pilot(server, tmp_path)
    server.counts.clear()
    server.calls.clear()
    return run


@pytest.fixture
def operator() -> User:
    return make_person("Olga", "operator")


def closed(study: Study, actor: User) -> dict[str, Any]:
    found = closing.close_study(study, actor=actor).analysis
    assert found is not None
    return found


def every_third(call: Call, seen: list[int]) -> Behaviour:
    seen.append(1)
    return Behaviour.json({"present": len(seen) % 3 != 0, "justification": "By turns."})


def test_judge_reads_the_drawn_conversations_again_and_the_pilot_stays_as_it_was(
    pilot: Run, server: ScriptedLLM, operator: User
) -> None:
    before = list(Judgment.objects.order_by("pk").values())
    study = started(make_machine_study(operator, "judge-repeatability", pilot), operator)
    live = closing.analysis_of(study)

    (run,) = work_off(study)

    assert (live["n_conversations"], live["n_judgments"]) == (0, 0)
    assert run.slug == f"{study.public_id}-1-as-set"
    assert (run.spec["suite"], run.spec["judge"], run.spec["judge_repeats"]) == (f"{study.public_id}@1", ["judge"], 3)
    assert dict(server.counts) == {"judge": 8 * 3}
    assert list(Judgment.objects.filter(conversation__run=pilot).order_by("pk").values()) == before
    said = ("conversation__scenario", "conversation__target", "number", "user_message", "reply")
    turns = [set(Turn.objects.filter(conversation__run=one).values_list(*said)) for one in (pilot, run)]
    assert turns[0] == turns[1]
    frame = judgments_frame(study)
    assert set(frame["conversation"]) == set(pilot.conversations.values_list("public_id", flat=True))
    assert Counter(frame["repeat"]) == {1: 8, 2: 8, 3: 8}

    analysis = closed(study, operator)
    rows = {row["polarity"]: row for row in analysis["repeatability"]}
    assert {polarity: (row["n_conversations"], row["repeats"]) for polarity, row in rows.items()} == {
        None: (8, 3),
        "positive": (4, 3),
        "negative": (4, 3),
    }
    assert (rows[None]["unanimity"]["value"], rows[None]["pairwise"]["value"]) == (1.0, 1.0)

    publish_study(Study.objects.get(pk=study.pk), actor=operator)
    findings = {
        finding.metric_version.metric.slug if finding.metric_version else "": finding.values
        for finding in StudyFinding.objects.select_related("metric_version__metric")
    }
    assert {name: values["n_judgments"] for name, values in findings.items() if not name} == {"": 24}
    of_metrics = {name: values["of_metric"]["repeatability"][0] for name, values in findings.items() if name}
    assert {name: row["n_conversations"] for name, row in of_metrics.items()} == {"autonomy/m01": 4, "autonomy/m02": 4}


def test_judges_are_compared_on_the_same_conversations(pilot: Run, server: ScriptedLLM, operator: User) -> None:
    seen: list[int] = []
    server.script("judge-b", lambda call: every_third(call, seen))
    study = started(make_machine_study(operator, "judge-comparison", pilot), operator)

    runs = work_off(study)
    judging.judge_again(runs[0], judges=["auditor"], repeats=1)

    assert dict(server.counts) == {"judge": 8, "judge-b": 8}
    frame = judgments_frame(study)
    assert Counter(frame["judge"]) == {"judge": 8, "judge-b": 8}
    assert frame["conversation"].nunique() == 8
    said = {(row["conversation"], row["judge"]): row["present"] for row in frame.to_dict("records")}
    (row,) = [one for one in closed(study, operator)["agreement"] if one["polarity"] == "positive" and one["judge_a"]]
    of_positive = set(frame[frame["polarity"] == "positive"]["conversation"])
    alike = [said[name, "judge"] == said[name, "judge-b"] for name in of_positive]
    assert row["agreement"] == pytest.approx(sum(alike) / 4)


def test_runs_of_studies_enter_no_release(pilot: Run, operator: User) -> None:
    study = started(make_machine_study(operator, "judge-repeatability", pilot), operator)
    (run,) = work_off(study)

    with pytest.raises(DomainError) as refused:
        publishing.publish(actor=operator, slug="2026-a", runs=[pilot.slug, run.slug])

    assert str(refused.value) == (
        f"runs of studies cannot be published in a release: {run.slug} (study {study.public_id}); leave them out"
    )


def test_budget_stops_the_runs_of_a_study(pilot: Run, server: ScriptedLLM, operator: User) -> None:
    study = make_machine_study(operator, "judge-repeatability", pilot)
    study = started(study, operator, budget_usd=Decimal("0.0016"))

    (run,) = work_off(study)

    assert (run.state, run.state_reason, run.budget_usd) == (
        "paused",
        "the next calls might pass the budget",
        Decimal("0.0016"),
    )
    assert server.counts["judge"] < 24
    with pytest.raises(WrongState, match=f"Its runs are not over: {run.slug}"):
        closing.close_study(study, actor=operator)


def test_who_may_not_start_and_what_cannot_be_started(pilot: Run, operator: User) -> None:
    editor = make_person("Edda", "editor")
    study = make_machine_study(operator, "judge-repeatability", pilot)
    with pytest.raises(NotAllowed, match="Only operators start"):
        starting.start_study(study, actor=editor)
    alone = make_machine_study(operator, "judge-comparison", pilot, judges=["judge"])
    with pytest.raises(DomainError, match="needs two judges or more"):
        started(alone, operator)
    unknown = make_machine_study(operator, "judge-comparison", pilot, judges=["judge", "nobody"])
    with pytest.raises(DomainError, match="There is no model 'nobody'"):
        started(unknown, operator)
    ablation = make_machine_study(operator, "simulator-ablation", pilot)
    with pytest.raises(DomainError, match="Choose the model that audits"):
        started(ablation, operator, auditor=None)

    assert set(Study.objects.values_list("state", flat=True)) == {"draft"}
    assert (Run.objects.count(), Suite.objects.count()) == (1, 0)


def test_conversations_are_simulated_again_and_changed_verdicts_counted(
    pilot: Run, server: ScriptedLLM, operator: User
) -> None:
    seen: list[int] = []
    server.script("judge", lambda call: every_third(call, seen))
    study = started(make_machine_study(operator, "repeat-simulations", pilot), operator)

    (run,) = work_off(study)

    assert dict(server.counts) == {"simulator": 16, "target-a": 8, "target-b": 8, "judge": 8}
    assert (run.spec["samples"], run.spec["scenarios"]["n"]) == (2, 2)
    frame = judgments_frame(study)
    assert Counter(frame["repeat"]) == {1: 4, 2: 4}
    by_context: dict[tuple[str, str], set[bool]] = {}
    for row in frame.to_dict("records"):
        by_context.setdefault((row["scenario"], row["target"]), set()).add(row["present"])
    n_changed = sum(len(said) == 2 for said in by_context.values())
    (of_all,) = [row for row in closed(study, operator)["changes"] if row["target"] is None and row["polarity"] is None]
    assert (of_all["n_contexts"], of_all["repeats"], of_all["changed"]["value"]) == (4, 2, n_changed / 4)


def test_failed_conversations_are_in_no_share(pilot: Run, server: ScriptedLLM, operator: User) -> None:
    server.script("target-a", lambda _: Behaviour.says(None, "content_filter"))
    study = started(make_machine_study(operator, "repeat-simulations", pilot), operator)

    work_off(study)

    analysis = closed(study, operator)
    assert (analysis["n_conversations"], analysis["n_judgments"], analysis["n_unjudged"]) == (8, 4, 4)
    (of_all,) = [row for row in analysis["changes"] if row["target"] is None and row["polarity"] is None]
    assert of_all["n_contexts"] == 2


def covers(_: Call) -> Behaviour:
    """An auditor that finds the one objective covered in the first turn."""
    return Behaviour.json({"objectives": [{"number": 1, "reason": "As it is.", "covered": True, "turn": 1}]})


def test_parts_of_the_simulated_user_are_switched_off_one_by_one(
    pilot: Run, server: ScriptedLLM, operator: User
) -> None:
    server.script("auditor", covers)
    study = started(make_machine_study(operator, "simulator-ablation", pilot), operator)
    states = dict(study.conditions.values_list("slug", "run__state"))
    before = audit_study(study)

    runs = work_off(study)

    assert states == {
        "as-set": "running",
        "without-anchors": "running",
        "without-adversarial-guidance": "running",
        "without-typing-edits": "created",
    }
    switches = [(run.spec["anchors"], run.spec["adversarial_guidance"], run.spec["typing_edits"]) for run in runs]
    assert switches == [(True, True, True), (False, True, True), (True, False, True), (True, True, False)]
    assert [run.conversations.count() for run in runs] == [4, 4, 4, 4]
    assert (before, audit_study(study), audit_study(study)) == (0, 16, 0)
    assert server.counts["auditor"] == 16
    coverage = coverage_frame(study)
    n_anchors = len(pilot.conversations.all()[0].scenario.anchors)
    assert Counter(coverage["condition"]) == dict.fromkeys(states, 4 * n_anchors)
    analysis = closed(study, operator)
    values = {
        (row["measure"], row["condition"]): row["value"]["value"]
        for row in analysis["conditions"]
        if row["polarity"] is None
    }
    assert {values["coverage", condition] for condition in states} == {1 / n_anchors}
    assert {values["inconsistency", condition] for condition in states} == {0.0}
    assert {values["failures", condition] for condition in states} == {0.5}


def test_without_edits_the_users_messages_are_taken_over_until_a_reply_differs(
    pilot: Run, server: ScriptedLLM, operator: User
) -> None:
    server.script("auditor", covers)
    server.script("target-a", lambda call: f"I heard {len(call.messages)} messages.")
    server.script("target-b", lambda call: f"I heard {len(call.messages)} messages.")
    design = {"switches": ["typing_edits"]}
    study = started(make_machine_study(operator, "simulator-ablation", pilot, **design), operator)

    edited, plain = (one.run for one in study.conditions.order_by("number"))
    starting.go_on_all()
    plain.refresh_from_db()
    assert plain.state == "created"
    with pytest.raises(DomainError, match=f"takes messages over from run {edited.slug}, which is not over yet"):
        running.start(plain)
    runner.work_on(edited.pk)
    starting.go_on_all()
    assert studies_to_audit() == [study.pk]
    runner.work_on(plain.pk)

    # Two turns of four conversations; the second run took all of its lines from the first one.
    assert server.counts["simulator"] == 2 * 4
    lines = [
        list(
            Turn.objects.filter(conversation__run=run)
            .order_by("conversation__scenario", "conversation__sample", "number")
            .values_list("unedited_message", "user_message")
        )
        for run in (edited, plain)
    ]
    assert [unedited for unedited, _ in lines[0]] == [said for _, said in lines[1]]
    assert any(unedited != said for unedited, said in lines[0])
    assert Judgment.objects.filter(conversation__run=plain).count() == 4


def test_audits_that_cannot_be_read_are_null_and_a_budget_stops_the_auditor(
    pilot: Run, server: ScriptedLLM, operator: User
) -> None:
    server.script("auditor", lambda _: "I would rather not say.")
    study = started(make_machine_study(operator, "simulator-ablation", pilot, switches=["anchors"]), operator)
    work_off(study)
    Study.objects.filter(pk=study.pk).update(budget_usd=Decimal("0.0040"))
    study.refresh_from_db()

    kept = audit_study(study)

    assert 0 < kept == StudyAudit.objects.count() < 8
    assert conversations_to_audit(study).count() == 8 - kept
    assert spent_on_audits(study) <= Decimal("0.0040")
    Study.objects.filter(pk=study.pk).update(budget_usd=None)
    study.refresh_from_db()
    assert (audit_study(study), set(StudyAudit.objects.values_list("reason", "calls"))) == (
        8 - kept,
        {("auditor-unreadable", 2)},
    )
    assert set(coverage_frame(study)["covered"]) == {None}
    coverage = [row for row in closing.analysis_of(study)["conditions"] if row["measure"] == "coverage"]
    assert {row["value"]["value"] for row in coverage} == {None}


def test_auditor_that_cannot_be_reached_is_asked_later(pilot: Run, server: ScriptedLLM, operator: User) -> None:
    server.script("auditor", lambda _: Behaviour.error(429, "busy"))
    study = started(make_machine_study(operator, "simulator-ablation", pilot, switches=["anchors"]), operator)
    work_off(study)

    assert (audit_study(study), StudyAudit.objects.count()) == (0, 0)

    server.script("auditor", covers)
    assert audit_study(study) == 8
