"""The numbers of a study's plan, one class a kind, and their way to JSON and back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from evaluation.studies import kinds

MOST = 100_000
# What a number may be where that is less.
_MOST = {"raters": 1_000, "raters_per_item": 1_000, "overlap": 1_000, "repeats": 100}
SWITCHES = ("anchors", "adversarial_guidance", "typing_edits")


@dataclass(frozen=True)
class ByPeople:
    """What all plans with raters share.

    Each item (in the expert review: each metric) is rated by `raters_per_item` raters; `overlap` gives to as many
    items as it is long another number, so that agreement between raters can be measured on them.
    """

    raters: int = 10
    raters_per_item: int = 1
    overlap: tuple[int, ...] = ()
    profiles: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScenarioReview(ByPeople):
    """`scenarios_per_metric` scenarios of each of `n_metrics` metrics."""

    n_metrics: int = 85
    scenarios_per_metric: int = 1


@dataclass(frozen=True)
class SimulationReview(ByPeople):
    """`n_conversations` conversations, of as many metrics as there are, spread over the models."""

    n_conversations: int = 86


@dataclass(frozen=True)
class JudgmentReview(ByPeople):
    """`n_judgments` judgments of conversations, of as many metrics as there are, spread over the models."""

    n_judgments: int = 87


@dataclass(frozen=True)
class ExpertReview(ByPeople):
    """`n_metrics` metrics of `n_benchmarks` benchmarks (0: of any); of each, scenarios times masked targets."""

    raters: int = 19
    n_metrics: int = 18
    n_benchmarks: int = 0
    scenarios_per_metric: int = 3
    targets_per_scenario: int = 3


@dataclass(frozen=True)
class SimulatorSelection(ByPeople):
    """`n_scenarios` scenarios, each played by `n_simulators` simulators; all raters rate all conversations."""

    raters: int = 5
    raters_per_item: int = 5
    n_scenarios: int = 10
    n_simulators: int = 6


@dataclass(frozen=True)
class JudgeRepeatability:
    """`repeats` readings of each conversation; 0 benchmarks or targets stand for all, and all profiles are kept."""

    n_benchmarks: int = 6
    metrics_per_polarity: int = 1
    bases_per_metric: int = 1
    n_targets: int = 0
    repeats: int = 3


@dataclass(frozen=True)
class JudgeComparison:
    """`judges` (slugs; none: to be chosen) read the conversations that are drawn as for the repeatability."""

    judges: tuple[str, ...] = ()
    n_benchmarks: int = 6
    metrics_per_polarity: int = 1
    bases_per_metric: int = 1
    n_targets: int = 0
    repeats: int = 1


@dataclass(frozen=True)
class SimulatorAblation:
    """`n_scenarios` scenarios of `n_metrics` metrics with `n_targets` targets, `repeats` times in each condition."""

    switches: tuple[str, ...] = SWITCHES
    n_metrics: int = 12
    n_scenarios: int = 48
    n_targets: int = 3
    repeats: int = 3


@dataclass(frozen=True)
class RepeatSimulations:
    """`n_scenarios` scenarios of `n_metrics` metrics with `n_targets` targets, each simulated `repeats` times."""

    n_metrics: int = 12
    n_scenarios: int = 48
    n_targets: int = 3
    repeats: int = 3


Design = (
    ScenarioReview
    | SimulationReview
    | JudgmentReview
    | ExpertReview
    | SimulatorSelection
    | JudgeRepeatability
    | JudgeComparison
    | SimulatorAblation
    | RepeatSimulations
)
DESIGNS: Mapping[str, type[Design]] = {
    kinds.SCENARIO_REVIEW: ScenarioReview,
    kinds.SIMULATION_REVIEW: SimulationReview,
    kinds.JUDGMENT_REVIEW: JudgmentReview,
    kinds.EXPERT_REVIEW: ExpertReview,
    kinds.SIMULATOR_SELECTION: SimulatorSelection,
    kinds.JUDGE_REPEATABILITY: JudgeRepeatability,
    kinds.JUDGE_COMPARISON: JudgeComparison,
    kinds.SIMULATOR_ABLATION: SimulatorAblation,
    kinds.REPEAT_SIMULATIONS: RepeatSimulations,
}
# The least value of a field where it is not 1; 0 means "all" or "any".
_LEAST = {"n_benchmarks": 0, "n_targets": 0}
_LEAST_OF_KIND = {
    (kinds.JUDGE_REPEATABILITY, "repeats"): 2,
    (kinds.SIMULATOR_ABLATION, "n_targets"): 1,
    (kinds.REPEAT_SIMULATIONS, "repeats"): 2,
    (kinds.REPEAT_SIMULATIONS, "n_targets"): 1,
    (kinds.SIMULATOR_SELECTION, "n_simulators"): 2,
}


def design_of(kind: str, data: Mapping[str, object]) -> Design:
    """The design of that kind; what `data` does not name keeps its default.

    Raises ValueError with a message that names the kind or the field and says what it should be.
    """
    if kind not in DESIGNS:
        raise ValueError(f"kind: {kind!r} is none of {', '.join(DESIGNS)}")
    wanted = DESIGNS[kind]
    defaults = {field.name: field.default for field in fields(wanted)}
    strangers = sorted(set(data) - set(defaults))
    if strangers:
        raise ValueError(f"{strangers[0]}: a {kind} has no such number")
    values: dict[str, Any] = {name: _value(kind, name, data[name], defaults[name]) for name in defaults if name in data}
    design = wanted(**values)
    _check_raters(design)
    return design


def as_data(design: Design) -> dict[str, object]:
    """The design as JSON can hold it; `design_of` reads it back."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(design).items()}


def _value(kind: str, name: str, given: object, default: object) -> object:
    if not isinstance(default, tuple):
        return _number(name, given, _LEAST_OF_KIND.get((kind, name), _LEAST.get(name, 1)))
    if not isinstance(given, list | tuple):
        raise ValueError(f"{name}: give a list")
    if name == "overlap":
        return tuple(_number(name, value, 1) for value in given)
    if not all(isinstance(value, str) and value for value in given):
        raise ValueError(f"{name}: give a list of names")
    if name == "switches" and (not given or not set(given) <= set(SWITCHES)):
        raise ValueError(f"switches: choose from {', '.join(SWITCHES)}")
    return tuple(dict.fromkeys(str(value) for value in given))


def _number(name: str, given: object, least: int) -> int:
    most = _MOST.get(name, MOST)
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f"{name}: give a whole number from {least} to {most:,}")
    return given


def _check_raters(design: Design) -> None:
    if not isinstance(design, ByPeople):
        return
    if design.raters_per_item > design.raters:
        raise ValueError(f"raters_per_item: there are only {design.raters} raters")
    if max(design.overlap, default=0) > design.raters:
        raise ValueError(f"overlap: there are only {design.raters} raters")
