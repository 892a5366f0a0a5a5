"""Search across everything that is public: by words, the nearest first, and by likeness where a word is misspelled."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, TypeVar

from django.contrib.postgres.search import SearchQuery, SearchRank, TrigramWordSimilarity
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Greatest
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from evaluation.models import BaseScenario, LanguageModel, MetricVersion, Release, Result, Scenario, Subarea
from evaluation.models.metric import METRIC_WORDS
from impactbench.common.searchable import Hit, sources
from labels import exploring, metric_list, queries
from labels.addresses import other_page, query_string
from labels.context import ALL_PROFILES, State
from labels.glossary import TERMS
from labels.label import row_definitions
from labels.row_titles import RowTitle, row_title
from labels.transcripts import visible

T = TypeVar("T")

# How many of a group are shown beside the others, and where it stands alone.
FIRST, MOST = 5, 200
MOST_WORDS = 12
# Of 1: how alike a name and what was typed must be (trigrams in the database, letters here).
ALIKE, ALIKE_LETTERS = 0.5, 0.8
SHORTEST_ALIKE = 4
NOTE_LENGTH = 160


@dataclass(frozen=True)
class Group:
    """What was found of one kind: how many there are, the first ones, and where all of them stand.

    `is_near` says that nothing has the words themselves and these are spelled alike.
    """

    name: str
    heading: str | Promise
    n: int
    hits: list[Hit]
    all_href: str = ""
    is_near: bool = False


def words_of(text: str) -> list[str]:
    """The words of a search: letters and digits only, so that nothing in them is a command to anything."""
    return re.findall(r"\w+", text[: metric_list.LONGEST_SEARCH].replace("_", " ").casefold())[:MOST_WORDS]


def names() -> list[str]:
    """The kinds that `only` may name."""
    return [*_FINDERS, *sources()]


def search(request: HttpRequest, state: State, text: str, only: str = "") -> list[Group]:
    """What is found, by kind, kinds without anything left out; `only` one kind, with up to MOST of it."""
    words = words_of(text)
    if not words:
        return []
    size = MOST if only else FIRST
    found = [finder(request, state, words, size) for name, finder in _FINDERS.items() if only in ("", name)]
    for name, (heading, source) in sources().items():
        if only in ("", name):
            n, hits = source(words, size)
            found.append(Group(name, heading, n, hits))
    return [_with_all(request, group, text) for group in found if group.n]


def _with_all(request: HttpRequest, group: Group, text: str) -> Group:
    if group.n <= len(group.hits) or group.all_href:
        return group
    query = query_string({"q": text, "only": group.name, "release": request.GET.get("release")})
    return Group(group.name, group.heading, group.n, group.hits, reverse("labels:search") + query, group.is_near)


def _metrics(request: HttpRequest, state: State, words: Sequence[str], size: int) -> Group:
    listed = queries.listed_versions(state.release)
    asked = SearchQuery(" & ".join(f"{word}:*" for word in words), config="english", search_type="raw")
    ranked = listed.annotate(words=METRIC_WORDS, rank=SearchRank(METRIC_WORDS, asked)).filter(words=asked)
    n, rows = _first(ranked.order_by("-rank", "name", "pk"), size)
    is_near = not rows
    if is_near:
        n, rows = _first(_alike(listed, " ".join(words)), size)
    hits = [
        Hit(
            exploring.metric_name(version),
            other_page(request, exploring.metric_path(version)),
            _shortened(version.plain_definition or version.definition or version.metric.benchmark.name),
        )
        for version in rows
    ]
    everything = query_string({"q": " ".join(words), "release": request.GET.get("release")})
    href = "" if is_near or n <= size else reverse("labels:metrics") + everything
    return Group("metrics", _("Metrics"), n, hits, href, is_near and bool(hits))


def _alike(listed: QuerySet[MetricVersion], text: str) -> QuerySet[MetricVersion]:
    likeness = Greatest(TrigramWordSimilarity(text, "name"), TrigramWordSimilarity(text, "plain_name"))
    return listed.annotate(likeness=likeness).filter(likeness__gte=ALIKE).order_by("-likeness", "name", "pk")


def _first(found: QuerySet[Any], size: int) -> tuple[int, list[Any]]:
    """How many there are, and the first ones, in one query."""
    rows = list(found.annotate(n_found=Window(Count("pk")))[:size])
    return (rows[0].n_found if rows else 0), rows


def _scenarios(request: HttpRequest, state: State, words: Sequence[str], size: int) -> Group:
    """By title alone: what is said in a conversation is not searched."""
    variant = Scenario.objects.filter(base=OuterRef("pk")).exclude(title="").order_by("pk").values("title")[:1]
    listed = queries.listed_versions(state.release).values("pk")
    found = BaseScenario.objects.filter(metric_version__in=listed).annotate(of_variant=Subquery(variant))
    for word in words:
        found = found.filter(Q(title__icontains=word) | Q(of_variant__icontains=word))
    found = found.select_related("metric_version__metric__benchmark").order_by("title", "of_variant", "pk")
    n, rows = _first(found, size)
    hits = []
    for base in rows:
        metric = base.metric_version.metric
        path = reverse("labels:scenario", args=[metric.benchmark.slug, metric.local_id, base.number])
        title = base.title or base.of_variant
        hits.append(Hit(title, other_page(request, path), exploring.metric_name(base.metric_version)))
    return Group("scenarios", _("Scenarios"), n, hits)


def _models(request: HttpRequest, _state: State, words: Sequence[str], size: int) -> Group:
    tested = LanguageModel.objects.filter(releases__isnull=False).distinct().order_by("name", "slug")
    found, is_near = _matching(tested, words, lambda one: (one.name, one.provider, one.slug))
    hits = [
        Hit(one.name, other_page(request, reverse("labels:model", args=[one.slug])), one.provider)
        for one in found[:size]
    ]
    return Group("models", _("Models"), len(found), hits, is_near=is_near)


def _benchmarks(request: HttpRequest, state: State, words: Sequence[str], size: int) -> Group:
    listed = queries.listed_benchmarks(state.release)
    found, is_near = _matching(listed, words, lambda one: (one.name, one.slug, one.description))
    hits = [
        Hit(one.name, other_page(request, reverse("labels:benchmark", args=[one.slug])), _shortened(one.description))
        for one in found[:size]
    ]
    return Group("benchmarks", _("Benchmarks"), len(found), hits, is_near=is_near)


def _areas(request: HttpRequest, state: State, words: Sequence[str], size: int) -> Group:
    found, is_near = _matching(_places(state.release), words, lambda place: (place.name, place.slug))
    hits = [Hit(place.name, other_page(request, place.path), place.sentence) for place in found[:size]]
    return Group("areas", _("Areas"), len(found), hits, is_near=is_near)


@dataclass(frozen=True)
class _Place:
    slug: str
    name: str
    sentence: str
    path: str


def _places(release: Release | None) -> list[_Place]:
    """The areas and subareas of a release with metrics in them, in the order of its taxonomy."""
    if release is None:
        return []
    subareas = Subarea.objects.filter(taxonomy=release.taxonomy_id).select_related("area")
    filled = {group: {slug for slug, metrics in release.groups.get(group, {}).items() if metrics}
              for group in ("area", "subarea")}  # fmt: skip
    areas: dict[str, _Place] = {}
    parts = []
    for one in subareas:
        area = one.area
        path = reverse("labels:explore-area", args=[area.slug])
        areas.setdefault(area.slug, _Place(area.slug, area.name, "", path))
        path = reverse("labels:explore-subarea", args=[area.slug, one.slug])
        parts.append(_Place(one.slug, one.plain_name or one.name, one.plain_sentence or area.name, path))
    return [place for place in areas.values() if place.slug in filled["area"]] + [
        place for place in parts if place.slug in filled["subarea"]
    ]


@dataclass(frozen=True)
class _LabelRow:
    """A row in the label of one model."""

    title: RowTitle
    sentence: str
    model: LanguageModel
    path: str

    @property
    def name(self) -> str:
        return f"{self.title.name}: {self.title.gloss}" if self.title.gloss else self.title.name


def _rows(request: HttpRequest, state: State, words: Sequence[str], size: int) -> Group:
    """Rows of labels, each once for every model that has it; a row has no page of its own without a model."""
    rows = _label_rows(state.release, state.targets) if state.release else []
    told = _having(
        rows, words, lambda row: (row.name, row.title.given, row.sentence, f"{row.model.name} {row.model.provider}")
    )
    # A model's name alone is no word of a row.
    found = [row for row in told if _is_of_row(row, words)]
    is_near = not found
    if is_near:
        # Rows of many models have few names.
        near = {name for name in {row.name for row in rows} if _are_alike(words, name.casefold())}
        found = [row for row in rows if row.name in near]
    hits = [
        Hit(row.name, other_page(request, row.path), _("Row of the label of %(model)s") % {"model": row.model.name})
        for row in found[:size]
    ]
    return Group("rows", _("Rows of labels"), len(found), hits, is_near=is_near and bool(hits))


def _is_of_row(row: _LabelRow, words: Sequence[str]) -> bool:
    text = f"{row.name} {row.title.given} {row.sentence}".casefold()
    return any(word in text for word in words)


def _label_rows(release: Release, targets: Iterable[LanguageModel]) -> list[_LabelRow]:
    """In the order of the label, then by model; every label of a release has all of its rows, with data or without."""
    group = Result.Group.LABEL_ROW
    filled = [name.partition(" ") for name, metrics in release.groups.get(group, {}).items() if metrics]
    definitions = row_definitions(release, [(group, slug, polarity, ALL_PROFILES) for polarity, _, slug in filled])
    models = sorted(targets, key=lambda model: (model.name, model.slug))
    rows = (
        _LabelRow(
            row_title(row.title, row.polarity, plain_name=row.plain_name, plain_sentence=row.plain_sentence),
            row.sentence,
            model,
            reverse("labels:label-row", args=[model.slug, row.slug]),
        )
        for row in definitions
        for model in models
    )
    # Both kinds of a row stand on one page; where they are called the same, they are one.
    return list({(row.path, row.name): row for row in rows}.values())


def _glossary(_request: HttpRequest, _state: State, words: Sequence[str], size: int) -> Group:
    found, is_near = _matching(TERMS, words, lambda term: (str(term.word), str(term.meaning)))
    glossary = reverse("labels:glossary")
    hits = [Hit(str(term.word), f"{glossary}#{term.slug}", str(term.meaning)) for term in found[:size]]
    return Group("words", _("Words"), len(found), hits, is_near=is_near)


_FINDERS: dict[str, Callable[[HttpRequest, State, Sequence[str], int], Group]] = {
    "models": _models,
    "areas": _areas,
    "rows": _rows,
    "metrics": _metrics,
    "benchmarks": _benchmarks,
    "scenarios": _scenarios,
    "words": _glossary,
}


def _matching(items: Iterable[T], words: Sequence[str], texts: Callable[[T], Sequence[str]]) -> tuple[list[T], bool]:
    """The items of a short list in whose texts every word stands, those with it in the first text first.

    Where there are none: those whose first text has words spelled alike, and True.
    """
    items = list(items)
    found = _having(items, words, texts)
    if found:
        return found, False
    near = [item for item in items if _are_alike(words, texts(item)[0].casefold())]
    return near, bool(near)


def _having(items: Iterable[T], words: Sequence[str], texts: Callable[[T], Sequence[str]]) -> list[T]:
    """The items in whose texts every word stands, those with it in the first text first."""
    told = [(item, [text.casefold() for text in texts(item)]) for item in items]
    found = [(item, own) for item, own in told if all(word in " ".join(own) for word in words)]
    return [item for item, _own in sorted(found, key=lambda pair: not all(w in pair[1][0] for w in words))]


def _are_alike(words: Sequence[str], text: str) -> bool:
    return all(_is_alike(word, text) for word in words)


def _is_alike(word: str, text: str) -> bool:
    if len(word) < SHORTEST_ALIKE:
        return word in text.split()
    return any(SequenceMatcher(None, word, other).ratio() >= ALIKE_LETTERS for other in re.findall(r"\w+", text))


def _shortened(text: str) -> str:
    text = visible(text)
    return text if len(text) <= NOTE_LENGTH else f"{text[:NOTE_LENGTH].rstrip()}…"
