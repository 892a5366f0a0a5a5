"""Releases: the frozen sets of results, and how each was made."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Release, Result
from labels import ordering, queries
from labels.context import State, read_state
from labels.linked_data import release_data
from labels.numbers import Number, number
from labels.reasons import why
from labels.release_files import file_list
from labels.snapshots.kept import kept_files
from labels.snapshots.snapshot import DESCRIPTION
from labels.tables import Table
from labels.views.reports import known_release
from labels.views.siblings import csv_answer, json_answer
from labels.wording import KINDS

# Earlier releases that a page offers for comparison.
OTHERS = 5
COLUMNS = (
    "slug", "title", "published_at", "models", "metrics", "conversations_judged", "conversations", "status",
    "retraction_reason", "is_demonstration",
)  # fmt: skip


@require_safe
def releases(request: HttpRequest) -> HttpResponse:
    """All releases, newest first; retracted ones stay with their reason."""
    state = read_state(request)
    return render(request, "labels/releases.html", {"section": "", "state": state, "rows": _newest_first()})


@require_safe
def releases_csv(request: HttpRequest) -> HttpResponseBase:
    """The same list as CSV, or as a workbook where the address says so."""
    return csv_answer(request, _table())


@require_safe
def releases_json(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (a view's signature)
    """The same list as JSON."""
    return json_answer(_table())


def _newest_first() -> QuerySet[Release]:
    return Release.objects.defer("groups").order_by("-published_at", "-pk")


def _table() -> Table:
    rows = [
        [
            one.slug, one.title, one.published_at.isoformat(), one.n_models, one.n_metrics, one.n_judged,
            one.n_conversations, one.status, one.retraction_reason or None, one.is_demonstration,
        ]
        for one in _newest_first()
    ]  # fmt: skip
    return Table("releases", COLUMNS, rows)


@require_safe
def release(request: HttpRequest, release: str) -> HttpResponse:
    """One release: what is in it, how its numbers were made, and how anybody can check them."""
    state = read_state(request)
    shown = known_release(release)
    models = ordering.by_name(shown.targets.all())
    files = kept_files(shown)
    own = State(release=shown, newest=state.newest, release_is_pinned=True)
    context = {
        "section": "",
        "state": own,
        "release": shown,
        "runs": shown.runs.only("slug", "kind", "turns", "seed", "code_version", "spec_hash"),
        "profiles": shown.profiles.all(),
        "models": models,
        "release_data": release_data(request, shown, [model.name for model in models], files or ()),
        "files": file_list(files) if files else None,
        "croissant": next((file.path for file in files or () if file.name == DESCRIPTION), ""),
        "headlines": _headlines(shown),
        "others": Release.objects.only("slug", "title").filter(published_at__lt=shown.published_at)[:OTHERS],
        "reasons": [(why(code) or _("No reason kept."), n) for code, n in queries.unjudged_reasons(shown)],
        "prompts": sorted((shown.prompt_hashes or {}).items()),
        "crumbs": [(_("Releases"), reverse("labels:releases")), (shown.title, "")],
    }
    return render(request, "labels/release.html", context)


def _headlines(release: Release) -> list[Number]:
    """Both kinds, all models and profiles pooled, good behaviours first."""
    found = queries.results(release, Result.Group.OVERALL).filter(model=None)
    return sorted(map(number, found), key=lambda one: list(KINDS).index(one.result.polarity))
