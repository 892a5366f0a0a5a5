"""How much to measure: where the variance comes from, and how many metrics, scenarios or labels a wish takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import pandas as pd

from evaluation.statistics.intervals import Z_95

# The 0.8 quantile of the standard normal distribution: the power with which a difference is to be seen.
Z_POWER_80 = 0.8416212335729143
# From the outermost to the innermost: each lies within the one before.
LEVELS = ("metric", "scenario", "profile", "sample", "repeat")


@dataclass(frozen=True)
class Components:
    """The variance that each level adds, in squared pass rate; None where no unit has two parts to compare.

    An unknown component is not zero: it is contained in the level above it.
    """

    metric: float | None
    scenario: float | None
    profile: float | None
    sample: float | None
    repeat: float | None


@dataclass(frozen=True)
class Design:
    """How many metrics, scenarios a metric, profiles a scenario, samples a profile, and judge repeats a sample."""

    metrics: int
    scenarios: int = 3
    profiles: int = 2
    samples: int = 1
    repeats: int = 1


def variance_components(outcomes: pd.DataFrame) -> Components:
    """Estimate the variance of pass (1) or fail (0) that each level adds, by the method of unweighted means.

    `outcomes` has the columns metric, scenario, profile, sample, repeat and passed, one row a judged outcome of one
    model; levels are nested in that order. In a unit with k >= 2 parts the variance of the parts' means estimates
    the component of the part's level plus the mean sampling variance of those means, which the levels below have
    already given; the differences are averaged with weights k - 1 and held at 0 or above (S. R. Searle, G. Casella
    and C. E. McCulloch, Variance Components, 1992, chapter 4: unweighted means for unbalanced nested data).
    """
    nodes = outcomes.groupby(list(LEVELS), sort=True)["passed"].mean().astype(float).to_frame("mean")
    nodes["noise"] = 0.0
    found: dict[str, float | None] = {}
    for depth in range(len(LEVELS) - 1, -1, -1):
        parent = list(LEVELS[:depth])
        nodes, found[LEVELS[depth]] = _one_level_up(nodes, parent)
    return Components(**found)


def standard_error(components: Components, design: Design) -> float:
    """The standard error of one model's pass rate in a design; unknown components add nothing of their own."""
    return sqrt(_variance_of_a_metric(components, design) / design.metrics)


def half_width(components: Components, design: Design) -> float:
    """Half the width of the 95 % interval of one model's pass rate in a design."""
    return Z_95 * standard_error(components, design)


def metrics_for(components: Components, design: Design, *, half_width: float) -> int:
    """The number of metrics that makes the 95 % interval of a pass rate that narrow, all else as in the design."""
    _check_wish(half_width)
    return max(2, ceil(_variance_of_a_metric(components, design) * (Z_95 / half_width) ** 2))


def scenarios_for(components: Components, design: Design, *, half_width: float) -> int | None:
    """The number of scenarios a metric for that width; None when no number of scenarios reaches it."""
    _check_wish(half_width)
    wanted = design.metrics * (half_width / Z_95) ** 2 - (components.metric or 0.0)
    below = _variance_of_a_metric(components, _with_one_scenario(design)) - (components.metric or 0.0)
    if wanted <= 0:
        return None
    return max(1, ceil(below / wanted))


def smallest_difference(components: Components, design: Design, *, correlation: float) -> float:
    """The smallest true difference of two models seen with 80 % power at the 5 % level, on the same metrics.

    `correlation` is that of the two models' rates over metrics; pairing takes its share of the variance away.
    """
    if not -1.0 <= correlation <= 1.0:
        raise ValueError(f"a correlation lies between -1 and 1, not at {correlation}")
    variance = 2.0 * standard_error(components, design) ** 2 * (1.0 - correlation)
    return (Z_95 + Z_POWER_80) * sqrt(variance)


def labels_for(labels: Sequence[bool], judged: Sequence[bool], *, half_width: float, power: float = 1.0) -> int:
    """How many expert labels bring the prediction-powered 95 % interval to that width, from a pilot's labels.

    Counts the variance of the labels that the judge does not explain, var(Y - power f), as in
    `judge_error.prediction_powered_rate` with many more judged conversations than labels.
    """
    _check_wish(half_width)
    if len(labels) != len(judged) or len(labels) < 2:
        raise ValueError("a pilot has at least two labels and a verdict for each")
    left = pd.Series([float(y) - power * float(f) for y, f in zip(labels, judged, strict=True)]).var(ddof=1)
    return max(2, ceil(float(left) * (Z_95 / half_width) ** 2))


def _one_level_up(nodes: pd.DataFrame, parent: list[str]) -> tuple[pd.DataFrame, float | None]:
    grouped = nodes.groupby(parent, sort=True) if parent else nodes.groupby(lambda _: 0)
    size, mean = grouped["mean"].size(), grouped["mean"].mean()
    spread, noise = grouped["mean"].var(ddof=1), grouped["noise"].mean()
    several = size >= 2
    component: float | None = None
    if several.any():
        weights = (size - 1)[several]
        component = max(0.0, float(((spread - noise)[several] * weights).sum() / weights.sum()))
    above = ((component or 0.0) + noise) / size
    # One part says nothing about its level, so its unit's noise is unknown; the level above takes it in.
    return pd.DataFrame({"mean": mean, "noise": above.where(several, noise)}), component


def _variance_of_a_metric(components: Components, design: Design) -> float:
    units = 1
    total = components.metric or 0.0
    for level, parts in (
        (components.scenario, design.scenarios),
        (components.profile, design.profiles),
        (components.sample, design.samples),
        (components.repeat, design.repeats),
    ):
        units *= parts
        total += (level or 0.0) / units
    return total


def _with_one_scenario(design: Design) -> Design:
    return Design(design.metrics, 1, design.profiles, design.samples, design.repeats)


def _check_wish(half_width: float) -> None:
    if not 0 < half_width < 1:
        raise ValueError(f"half a width lies between 0 and 1, not at {half_width}")
