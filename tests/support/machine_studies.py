"""Studies by machine of tests: tiny ones on a pilot that a scripted server held, and their runs worked off here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluation.models import LanguageModel, Run, Study
from evaluation.selectors.studies.candidates import Source
from evaluation.services import planning, running
from evaluation.services.studies.designing import Wish, Words, design_study
from evaluation.services.studies.machine.starting import go_on, start_study
from evaluation.studies.designs import design_of
from evaluation.workers.runner import work_on
from impactbench.accounts.models import User
from tests.support.llm_server import ScriptedLLM
from tests.support.plans import PARTS, make_small_benchmark, planned_model, write_plan

FURTHER = ("judge-b", "auditor")
SMALL_MACHINE: dict[str, dict[str, Any]] = {
    "judge-repeatability": {"n_benchmarks": 1, "repeats": 3},
    "judge-comparison": {"n_benchmarks": 1, "judges": ["judge", "judge-b"]},
    "simulator-ablation": {"n_metrics": 2, "n_scenarios": 2, "n_targets": 1, "repeats": 2},
    "repeat-simulations": {"n_metrics": 2, "n_scenarios": 2, "n_targets": 2, "repeats": 2},
}


def make_pilot(server: ScriptedLLM, folder: Path) -> Run:
    """A finished run of 8 conversations of two turns: 2 metrics, 2 profiles, 2 targets."""
    make_small_benchmark()
    models = [planned_model(part, server.url) for part in (*PARTS, *FURTHER)]
    run, _ = planning.freeze(planning.load_plan(write_plan(folder, server.url, models=models)))
    work_on(running.start(run).pk)
    run.refresh_from_db()
    return run


def make_machine_study(manager: User, kind: str, run: Run, **changes: Any) -> Study:
    """A draft of a small study of that kind on the run; `changes` are other numbers of its design."""
    design = design_of(kind, {**SMALL_MACHINE[kind], **changes})
    return design_study(Wish(kind, design, Source((run,)), seed=7), Words("How it runs"), actor=manager)


def started(study: Study, operator: User, **options: Any) -> Study:
    """The study with its runs begun; an ablation is audited by `auditor`."""
    if study.kind == "simulator-ablation":
        options.setdefault("auditor", LanguageModel.objects.get(slug="auditor"))
    return start_study(study, actor=operator, **options)


def work_off(study: Study) -> list[Run]:
    """Its runs, worked off in this process one after the other."""
    while True:
        going = [one.run for one in study.conditions.select_related("run") if one.run.state == Run.State.RUNNING]
        for run in going:
            work_on(run.pk)
        if not go_on(study) and not going:
            return [one.run for one in study.conditions.select_related("run").order_by("number")]
