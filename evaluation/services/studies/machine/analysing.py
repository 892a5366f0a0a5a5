"""The analysis of a study by machine, from its runs as they are now."""

from __future__ import annotations

from typing import Any

import pandas as pd

from evaluation.models import Study
from evaluation.selectors.studies.machine_frames import coverage_frame, judgments_frame
from evaluation.studies.designs import Design, design_of
from evaluation.studies.kinds import JUDGE_REPEATABILITY, REPEAT_SIMULATIONS, SIMULATOR_ABLATION
from evaluation.studies.machine import analyse_machine

# Of which kinds single metrics have numbers of their own, and which part of the analysis these are.
OF_METRICS = {JUDGE_REPEATABILITY: "repeatability", REPEAT_SIMULATIONS: "changes"}
BY_METRIC = "by_metric"


def machine_analysis(study: Study) -> dict[str, Any]:
    """All numbers as JSON, with those of single metrics under `by_metric`, {slug: {part: rows}}."""
    design = design_of(study.kind, study.design)
    judgments = judgments_frame(study)
    coverage = coverage_frame(study) if study.kind == SIMULATOR_ABLATION else None
    found = analyse_machine(study.kind, design, judgments, coverage).as_data()
    return {**found, BY_METRIC: _by_metric(study.kind, design, judgments)}


def _by_metric(kind: str, design: Design, judgments: pd.DataFrame) -> dict[str, Any]:
    part = OF_METRICS.get(kind)
    if part is None:
        return {}
    return {
        str(metric): {part: analyse_machine(kind, design, of).as_data()[part]}
        for metric, of in judgments.groupby("metric", sort=True)
    }
