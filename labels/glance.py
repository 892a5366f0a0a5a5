"""All models of a release at a glance: the two headlines of each, side by side and never added."""

from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import LanguageModel, Polarity, Release, Result
from labels import bands
from labels.cells import Cell, cell
from labels.context import ALL_PROFILES
from labels.wording import KINDS, in_words, metrics, part_of

SORTS = {"name": gettext_lazy("Name"), **{kind.slug: kind.name for kind in KINDS.values()}}


@dataclass(frozen=True)
class Glance:
    """One model's two numbers."""

    model: LanguageModel
    promotes: Cell
    avoids: Cell

    @property
    def cells(self) -> tuple[Cell, Cell]:
        return self.promotes, self.avoids

    @property
    def harm_first(self) -> tuple[Cell, Cell]:
        """In the order in which the picture mostly shows them, from the left."""
        return self.avoids, self.promotes

    @property
    def is_partial(self) -> bool:
        return self.promotes.is_partial or self.avoids.is_partial

    @property
    def coverage_words(self) -> str:
        """'83 of 360 metrics', both kinds together, where a part of the metrics was left out."""
        tested, total = self._coverage
        if not self.is_partial:
            return ""
        return _("%(part)s of %(metrics)s") % {"part": f"{tested:,}", "metrics": metrics(total)}

    @property
    def chats_words(self) -> str:
        """'Avoids harm n 81, Promotes good n 249', where the sentence under the rows does not count them."""
        return ", ".join(f"{shown.kind.name} {shown.chats}" for shown in self.harm_first if shown.chats)

    @property
    def coverage_counts(self) -> str:
        """'83 of 360', where there is no room for the word."""
        tested, total = self._coverage
        return part_of(tested, total) if self.is_partial else ""

    @property
    def _coverage(self) -> tuple[int, int]:
        results = [shown.result for shown in self.cells if shown.result]
        tested = sum(result.n_metrics for result in results)
        return tested, sum(round(result.n_metrics / result.coverage) for result in results if result.coverage)


def glances(release: Release, models: list[LanguageModel], *, profile: str = ALL_PROFILES) -> list[Glance]:
    """The headlines of `models` in their order, in one query."""
    by_model: dict[int, dict[str, Result]] = defaultdict(dict)
    overall = Result.objects.filter(release=release, group=Result.Group.OVERALL, profile=profile, model__in=models)
    for result in overall:
        if result.model_id is not None:
            by_model[result.model_id][result.polarity] = result
    return [
        Glance(
            model,
            *(cell(by_model[model.pk].get(polarity), polarity=polarity, needs_coverage=False) for polarity in KINDS),
        )
        for model in models
    ]


def ordered(items: list[Glance], sort: str) -> tuple[list[Glance], list[Glance]]:
    """(in order, outside the order): by name, or by one headline from the highest down.

    Models without a rate there, or with part of the metrics only, stand outside an order by number.
    """
    if sort == "name":
        return sorted(items, key=lambda item: (item.model.name.casefold(), item.model.slug)), []
    position = list(SORTS).index(sort) - 1
    inside = [item for item in items if item.cells[position].has_rate and not item.cells[position].is_partial]
    outside = [item for item in items if item not in inside]
    return sorted(inside, key=lambda item: -(_rate(item.cells[position]))), outside


def finding(items: list[Glance]) -> str:
    """One sentence on the two kinds over all models; a comparison only where every model's ranges lie apart."""
    pairs = [(item.promotes.drawn, item.avoids.drawn) for item in items]
    complete = [(good, harm) for good, harm in pairs if good and harm]
    if len(items) > 1 and len(complete) == len(items):
        if all(_lies_above(good, harm) for good, harm in complete):
            return _("Every model did the helpful thing more often than it kept clear of the harmful one.")
        if all(_lies_above(harm, good) for good, harm in complete):
            return _("Every model kept clear of the harmful thing more often than it did the helpful one.")
    return _("Two numbers for every model: how often it did good, and how often it kept clear of harm.")


def chats_per_model(items: list[Glance]) -> str:
    """'Promotes good: 1,476 judged chats per model.', or the span where models differ; partial ones stand aside."""
    words = []
    per_model = _judged_in_full if any(item.is_partial for item in items) else _judged
    for polarity, position in ((Polarity.POSITIVE, 0), (Polarity.NEGATIVE, 1)):
        results = [item.cells[position].result for item in items if not item.is_partial]
        judged = sorted({result.n_judged for result in results if result})
        if judged:
            words.append(per_model(KINDS[polarity.value].name, judged[0], judged[-1]))
    partial = [f"{item.model.name} ({item.coverage_words})" for item in items if item.is_partial]
    if partial:
        said = _("Tested on part of the metrics only, so not comparable with the others: %(models)s.")
        words.append(said % {"models": in_words(partial)})
    return " ".join(words)


def _judged(kind: str, fewest: int, most: int) -> str:
    words = {"kind": kind, "fewest": f"{fewest:,}", "most": f"{most:,}"}
    if fewest == most:
        return _("%(kind)s: %(fewest)s judged chats per model.") % words
    return _("%(kind)s: %(fewest)s to %(most)s judged chats per model.") % words


def _judged_in_full(kind: str, fewest: int, most: int) -> str:
    """The same where some models were tested on a part only: their numbers of chats stand in their rows."""
    words = {"kind": kind, "fewest": f"{fewest:,}", "most": f"{most:,}"}
    if fewest == most:
        return _("%(kind)s: %(fewest)s judged chats per fully tested model.") % words
    return _("%(kind)s: %(fewest)s to %(most)s judged chats per fully tested model.") % words


def fully_tested(items: list[Glance]) -> list[Glance]:
    """Those with data on most metrics of both kinds."""
    return [item for item in items if not item.is_partial and all(shown.result for shown in item.cells)]


def _lies_above(upper: bands.Rate, lower: bands.Rate) -> bool:
    return upper.ci_low is not None and lower.ci_high is not None and upper.ci_low > lower.ci_high


def _rate(shown: Cell) -> float:
    return shown.result.pass_rate or 0.0 if shown.result else 0.0
