"""Several models side by side: the same rows for all, each model's number and range, and what can be told apart.

No order, no winner: models stand as the reader chose them, rows as on every label.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import LanguageModel, Release, Result
from labels import queries
from labels.addresses import other_page
from labels.cells import Cell, cell
from labels.comparing_words import Pair, row_words, summary
from labels.context import State
from labels.differences import Difference, Differences, Said, model_differences
from labels.label import row_definitions
from labels.row_titles import RowTitle, row_title
from labels.wording import KINDS, Kind, metrics

FEWEST, MOST = 2, 4
LABEL, AREAS, METRICS, PROFILES, REPEATS = "label", "areas", "metrics", "profiles", "repeats"
VIEWS = {
    LABEL: gettext_lazy("As on the label"),
    AREAS: gettext_lazy("By area"),
    METRICS: gettext_lazy("By metric"),
    PROFILES: gettext_lazy("Between groups"),
    REPEATS: gettext_lazy("In 20 repeats"),
}
DIFFERING = "diff"
Group = Result.Group
# (model, group, key, polarity, profile)
ResultKey = tuple[int | None, str, str, str, str]


@dataclass(frozen=True)
class Place:
    """A row before any model's numbers. `path` gives the address of a model's evidence, or nothing."""

    group: str
    key: str
    polarity: str
    title: RowTitle
    is_part: bool = False
    path: Callable[[LanguageModel], str] | None = None


@dataclass(frozen=True)
class Side:
    """One model's cell of a row, and where its evidence is."""

    model: LanguageModel
    cell: Cell
    href: str


@dataclass(frozen=True)
class ComparedRow:
    """One row: a side for each model, every pair of them, and the statement about all."""

    place: Place
    sides: list[Side]
    pairs: list[Pair]
    words: str

    @property
    def differs(self) -> bool:
        """Whether any two of its models can be told apart."""
        return any(pair.difference.is_apart for pair in self.pairs)

    @property
    def look(self) -> str:
        """The style of its statement: 'diff', 'tie' or 'none'."""
        if self.differs:
            return "diff"
        return "tie" if any(pair.difference.said is Said.TIED for pair in self.pairs) else "none"


@dataclass(frozen=True)
class ComparedBlock:
    """One kind: all its metrics together, then its rows; `shown` leaves out those that a reader filtered away."""

    kind: Kind
    everything: ComparedRow
    rows: list[ComparedRow]
    shown: list[ComparedRow]

    @property
    def with_everything(self) -> list[ComparedRow]:
        """The shown rows with all metrics together before them."""
        return [self.everything, *self.shown]

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    @property
    def n_differ(self) -> int:
        return sum(row.differs for row in self.rows)

    @property
    def n_tied(self) -> int:
        return sum(row.look == "tie" for row in self.rows)

    @property
    def n_not_compared(self) -> int:
        return sum(all(pair.difference.said is Said.NOT_COMPARED for pair in row.pairs) for row in self.rows)

    @property
    def n_not_enough(self) -> int:
        return self.n_rows - self.n_differ - self.n_tied - self.n_not_compared

    def n_higher(self, model: LanguageModel) -> int:
        """On how many rows a model is told to be higher than some other."""
        return sum(any(_is_higher(pair, model) for pair in row.pairs) for row in self.rows)


@dataclass(frozen=True)
class Comparison:
    """What the page shows of the chosen models."""

    models: list[LanguageModel]
    blocks: list[ComparedBlock]
    sentences: list[str]

    @property
    def partial(self) -> list[LanguageModel]:
        """Those tested on part of the metrics only."""
        sides = [side for block in self.blocks for side in block.everything.sides if side.cell.is_partial]
        return list(dict.fromkeys(side.model for side in sides))

    @property
    def n_rows(self) -> int:
        return sum(block.n_rows for block in self.blocks)

    @property
    def n_differ(self) -> int:
        return sum(block.n_differ for block in self.blocks)


def chosen(state: State) -> list[LanguageModel]:
    """The models that fit side by side."""
    return state.models[:MOST]


def compare(request: HttpRequest, state: State, *, view: str = LABEL, only_differing: bool = False) -> Comparison:
    """The chosen models row by row, as on the label or by area, in a fixed number of queries."""
    assert state.release is not None
    models, profile = chosen(state), state.result_profile
    groups = [Group.OVERALL, *((Group.AREA, Group.SUBAREA) if view == AREAS else (Group.LABEL_ROW,))]
    results = read_results(state.release, models, groups, [profile])
    differences = model_differences(state.release, models, groups, profile=profile)
    places = _areas(request, state) if view == AREAS else label_places(request, state.release, results)

    def row(place: Place) -> ComparedRow:
        return compared_row(place, models, results, profile, differences)

    blocks = []
    for polarity, kind in KINDS.items():
        rows = [row(place) for place in places if place.polarity == polarity]
        shown = [one for one in rows if one.differs or not only_differing]
        everything = row(Place(Group.OVERALL, "", polarity, everything_title(models, results, polarity, profile)))
        blocks.append(ComparedBlock(kind, everything, rows, shown))
    return Comparison(models, blocks, summary(blocks, models))


def read_results(
    release: Release, models: Sequence[LanguageModel], groups: Sequence[str], profiles: Sequence[str]
) -> dict[ResultKey, Result]:
    """The results of some models in some groups and profiles, in one query."""
    found = Result.objects.filter(release=release, model__in=models, group__in=groups, profile__in=profiles)
    return {(one.model_id, one.group, one.key, one.polarity, one.profile): one for one in found}


def compared_row(
    place: Place,
    models: Sequence[LanguageModel],
    results: dict[ResultKey, Result],
    profile: str,
    differences: Differences,
) -> ComparedRow:
    """One row with every pair of its models."""
    found = {model.pk: results.get((model.pk, place.group, place.key, place.polarity, profile)) for model in models}
    pairs = [Pair(a, b, differences.of_models(a, b, found[a.pk], found[b.pk])) for a, b in combinations(models, 2)]
    sides = [Side(model, cell_of(place, found[model.pk]), place.path(model) if place.path else "") for model in models]
    return ComparedRow(place, sides, pairs, row_words(models, pairs))


def cell_of(place: Place, result: Result | None) -> Cell:
    """What may be said of a result in its row; only everything together shows its number with few of its metrics."""
    return cell(result, polarity=place.polarity, needs_coverage=place.group != Group.OVERALL)


def label_places(request: HttpRequest, release: Release, results: Iterable[ResultKey]) -> list[Place]:
    """The rows of the label, in their fixed order; each leads to the row's page of a model."""
    definitions = row_definitions(release, [key[1:] for key in results])

    def path(slug: str) -> Callable[[LanguageModel], str]:
        return lambda model: other_page(request, reverse("labels:label-row", args=[model.slug, slug]))

    return [
        Place(
            Group.LABEL_ROW,
            row.slug,
            row.polarity,
            row_title(row.title, row.polarity, plain_name=row.plain_name, plain_sentence=row.plain_sentence),
            path=path(row.slug),
        )
        for row in definitions
    ]


def everything_title(
    models: Sequence[LanguageModel], results: dict[ResultKey, Result], polarity: str, profile: str
) -> RowTitle:
    """'All 246 metrics'."""
    found = [results.get((model.pk, Group.OVERALL, "", polarity, profile)) for model in models]
    totals = [round(one.n_metrics / one.coverage) for one in found if one and one.coverage]
    name = _("All %(metrics)s") % {"metrics": metrics(max(totals))} if totals else _("All together")
    return RowTitle(name, "", "")


def _areas(request: HttpRequest, state: State) -> list[Place]:
    """The areas with their subareas below them, those with a metric of the kind; each leads to Explore."""
    assert state.release is not None
    slugs = ",".join(model.slug for model in chosen(state))

    def path(*parts: str) -> Callable[[LanguageModel], str]:
        name = "labels:explore-subarea" if len(parts) == 2 else "labels:explore-area"
        address = other_page(request, reverse(name, args=parts), m=slugs)
        return lambda _model: address

    def of_area(area: queries.Place, polarity: str) -> list[Place]:
        title = RowTitle(area.name, "", area.name)
        parts = [
            Place(
                Group.SUBAREA,
                part.slug,
                polarity,
                RowTitle(part.name, "", part.name),
                is_part=True,
                path=path(area.slug, part.slug),
            )
            for part in area.parts
            if part.n.get(polarity)
        ]
        return [Place(Group.AREA, area.slug, polarity, title, path=path(area.slug)), *parts]

    areas = queries.places(state.release)
    return [place for polarity in KINDS for area in areas if area.n.get(polarity) for place in of_area(area, polarity)]


def _is_higher(pair: Pair, model: LanguageModel) -> bool:
    difference: Difference = pair.difference
    if model.pk == pair.a.pk:
        return difference.said is Said.HIGHER
    return model.pk == pair.b.pk and difference.said is Said.LOWER
