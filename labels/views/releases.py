"""Releases: the frozen sets of results, and how each was made."""

from difflib import get_close_matches

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.models import Release
from labels import exploring, queries
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.reasons import why


@require_safe
def releases(request: HttpRequest) -> HttpResponse:
    """All releases, newest first; retracted ones stay with their reason."""
    state = read_state(request)
    rows = Release.objects.defer("groups").order_by("-published_at", "-pk")
    return render(request, "labels/releases.html", {"section": "", "state": state, "rows": rows})


@require_safe
def release(request: HttpRequest, release: str) -> HttpResponse:
    """One release: what is in it, how its numbers were made, and how anybody can check them."""
    state = read_state(request)
    known = Release.objects.select_related("taxonomy", "judge__language_model", "user_simulator").defer("groups")
    shown = known.filter(slug=release).first()
    if shown is None:
        titles = dict(Release.objects.values_list("slug", "title"))
        near = get_close_matches(release, titles, n=5, cutoff=0.3) or list(titles)
        links = [(titles[slug], reverse("labels:release", args=[slug])) for slug in near]
        raise PageNotFound(f"There is no release named “{release}”.", links)
    own = State(release=shown, newest=state.newest, release_is_pinned=True)
    context = {
        "section": "",
        "state": own,
        "release": shown,
        "runs": shown.runs.only("slug", "kind", "turns", "seed", "code_version", "spec_hash"),
        "profiles": shown.profiles.all(),
        "models": exploring.by_name(shown.targets.all()),
        "reasons": [(why(code) or "No reason kept.", n) for code, n in queries.unjudged_reasons(shown)],
        "prompts": sorted((shown.prompt_hashes or {}).items()),
        "crumbs": [("Releases", reverse("labels:releases")), (shown.title, "")],
    }
    return render(request, "labels/release.html", context)
