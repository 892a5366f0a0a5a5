"""The report of a release: the tables and figures of the paper's section 4, on a page and as files."""

from difflib import get_close_matches
from functools import partial

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Release
from evaluation.selectors.release_report import table_titles
from evaluation.selectors.studies.uncorrected import uncorrected_studies
from evaluation.statistics.report.tables import ReportTable
from evaluation.statistics.report.writing import document, header, values
from labels.context import State, read_state
from labels.corrected import corrected_for
from labels.errors import PageNotFound
from labels.report_page import release_files, report_of, sections
from labels.views.siblings import rows_answer


@require_safe
def report(request: HttpRequest, release: str) -> HttpResponse:
    """The whole report on one page."""
    shown = known_release(release)
    state = read_state(request)
    found = report_of(shown)
    context = {
        "section": "",
        "state": State(release=shown, newest=state.newest, release_is_pinned=True),
        "release": shown,
        "sections": sections(found.tables, release=shown.slug, files=partial(release_files, release=shown.slug)),
        "methods": found.methods,
        "corrected": corrected_for(shown),
        "n_uncorrected": uncorrected_studies(shown).count(),
        "has_comparisons": shown.content_version >= 2,
        "crumbs": [
            (_("Releases"), reverse("labels:releases")),
            (shown.title, reverse("labels:release", args=[shown.slug])),
            (_("Report"), ""),
        ],
    }
    return render(request, "labels/report.html", context)


@require_safe
def report_json(_request: HttpRequest, release: str) -> HttpResponse:
    """Every table and the paragraph on methods as one document."""
    shown = known_release(release)
    found = report_of(shown)
    return JsonResponse(
        {
            "release": shown.slug,
            "content_hash": shown.content_hash,
            "methods": found.methods,
            "tables": [document(table) for table in found.tables],
        }
    )


@require_safe
def table_csv(request: HttpRequest, release: str, table: str) -> HttpResponseBase:
    """One table for spreadsheets: rates and limits as fractions, never rounded."""
    shown = known_release(release)
    found = _table(shown, table)
    about = [(_("Release"), shown.slug), (_("Table"), found.title), (_("Read first"), found.sentence)]
    return rows_answer(request, f"{shown.slug}-{found.slug}", header(found), values(found), about)


@require_safe
def table_json(_request: HttpRequest, release: str, table: str) -> HttpResponse:
    """One table as JSON, with its sentence and its notes."""
    shown = known_release(release)
    return JsonResponse({"release": shown.slug, **document(_table(shown, table))})


def known_release(slug: str) -> Release:
    """The release of that slug. Raises PageNotFound with the nearest ones."""
    known = Release.objects.select_related("taxonomy", "judge__language_model", "user_simulator").defer("groups")
    shown = known.filter(slug=slug).first()
    if shown is None:
        titles = dict(Release.objects.values_list("slug", "title"))
        near = get_close_matches(slug, titles, n=5, cutoff=0.3) or list(titles)
        links = [(titles[one], reverse("labels:release", args=[one])) for one in near]
        raise PageNotFound(_("There is no release named “%(slug)s”.") % {"slug": slug}, links)
    return shown


def _table(release: Release, slug: str) -> ReportTable:
    """That table of the report, which is made only where the slug is a table's: it takes seconds."""
    table = report_of(release).table(slug) if slug in table_titles() else None
    if table is None:
        page = reverse("labels:report", args=[release.slug])
        links = [(title, f"{page}#{one}") for one, title in table_titles().items()]
        raise PageNotFound(
            _("The report of %(title)s has no table named “%(slug)s”.") % {"title": release.title, "slug": slug},
            links,
            _("It may have these"),
        )
    return table
