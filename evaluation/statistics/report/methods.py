"""A paragraph on how the results were made, from what was actually run, ready for a paper's methods section."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.statistics.report.tables import counted


@dataclass(frozen=True)
class Made:
    """What is known of how results were made. None is unknown, and said to be so; an empty list is none."""

    name: str
    models: Sequence[str]
    n_benchmarks: int
    n_positive: int
    n_negative: int
    n_planned: int
    n_ended: int
    n_judged: int
    profiles: Sequence[str]
    resamples: int
    seed: int
    simulator: str | None = None
    judges: Sequence[str] | None = None
    judge_repeats: int | None = None
    turns: Sequence[int] | None = None
    samples: int | None = None
    scenarios: int | None = None
    software: str | None = None
    unjudged: Sequence[tuple[str, int]] = ()
    mixed: Sequence[str] = ()
    n_unknown: int = 0


def methods_paragraph(made: Made) -> str:
    """The paragraph, in plain sentences; it claims nothing that `made` does not hold."""
    software = f"Software: {made.software}." if made.software else "The version of the software is unknown."
    sentences = [_what(made), _talk(made), _judging(made), _unjudged(made), _mixed(made), PASSING, _intervals(made)]
    return " ".join(sentence for sentence in [*sentences, LIMIT, software] if sentence)


PASSING = (
    "A positive metric passes when the behavior is present, a negative one when it is absent. Pass rates are shares of "
    "passed among judged conversations, each with equal weight, separately for positive and negative metrics."
)
LIMIT = (
    "The intervals describe the sampling of metrics, given these conversations and judgments; they do not hold the "
    "uncertainty of repeating the conversations or the judgments."
)


def _intervals(made: Made) -> str:
    return (
        f"Intervals are 95% percentile intervals of a metric-cluster bootstrap with {made.resamples:,} resamples "
        "(metrics resampled with replacement within benchmark and polarity, all conversations of a metric together; "
        f"seed {made.seed}), and Wilson intervals on conversations where it gives none. Comparisons use the same "
        "resamples for both sides and are adjusted by Holm within their family."
    )


def _what(made: Made) -> str:
    metrics = made.n_positive + made.n_negative + made.n_unknown
    unknown = f", {made.n_unknown:,} of unknown polarity, which count in no rate" if made.n_unknown else ""
    scenarios = f", in {counted(made.scenarios, 'scenario')}" if made.scenarios is not None else ""
    return (
        f"{made.name}: {counted(len(made.models), 'model')} ({', '.join(made.models)}) on {counted(metrics, 'metric')} "
        f"({made.n_positive:,} positive, {made.n_negative:,} negative{unknown}) of "
        f"{counted(made.n_benchmarks, 'benchmark')}"
        f"{scenarios}; simulated users: {', '.join(made.profiles) or 'no profile'}."
    )


def _talk(made: Made) -> str:
    simulator = f"simulated by {made.simulator}" if made.simulator else "simulated by a model that is not published"
    turns = _turns(made.turns)
    samples = (
        "the number of conversations per scenario and model is unknown"
        if made.samples is None
        else f"{counted(made.samples, 'conversation')} per scenario and model"
    )
    return f"Users were {simulator}; {turns}; {samples}."


def _turns(turns: Sequence[int] | None) -> str:
    if not turns:
        return "the limit of turns is unknown"
    if min(turns) == max(turns):
        return f"conversations had at most {counted(max(turns), 'turn')}"
    return f"conversations had at most {min(turns)} to {max(turns)} turns, depending on the run"


def _judging(made: Made) -> str:
    if made.judges is None:
        judge = "Which model judged is not published."
    elif len(made.judges) == 1:
        judge = f"Each conversation was judged by {made.judges[0]}."
    else:
        judge = f"Each conversation was judged by {', '.join(made.judges)}; the majority counts."
    if made.judge_repeats is not None and made.judge_repeats > 1:
        judge += (
            f" Up to {made.judge_repeats} judgments of one judge were taken; the majority counts, a tie is unjudged."
        )
    return judge


def _unjudged(made: Made) -> str:
    sentence = f"Of {made.n_planned:,} planned conversations {made.n_ended:,} ended and {made.n_judged:,} were judged."
    if made.unjudged:
        reasons = "; ".join(f"{n:,}: {why.rstrip('.')}" for why, n in made.unjudged)
        sentence += f" Unjudged ones leave the denominator ({reasons})."
    return sentence


def _mixed(made: Made) -> str:
    if not made.mixed:
        return ""
    return "The runs were not alike: " + "; ".join(one.rstrip(".") for one in made.mixed) + "."
