"""What the models' numbers are under a reader's own weights: two numbers a model, one a kind, never one.

A number is the weighted mean of the rates of the places that count, (w1 r1 + w2 r2 + ...) / (w1 + w2 + ...); its
range holds the same mean in the middle 95 in 100 of the release's own draws (`evaluation.selectors.release_draws`,
`evaluation.statistics.weighting`), so one place alone gives exactly its published number and bootstrap
interval. Who can be told apart is decided as in a release: paired differences, Holm's correction over all pairs shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import LanguageModel, Release, Result
from evaluation.selectors.release_draws import ReleaseDraws
from evaluation.statistics.weighting import Floats, Weighted, mixed_draws, told_apart, weighted_rates
from labels import bands
from labels.concerns import WEIGHTS, Concern
from labels.differences import lacking
from labels.wording import KINDS, Kind, hundred

Results = Mapping[tuple[str, str, str, int], Result]


@dataclass(frozen=True)
class Beside:
    """How a model stands beside the others: told to be higher or lower than so many, or neither.

    `low` and `high` are its lowest and highest number under the reader's weights and those one step away.
    """

    n_higher: int
    n_lower: int
    n_level: int
    low: float
    high: float

    @property
    def near(self) -> str:
        """'71-76', with a dash between numbers."""
        low, high = hundred(self.low), hundred(self.high)
        return low if low == high else f"{low}–{high}"

    @property
    def words(self) -> str:
        """'Higher than 9, lower than 0, can't tell from 6'; nothing for a model alone."""
        if not self.n_higher + self.n_lower + self.n_level:
            return ""
        words = {"higher": self.n_higher, "lower": self.n_lower, "level": self.n_level}
        return _("Higher than %(higher)s, lower than %(lower)s, can’t tell from %(level)s") % words


@dataclass(frozen=True)
class WeighedRow:
    """One model's number of one kind; `why` says what is missing where it has none. A rate as charts draw it."""

    model: LanguageModel
    polarity: str
    weighted: Weighted
    n_judged: int
    n_metrics: int
    beside: Beside | None = None
    why: str = ""
    # The thick part of the line: not computed here.
    ci50_low: float | None = None
    ci50_high: float | None = None

    @property
    def pass_rate(self) -> float | None:
        return self.weighted.value

    @property
    def ci_low(self) -> float | None:
        return self.weighted.low

    @property
    def ci_high(self) -> float | None:
        return self.weighted.high

    @property
    def text(self) -> str:
        """The whole number of 100, or a dash."""
        return hundred(self.pass_rate)

    @property
    def range(self) -> str:
        return bands.range_in_100(self.ci_low, self.ci_high) or _("no range")

    @property
    def places(self) -> str:
        """'2–5': where it stood among the models shown in 95 of 100 repeats."""
        low, high = self.weighted.rank_low, self.weighted.rank_high
        if low is None or high is None:
            return ""
        return str(low) if low == high else f"{low}–{high}"


@dataclass(frozen=True)
class WeighedBlock:
    """One kind: what counts in it, what has no metric of it, the models by name, and how firm their order is."""

    kind: Kind
    concerns: list[Concern]
    without: list[str]
    rows: list[WeighedRow]
    n_metrics: int
    stability: str


def weigh(
    release: Release, models: Sequence[LanguageModel], concerns: Sequence[Concern], *, profile: str
) -> list[WeighedBlock]:
    """Both kinds under the reader's weights; models stand in the order given. A fixed number of queries."""
    found = Result.objects.filter(
        release=release,
        profile=profile,
        group__in=[Result.Group.AREA, Result.Group.SUBAREA],
        key__in=[concern.place.slug for concern in concerns],
        model__in=models,
    )
    results = {(one.polarity, one.group, one.key, one.model_id or 0): one for one in found}
    return [_block(kind, release, models, concerns, results, profile) for kind in KINDS.values()]


def _block(
    kind: Kind,
    release: Release,
    models: Sequence[LanguageModel],
    concerns: Sequence[Concern],
    results: Results,
    profile: str,
) -> WeighedBlock:
    counting = [concern for concern in concerns if concern.place.n.get(kind.polarity)]
    without = [concern.place.name for concern in concerns if concern not in counting]
    if not counting:
        return WeighedBlock(kind, [], without, [], 0, "")
    draws = ReleaseDraws(release, models, polarity=kind.polarity, profile=profile)
    metrics = sorted({metric for concern in counting for metric in concern.place.metrics})
    judged = draws.judged(metrics)
    why = [_why(model, kind.polarity, counting, results) for model in models]
    rates, drawn = {}, {}
    for concern in counting:
        of_place = draws.over(concern.place.metrics)
        pairs = zip(of_place.rates, why, strict=True)
        rates[concern.place.slug] = [None if missing else rate for rate, missing in pairs]
        drawn[concern.place.slug] = of_place.draws
    weights = {concern.place.slug: float(concern.weight) for concern in counting}
    weighted = weighted_rates(rates, weights, drawn)
    shown = [place for place, one in enumerate(weighted) if one.value is not None]
    apart = _told_apart(mixed_draws(weights, drawn)[shown], judged[:, shown] > 0)
    near = _near(rates, weights, shown)
    rows = [
        WeighedRow(
            model=model,
            polarity=kind.polarity,
            weighted=weighted[place],
            n_judged=int(judged[:, place].sum()),
            n_metrics=int((judged[:, place] > 0).sum()),
            why=why[place],
            beside=_beside(shown.index(place), apart, near) if place in shown else None,
        )
        for place, model in enumerate(models)
    ]
    return WeighedBlock(kind, counting, without, rows, len(judged), _stability(apart, near))


def _why(model: LanguageModel, polarity: str, concerns: Sequence[Concern], results: Results) -> str:
    """What the model lacks in a place that counts; leaving the place out for it alone would compare other things."""
    for concern in concerns:
        found = results.get((polarity, concern.group, concern.place.slug, model.pk))
        if missing := lacking(found):
            return _("%(place)s: %(why)s") % {"place": concern.place.name, "why": missing}
    return ""


def _told_apart(mixed: Floats, was_judged: np.ndarray) -> dict[tuple[int, int], bool | None]:
    """Who is told to be higher; nobody where too few metrics are shared or two models had other metrics judged."""
    n_shared = int(was_judged.all(axis=1).sum()) if was_judged.size else 0
    apart = told_apart(mixed, n_metrics=n_shared)
    return {
        (i, j): is_higher
        if n_shared >= bands.SHARED_METRICS_FLOOR and bool((was_judged[:, i] == was_judged[:, j]).all())
        else None
        for (i, j), is_higher in apart.items()
    }


def _near(rates: Mapping[str, Sequence[float | None]], weights: Mapping[str, float], shown: Sequence[int]) -> Floats:
    """The numbers of the shown models under the weights themselves and under each weight one step up or down."""
    known = {slug: np.array([rates[slug][place] or 0.0 for place in shown]) for slug in weights}
    moved = [
        {**weights, slug: weight + step}
        for slug, weight in weights.items()
        for step in (-1, 1)
        if 0 <= weight + step <= max(WEIGHTS)
    ]
    ways = [way for way in (weights, *moved) if sum(way.values())]
    numbers = [sum(known[slug] * weight for slug, weight in way.items()) / sum(way.values()) for way in ways]
    return np.array(numbers)


def _beside(at: int, apart: Mapping[tuple[int, int], bool | None], near: Floats) -> Beside:
    said = [is_higher if at == i else (None if is_higher is None else not is_higher)
            for (i, j), is_higher in apart.items() if at in (i, j)]  # fmt: skip
    return Beside(said.count(True), said.count(False), said.count(None), near[:, at].min(), near[:, at].max())


def _stability(apart: Mapping[tuple[int, int], bool | None], near: Floats) -> str:
    """How firm the order of those told apart is when one weight moves by one step."""
    decided = [(i, j) if is_higher else (j, i) for (i, j), is_higher in apart.items() if is_higher is not None]
    n_ways = len(near) - 1
    if not decided:
        return _("No two models can be told apart under these weights.") if apart else ""
    told = ngettext(
        "%(n)s pair of models can be told apart.", "%(n)s pairs of models can be told apart.", len(decided)
    ) % {"n": len(decided)}
    if not n_ways:
        return told
    n_firm = sum(bool((near[1:, high] > near[1:, low]).all()) for high, low in decided)
    moved = ngettext(
        "We then moved one weight by one step, in %(ways)s way: the same model stayed higher in %(firm)s of %(n)s.",
        "We then moved one weight by one step, in %(ways)s ways: the same model stayed higher in %(firm)s of %(n)s.",
        n_ways,
    )
    return f"{told} {moved % {'ways': n_ways, 'firm': n_firm, 'n': len(decided)}}"
