"""What search engines are told to read: published pages only, and no conversation that opens on request only."""

from collections.abc import Callable

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from evaluation.models import Conversation, LanguageModel, Release, Turn, Verdict
from labels import exploring, queries
from labels.guides import GUIDES

# Most addresses in one file; the protocol allows 50,000.
LONGEST = 10_000
PAGES = ("home", "labels", "compare", "concerns", "explore", "metrics", "methodology", "studies", "benchmarks",
         "releases", "glossary", "about", "cite")  # fmt: skip


def newest_release() -> Release | None:
    """The newest published release: the one that addresses without `release` show."""
    published = Release.objects.defer("groups").filter(status=Release.Status.PUBLISHED)
    return published.order_by("-published_at", "-pk").first()


def names() -> list[str]:
    """The names of all files of the map; conversations are as many files as they need."""
    n_conversations = open_conversations().count()
    n_files = -(-n_conversations // LONGEST)
    return ["pages", "models", "metrics", *(f"conversations-{number}" for number in range(1, n_files + 1))]


def paths(name: str) -> list[str] | None:
    """The paths of one file; None for a name that no file has."""
    if name in SECTIONS:
        return SECTIONS[name]()
    kind, _, number = name.rpartition("-")
    if kind != "conversations" or not number.isdecimal() or not 1 <= int(number) <= LONGEST:
        return None
    first = (int(number) - 1) * LONGEST
    ids = open_conversations().order_by("pk").values_list("public_id", flat=True)[first : first + LONGEST]
    found = [reverse("labels:conversation", args=[public_id]) for public_id in ids]
    return found or None


def open_conversations() -> QuerySet[Conversation]:
    """Conversations of published releases that can be read and open at once: no notice on metric or benchmark."""
    shown = Verdict.objects.filter(conversation=OuterRef("pk"), release__status=Release.Status.PUBLISHED)
    return Conversation.objects.filter(
        Exists(shown),
        Exists(Turn.objects.filter(conversation=OuterRef("pk"))),
        scenario__base__metric_version__content_notices=[],
        scenario__base__metric_version__metric__benchmark__content_notices=[],
    )


def _pages() -> list[str]:
    releases = [reverse("labels:release", args=[slug]) for slug in Release.objects.values_list("slug", flat=True)]
    return [reverse(f"labels:{name}") for name in PAGES] + [guide.path for guide in GUIDES] + releases


def _models() -> list[str]:
    tested = LanguageModel.objects.filter(releases__status=Release.Status.PUBLISHED).distinct()
    newest = newest_release()
    in_newest = set(newest.targets.values_list("slug", flat=True)) if newest else set()
    slugs = tested.order_by("slug").values_list("slug", flat=True)
    return [reverse("labels:model", args=[slug]) for slug in slugs] + [
        reverse("labels:label", args=[slug]) for slug in sorted(in_newest)
    ]


def _metrics() -> list[str]:
    newest = newest_release()
    versions = queries.listed_versions(newest).order_by("metric__slug")
    found = [exploring.metric_path(version) for version in versions]
    areas = queries.places(newest) if newest else []
    for area in areas:
        found.append(reverse("labels:explore-area", args=[area.slug]))
        found += [reverse("labels:explore-subarea", args=[area.slug, part.slug]) for part in area.parts]
    return found


SECTIONS: dict[str, Callable[[], list[str]]] = {"pages": _pages, "models": _models, "metrics": _metrics}
