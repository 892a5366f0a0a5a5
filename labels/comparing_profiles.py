"""The chosen models between two groups of people: each row's numbers for both, and whether they can be told apart."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from evaluation.models import LanguageModel, Profile, Result
from labels.cells import Cell
from labels.comparing import Place, cell_of, chosen, everything_title, label_places, read_results
from labels.context import State
from labels.differences import Difference, Differences, profile_differences
from labels.row_titles import RowTitle
from labels.wording import KINDS, Kind

Group = Result.Group


@dataclass(frozen=True)
class Between:
    """One model in one row: its cell for each of the two profiles, and what may be said of the first - the second."""

    model: LanguageModel
    cells: tuple[Cell, Cell]
    difference: Difference
    words: str


@dataclass(frozen=True)
class ProfileRow:
    """One row of all chosen models."""

    title: RowTitle
    models: list[Between]

    @property
    def differs(self) -> bool:
        """Whether any model can be told to do otherwise with one group than with the other."""
        return any(one.difference.is_apart for one in self.models)


@dataclass(frozen=True)
class ProfileBlock:
    """One kind: everything first, then the rows; `n_rows` counts those filtered away too."""

    kind: Kind
    everything: ProfileRow
    rows: list[ProfileRow]
    n_rows: int
    n_differ: int


def two_profiles(state: State) -> tuple[Profile, Profile] | None:
    """The two profiles of the release; None where it has another number of them."""
    return (state.profiles[0], state.profiles[1]) if len(state.profiles) == 2 else None


def compare_profiles(
    request: HttpRequest, state: State, profiles: tuple[Profile, Profile], *, only_differing: bool = False
) -> list[ProfileBlock]:
    """The label's rows with both profiles of each chosen model, in a fixed number of queries."""
    assert state.release is not None
    models = chosen(state)
    groups = [Group.OVERALL, Group.LABEL_ROW]
    results = read_results(state.release, models, groups, [profile.slug for profile in profiles])
    differences = profile_differences(state.release, models, groups)
    places = label_places(request, state.release, results)

    def row(place: Place) -> ProfileRow:
        return ProfileRow(place.title, [_between(model, place, results, profiles, differences) for model in models])

    blocks = []
    for polarity, kind in KINDS.items():
        title = everything_title(models, results, polarity, profiles[0].slug)
        rows = [row(place) for place in places if place.polarity == polarity]
        kept = [one for one in rows if one.differs or not only_differing]
        everything = row(Place(Group.OVERALL, "", polarity, title))
        blocks.append(ProfileBlock(kind, everything, kept, len(rows), sum(one.differs for one in rows)))
    return blocks


def _between(
    model: LanguageModel,
    place: Place,
    results: dict[tuple[int | None, str, str, str, str], Result],
    profiles: tuple[Profile, Profile],
    differences: Differences,
) -> Between:
    first, second = (results.get((model.pk, place.group, place.key, place.polarity, one.slug)) for one in profiles)
    difference = differences.of_profiles(profiles[0].slug, profiles[1].slug, first, second)
    words = difference.words(profiles[0].name, profiles[1].name)
    if difference.why:
        words = _("%(words)s: %(why)s") % {"words": words, "why": difference.why}
    return Between(model, (cell_of(place, first), cell_of(place, second)), difference, words)
