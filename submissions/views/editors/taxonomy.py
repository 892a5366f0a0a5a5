"""The taxonomy desk: the version in force, the draft of the next one, and what each act does to the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.models import Metric, Release, Taxonomy, TaxonomyDraft
from evaluation.selectors.taxonomies import content_of, in_force, polarities
from evaluation.services import taxonomy_versions
from evaluation.taxonomy_acts import (
    LONGEST_NAME,
    LONGEST_SENTENCE,
    Act,
    Change,
    Counts,
    TaxonomyContent,
    applied,
    changes,
    counts,
    in_words,
)
from impactbench.common.errors import DomainError
from submissions.views.editors.access import need_editor

SHOWN = 20  # names of metrics that would stand nowhere
_FIELDS = ("kind", "about", "other", "name", "plain_name", "plain_sentence")


@dataclass(frozen=True)
class Row:
    """A subarea of the draft with its counts now and in the version in force (None: not in it)."""

    slug: str
    name: str
    plain_name: str
    plain_sentence: str
    now: Counts
    was: Counts | None


@dataclass(frozen=True)
class Look:
    """What an act would do, or what all acts do: changed subareas, and the metrics that would stand nowhere."""

    told: str
    changed: list[Change]
    homeless: list[str]
    n_homeless: int


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def taxonomy(request: HttpRequest) -> HttpResponse:
    """The desk; every button of it is a POST here, and what cannot be done keeps what was written."""
    need_editor(request)
    if request.method != "POST":
        return _page(request, about=request.GET.get("about", ""))
    wanted = Act(**{field: request.POST.get(field, "") for field in _FIELDS})
    try:
        return _done(request, request.POST.get("do", ""), wanted)
    except DomainError as error:
        return _page(request, about=wanted.about, typed=wanted, problem=_sentence(error), status=422)


def _done(request: HttpRequest, do: str, wanted: Act) -> HttpResponse:
    if do == "begin":
        taxonomy_versions.begin(actor=request.user)
        return redirect("submissions:taxonomy")
    draft = TaxonomyDraft.objects.select_related("base").filter(base=in_force()).first()
    if draft is None:
        raise DomainError("there is no draft any more; somebody adopted or discarded it")
    if do == "look":
        return _page(request, about=wanted.about, typed=wanted, looked=True)
    seen = _number(request.POST.get("seen", ""))
    if do == "act":
        told = taxonomy_versions.act(draft, wanted, seen=seen, actor=request.user)
    elif do == "undo":
        told = f"Undone: {taxonomy_versions.undo(draft, seen=seen, actor=request.user)}"
    elif do == "discard":
        taxonomy_versions.discard(draft, seen=seen, actor=request.user)
        told = "The draft is gone; nothing has changed"
    elif do == "adopt":
        made = taxonomy_versions.adopt(draft, title=request.POST.get("title", ""), seen=seen, actor=request.user)
        told = (
            f"{made.title}, version {made.version}, is in force. Earlier releases keep the version they were made with"
        )
    else:
        raise DomainError("this button is not known; reload the page and try again")
    messages.success(request, f"{told}.")
    return redirect("submissions:taxonomy")


def _page(
    request: HttpRequest,
    *,
    about: str = "",
    typed: Act | None = None,
    looked: bool = False,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    now = in_force()
    base = content_of(now)
    draft = TaxonomyDraft.objects.filter(base=now).first()
    acts = taxonomy_versions.acts_of(draft) if draft else []
    content = applied(base, acts)
    polarity = polarities(base.placed)
    looks = _look(content, applied(content, [typed]), in_words(content, typed), polarity) if looked and typed else None
    context = {
        "section": "review",
        "tab": "taxonomy",
        "taxonomy": now,
        "draft": draft,
        "seen": len(acts),
        "areas": _rows(content, base, polarity),
        "n_subareas": len(content.subareas),
        "placed": counts(content.placed, polarity),
        "n_nowhere": Metric.objects.exclude(pk__in=base.placed).count(),
        "about": _about(content, about),
        "typed": typed,
        "looks": looks,
        "problem": problem,
        "log": _log(base, acts),
        "all": _look(base, content, "", polarity) if acts else None,
        "title": request.POST.get("title", now.title),
        "versions": _versions(now.slug),
        "longest_name": LONGEST_NAME,
        "longest_sentence": LONGEST_SENTENCE,
    }
    return render(request, "submissions/taxonomy/taxonomy.html", context, status=status)


def _rows(content: TaxonomyContent, base: TaxonomyContent, polarity: Any) -> list[tuple[str, str, list[Row]]]:
    """Slug, name and subareas of each area."""
    before = base.subareas
    return [
        (
            area.slug,
            area.name,
            [
                Row(
                    slug=part.slug,
                    name=part.name,
                    plain_name=part.plain_name,
                    plain_sentence=part.plain_sentence,
                    now=counts(part.metrics, polarity),
                    was=counts(before[part.slug].metrics, polarity) if part.slug in before else None,
                )
                for part in area.subareas
            ],
        )
        for area in content.areas
    ]


def _look(before: TaxonomyContent, after: TaxonomyContent, told: str, polarity: Any) -> Look:
    homeless = before.placed - after.placed
    slugs = list(Metric.objects.filter(pk__in=homeless).order_by("slug").values_list("slug", flat=True)[:SHOWN])
    return Look(told, changes(before, after, polarity), slugs, len(homeless))


def _about(content: TaxonomyContent, slug: str) -> dict[str, Any] | None:
    """The area or subarea that the page offers acts for; None where it names none of this draft."""
    if slug in content.subareas:
        return {"kind": "subarea", "place": content.subareas[slug], "area": content.area_of[slug]}
    for area in content.areas:
        if area.slug == slug:
            return {"kind": "area", "place": area}
    return None


def _log(base: TaxonomyContent, acts: list[Act]) -> list[str]:
    """The acts in words, in their order."""
    told, content = [], base
    for act in acts:
        told.append(in_words(content, act))
        content = applied(content, [act])
    return told


def _versions(slug: str) -> list[dict[str, Any]]:
    """All versions, the newest first, with the releases that were made with each."""
    versions = Taxonomy.objects.filter(slug=slug).annotate(n_subareas=Count("subareas")).order_by("-version")
    releases: dict[int, list[Release]] = {}
    for release in Release.objects.filter(taxonomy__slug=slug).defer("groups").order_by("-published_at"):
        releases.setdefault(release.taxonomy_id, []).append(release)
    return [{"version": version, "releases": releases.get(version.pk, [])} for version in versions]


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


def _sentence(error: DomainError) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
