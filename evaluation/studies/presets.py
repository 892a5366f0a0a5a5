"""The paper's own studies as designs to begin with."""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.studies import kinds
from evaluation.studies.designs import (
    Design,
    ExpertReview,
    JudgeComparison,
    JudgeRepeatability,
    JudgmentReview,
    RepeatSimulations,
    ScenarioReview,
    SimulationReview,
    SimulatorAblation,
    SimulatorSelection,
)


@dataclass(frozen=True)
class Preset:
    """A design with the section of the ImpactBench paper that it comes from."""

    kind: str
    title: str
    paper_section: str
    design: Design


PRESETS: Mapping[str, Preset] = {
    # 85 metrics, two of them rated twice: the paper's 87 ratings.
    "scenario-review": Preset(
        kinds.SCENARIO_REVIEW, "Review of scenarios as in the paper", "3.3.3", ScenarioReview(overlap=(2, 2))
    ),
    "simulation-review": Preset(
        kinds.SIMULATION_REVIEW, "Realism and pressure as in the paper", "3.4.4, 3.4.5", SimulationReview()
    ),
    "judgment-review": Preset(kinds.JUDGMENT_REVIEW, "Review of judgments as in the paper", "3.5.4", JudgmentReview()),
    # Four metrics by 4 or 5 raters and 14 by one are 33 metric forms and 33 times 9 ratings, as the paper counts.
    "expert-review": Preset(
        kinds.EXPERT_REVIEW,
        "External expert review as in the paper",
        "4.9",
        ExpertReview(n_benchmarks=11, overlap=(5, 5, 5, 4)),
    ),
    "simulator-selection": Preset(
        kinds.SIMULATOR_SELECTION, "Choice of a simulator as in the paper", "3.4.1", SimulatorSelection()
    ),
    "judge-repeatability": Preset(
        kinds.JUDGE_REPEATABILITY, "Repeated judgments as in the paper", "3.5.3", JudgeRepeatability()
    ),
    # The paper compares no judges; its conversations for the repeatability serve here as well.
    "judge-comparison": Preset(
        kinds.JUDGE_COMPARISON, "Other judges on the paper's sample for repeated judgments", "3.5.3", JudgeComparison()
    ),
    "simulator-ablation": Preset(
        kinds.SIMULATOR_ABLATION, "Parts of the simulated user as in the paper", "3.4.3", SimulatorAblation()
    ),
    "repeat-simulations": Preset(
        kinds.REPEAT_SIMULATIONS, "Repeated conversations as in the paper", "3.4.3", RepeatSimulations()
    ),
}
