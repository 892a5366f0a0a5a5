"""One model over releases: its two numbers in each, what may not be compared, and changes that are more than chance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import LanguageModel, Release, Result
from evaluation.selectors.release_changes import RELATED
from evaluation.selectors.same_metrics import same_metrics
from labels.model_steps import Step, steps_between, without_metrics
from labels.numbers import Number, number
from labels.wording import KINDS

SAME = "same"


@dataclass
class InRelease:
    """A release and the model's two numbers in it, by polarity; all profiles together."""

    release: Release
    numbers: dict[str, Number] = field(default_factory=dict)

    @property
    def both(self) -> list[Number | None]:
        """Good things first."""
        return [self.numbers.get(polarity) for polarity in KINDS]

    @property
    def is_retracted(self) -> bool:
        return self.release.status == Release.Status.RETRACTED


@dataclass(frozen=True)
class History:
    """Oldest first; `steps[i]` leads from release i to i + 1. `is_same`: counted over the same metrics only.

    `same_words` says why that cannot be shown, or over how many metrics it is.
    """

    points: list[InRelease]
    steps: list[Step]
    is_same: bool = False
    same_words: str = ""
    can_be_same: bool = False

    @property
    def newest_first(self) -> list[InRelease]:
        return self.points[::-1]

    @property
    def broken(self) -> list[Step]:
        return [step for step in self.steps if step.is_break]

    @property
    def changes(self) -> list[str]:
        """Sentences on changes that are more than chance, the newest step first."""
        return [sentence for step in self.steps[::-1] for sentence in step.changes]


def model_history(model: LanguageModel, *, same: bool = False) -> History:
    """The model's releases in their order of publication; `same` asks for the metrics that all of them have."""
    selected, prefetched = RELATED
    own = model.releases.defer("groups").select_related(*selected).prefetch_related(*prefetched)
    releases = list(own.order_by("published_at", "pk"))
    points = _points(releases, _results(model, releases))
    steps = steps_between(releases, model)
    counted = same_metrics(model, releases) if len(releases) > 1 else []
    n_same = sum(result.n_metrics for result in counted if result.release_id == releases[0].pk)
    is_same = same and bool(counted)
    return History(
        points=_points(releases, counted) if is_same else points,
        steps=[without_metrics(step) for step in steps] if is_same else steps,
        is_same=is_same,
        same_words=_same_words(len(releases), n_same),
        can_be_same=bool(counted),
    )


def _results(model: LanguageModel, releases: Sequence[Release]) -> Iterable[Result]:
    return Result.objects.filter(model=model, group=Result.Group.OVERALL, profile="all", release__in=releases)


def _points(releases: Sequence[Release], results: Iterable[Result]) -> list[InRelease]:
    points = {release.pk: InRelease(release) for release in releases}
    for result in results:
        points[result.release_id].numbers[result.polarity] = number(result)
    return list(points.values())


def _same_words(n_releases: int, n_same: int) -> str:
    if n_releases < 2:
        return _("The model stands in one release so far, so there is nothing to compare it with.")
    if not n_same:
        return _(
            "No metric was judged in the same wording, for the same people, in all of these releases. So there is no "
            "number over the same metrics."
        )
    return ngettext(
        "%(n)s metric was judged in the same wording, for the same people, in all of these releases.",
        "%(n)s metrics were judged in the same wording, for the same people, in all of these releases.",
        n_same,
    ) % {"n": f"{n_same:,}"}
