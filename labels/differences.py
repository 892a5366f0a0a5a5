"""What a release says of the difference of two models or two profiles, in words, and who cannot be told from whom.

Every statement reads the release's frozen comparisons (ImpactBench paper, section 3.6): the interval of the paired
difference over the metrics judged for both sides, after Holm's correction (`distinguishable_adjusted`). Whether the
intervals of the two rates overlap decides nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Comparison, LanguageModel, Release, Result
from evaluation.statistics.comparison import pairs_of, tie_groups
from labels import bands

Kind = Comparison.Kind
MINUS = chr(0x2212)
# (group, key, polarity, profile or model, a, b); a release keeps each pair in one order only.
_Key = tuple[str, str, str | None, object, str, str]


class Said(Enum):
    """The five things that may be said of a pair."""

    HIGHER = "higher"
    LOWER = "lower"
    TIED = "tied"
    NOT_ENOUGH = "not-enough"
    NOT_COMPARED = "not-compared"


@dataclass(frozen=True)
class Difference:
    """What may be said of a - b; the numbers are None where the release has none.

    `why` says what is missing where `said` is NOT_ENOUGH, else it is empty.
    """

    said: Said
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n_metrics: int = 0
    why: str = ""

    @property
    def is_apart(self) -> bool:
        """Whether the two can be told apart."""
        return self.said in (Said.HIGHER, Said.LOWER)

    @property
    def points(self) -> str:
        """'+6 points (unadjusted range +2 to +9), 246 shared metrics'; empty where nothing may be said."""
        if self.value is None or self.said in (Said.NOT_ENOUGH, Said.NOT_COMPARED):
            return ""
        metrics = ngettext("%(n)s shared metric", "%(n)s shared metrics", self.n_metrics) % {"n": f"{self.n_metrics:,}"}
        return _("%(points)s points (unadjusted range %(low)s to %(high)s), %(metrics)s") % {
            "points": signed(self.value), "low": signed(self.low), "high": signed(self.high), "metrics": metrics,
        }  # fmt: skip

    def words(self, a: str, b: str) -> str:
        """The statement about two names: 'A higher than B', 'Can't tell apart', 'Not enough data'."""
        match self.said:
            case Said.HIGHER:
                return _("%(a)s higher than %(b)s") % {"a": a, "b": b}
            case Said.LOWER:
                return _("%(a)s higher than %(b)s") % {"a": b, "b": a}
            case Said.TIED:
                return _("Can’t tell apart")
            case Said.NOT_ENOUGH:
                return _("Not enough data")
            case Said.NOT_COMPARED:
                return _("Not compared in this release")

    def turned(self) -> "Difference":
        """The same seen from the other side: b - a."""
        swapped = {Said.HIGHER: Said.LOWER, Said.LOWER: Said.HIGHER}
        value, low, high = (None if end is None else -end for end in (self.value, self.high, self.low))
        return replace(self, said=swapped.get(self.said, self.said), value=value, low=low, high=high)


def decide(found: Comparison | None, a: Result | None, b: Result | None, *, is_compared: bool = True) -> Difference:
    """What may be said of a pair from its frozen comparison and the results of both sides.

    Nothing is said where a side has fewer than `bands.HOLLOW_BELOW` judged chats, fewer than `bands.METRICS_FLOOR`
    metrics or under 80 % of them (`bands.PARTIAL_BELOW`), where both share fewer than
    `bands.SHARED_METRICS_FLOOR` metrics, or where the difference has no interval: null is not "tied".
    `is_compared` is False for releases and groups without comparisons.
    """
    why = lacking(a) or lacking(b)
    if why:
        return Difference(Said.NOT_ENOUGH, why=why)
    if not is_compared:
        return Difference(Said.NOT_COMPARED)
    if found is None:
        return Difference(Said.NOT_ENOUGH, why=_("no metric judged for both"))
    numbers = Difference(Said.TIED, found.difference, found.ci_low, found.ci_high, found.n_metrics)
    if found.n_metrics < bands.SHARED_METRICS_FLOOR:
        few = ngettext("%(n)s shared metric", "%(n)s shared metrics", found.n_metrics) % {"n": found.n_metrics}
        return replace(numbers, said=Said.NOT_ENOUGH, why=_("only %(metrics)s") % {"metrics": few})
    if found.distinguishable_adjusted is None or found.ci_low is None:
        return replace(numbers, said=Said.NOT_ENOUGH, why=_("no range for the difference"))
    if not found.distinguishable_adjusted:
        return numbers
    return replace(numbers, said=Said.HIGHER if found.difference > 0 else Said.LOWER)


def lacking(result: Result | None) -> str:
    """Why nothing may be said of a side beside others; empty where it has enough data."""
    if result is None or not result.n_judged:
        return _("no verdicts")
    if result.coverage < bands.PARTIAL_BELOW:
        return _("tested on part of the metrics")
    if bands.is_hollow(result.n_judged):
        return _("few chats")
    # What is left of the floors of a rate (`labels.cells`): asked for every pair of models, so without making a cell.
    return "" if result.n_metrics >= bands.METRICS_FLOOR else _("too few metrics")


class Differences:
    """The frozen comparisons of one release that a page needs, read in one query; ask `of_models` or `of_profiles`."""

    def __init__(self, release: Release, found: Iterable[Comparison]) -> None:
        # Releases hashed over verdicts and results alone come from before comparisons were kept.
        self.is_compared = release.content_version >= 2
        self._rows: dict[_Key, Comparison] = {}
        for row in found:
            side = row.profile if row.kind == Kind.MODEL else row.model_id
            self._rows[row.group, row.key, row.polarity, side, row.a, row.b] = row

    def of_models(self, a: LanguageModel, b: LanguageModel, of_a: Result | None, of_b: Result | None) -> Difference:
        """Model a minus model b, whose results are of one group, key, polarity and profile."""
        return self._between(a.slug, b.slug, of_a, of_b, None if of_a is None else of_a.profile)

    def of_profiles(self, a: str, b: str, of_a: Result | None, of_b: Result | None) -> Difference:
        """Profile a minus profile b (slugs) of one model, whose results are of one group, key and polarity."""
        return self._between(a, b, of_a, of_b, None if of_a is None else of_a.model_id)

    def _between(self, a: str, b: str, of_a: Result | None, of_b: Result | None, side: object) -> Difference:
        if of_a is None or of_b is None:
            return decide(None, of_a, of_b)
        place = (of_a.group, of_a.key, of_a.polarity, side)
        is_compared = self.is_compared and of_a.group != Result.Group.METRIC
        if (found := self._rows.get((*place, b, a))) is not None:
            return decide(found, of_b, of_a, is_compared=is_compared).turned()
        return decide(self._rows.get((*place, a, b)), of_a, of_b, is_compared=is_compared)


def model_differences(
    release: Release,
    models: Sequence[LanguageModel],
    groups: Collection[str],
    *,
    profile: str = "all",
    keys: Collection[str] | None = None,
) -> Differences:
    """All pairs among `models` in some groups (all their keys unless some are named) of one profile, in one query."""
    slugs = [model.slug for model in models]
    found = Comparison.objects.filter(
        release=release, kind=Kind.MODEL, group__in=groups, profile=profile, a__in=slugs, b__in=slugs
    )
    return Differences(release, _named(found, keys))


def profile_differences(
    release: Release,
    models: Sequence[LanguageModel],
    groups: Collection[str],
    *,
    keys: Collection[str] | None = None,
) -> Differences:
    """All pairs of profiles of each of `models` in some groups, in one query."""
    found = Comparison.objects.filter(release=release, kind=Kind.PROFILE, group__in=groups, model__in=models)
    return Differences(release, _named(found, keys))


def _named(found: QuerySet[Comparison], keys: Collection[str] | None) -> QuerySet[Comparison]:
    return found if keys is None else found.filter(key__in=keys)


@dataclass(frozen=True)
class Place:
    """Where one of several models stands among those with enough data, by what can be told apart.

    `tie_group` is 1 for the models that cannot be told from the highest, and None, as are the ranks, where there is
    not enough data. `rank_low` to `rank_high` is the range of its rank.
    """

    model: LanguageModel
    result: Result | None
    tie_group: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    why: str = ""

    @property
    def ranks(self) -> str:
        """'2–5', '3', or nothing without enough data."""
        if self.rank_low is None or self.rank_high is None:
            return ""
        return str(self.rank_low) if self.rank_low == self.rank_high else f"{self.rank_low}–{self.rank_high}"


def places_among(differences: Differences, sides: Sequence[tuple[LanguageModel, Result | None]]) -> list[Place]:
    """The places of models whose results are of one group, key, polarity and profile, in the order given.

    A model opens a new tie group when it can be told from the highest of the group before
    (`evaluation.statistics.comparison.tie_groups`): two in one group cannot be told from its highest, not always
    from each other. A rank runs from 1 + the models told to be higher to n - the models told to be lower. Holm's
    correction holds the chance of any wrong statement among all pairs below 5 %, so all these ranges hold together
    in 95 of 100 repeats; a pair about which nothing may be said narrows none. Without comparisons in the release,
    or with fewer than two models with enough data, nobody has a place.
    """
    enough = [(model, result) for model, result in sides if result is not None and not lacking(result)]
    if not differences.is_compared or len(enough) < 2:
        return [Place(model, result, why=lacking(result)) for model, result in sides]
    found = {
        (i, j): differences.of_models(enough[i][0], enough[j][0], enough[i][1], enough[j][1])
        for i, j in pairs_of(len(enough))
    }
    groups = tie_groups(
        [result.pass_rate or 0.0 for _model, result in enough],
        {pair: difference.is_apart for pair, difference in found.items()},
    )
    ranks = _rank_ranges(len(enough), found)
    by_model = {
        model.pk: Place(model, result, group, low, high)
        for (model, result), group, (low, high) in zip(enough, groups, ranks, strict=True)
    }
    return [by_model.get(model.pk) or Place(model, result, why=lacking(result)) for model, result in sides]


def _rank_ranges(n: int, found: dict[tuple[int, int], Difference]) -> list[tuple[int, int]]:
    higher, lower = [0] * n, [0] * n
    for (i, j), difference in found.items():
        if difference.said is Said.HIGHER:
            lower[i] += 1
            higher[j] += 1
        elif difference.said is Said.LOWER:
            higher[i] += 1
            lower[j] += 1
    return [(1 + higher[item], n - lower[item]) for item in range(n)]


def signed(value: float | None) -> str:
    """A difference between -1 and 1 as whole points with its sign, '+6', '+0' for less than half a point above 0.

    Exactly 0 has no sign, and None gives nothing. The minus is the typographic one.
    """
    if not value:
        return "" if value is None else "0"
    return f"{'+' if value > 0 else MINUS}{int(abs(value) * 100 + 0.5)}"
