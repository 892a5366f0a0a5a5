"""What the site and a release are, as linked data (JSON-LD of schema.org) for search engines and catalogues of data."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from evaluation.models import Release
from labels.addresses import public_url
from labels.citing import PAPER
from labels.label import label_notes
from labels.snapshots.kept import KeptFile

CONTEXT = "https://schema.org"
SITE = "ImpactBench"


def site_data(request: HttpRequest) -> dict[str, Any]:
    """The site, and how it is searched."""
    search = public_url(request, reverse("labels:search"))
    return {
        "@context": CONTEXT,
        "@type": "WebSite",
        "name": SITE,
        "url": public_url(request, "/"),
        "inLanguage": get_language() or "en",
        "potentialAction": {
            "@type": "SearchAction",
            "target": f"{search}?q={{search_term_string}}",
            "query-input": "required name=search_term_string",
        },
    }


def release_data(
    request: HttpRequest, release: Release, models: list[str], files: Sequence[KeptFile] = ()
) -> dict[str, Any]:
    """A release as a data set: what was measured, how, on which models, and where it can be had.

    `models` are the names of the models under test, `files` hold it whole. Nothing of it is said that the page does
    not say.
    """
    address = public_url(request, reverse("labels:release", args=[release.slug]))
    data: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "name": f"{SITE}: {release.title}",
        "description": " ".join([_summary(release), *map(str, label_notes(release))]),
        "url": address,
        "identifier": [address, f"sha256:{release.content_hash}"],
        "version": release.slug,
        "datePublished": release.published_at.date().isoformat(),
        "creativeWorkStatus": release.status,
        "isAccessibleForFree": True,
        "measurementTechnique": release.method,
        "variableMeasured": [_("Promotes good"), _("Avoids harm")],
        "about": models,
        "citation": PAPER,
        "includedInDataCatalog": {"@type": "DataCatalog", "name": SITE, "url": public_url(request, "/")},
        "distribution": [*_files(request, files), *_lists(request, release)],
    }
    if settings.SITE_OPERATOR:
        data["publisher"] = {"@type": "Organization", "name": settings.SITE_OPERATOR}
    if settings.SITE_LICENCE:
        data["license"] = settings.SITE_LICENCE
    return data


def _summary(release: Release) -> str:
    return _("%(models)s models, %(metrics)s metrics, %(judged)s of %(held)s chats judged.") % {
        "models": f"{release.n_models:,}",
        "metrics": f"{release.n_metrics:,}",
        "judged": f"{release.n_judged:,}",
        "held": f"{release.n_conversations:,}",
    }


def _files(request: HttpRequest, files: Sequence[KeptFile]) -> list[dict[str, str]]:
    return [
        {
            "@type": "DataDownload",
            "name": file.name,
            "description": str(file.explanation),
            "encodingFormat": file.media_type,
            "contentSize": f"{file.bytes} B",
            "sha256": file.sha256,
            "contentUrl": public_url(request, file.path),
        }
        for file in files
    ]


def _lists(request: HttpRequest, release: Release) -> list[dict[str, str]]:
    return [
        {
            "@type": "DataDownload",
            "name": name,
            "encodingFormat": "application/json",
            "contentUrl": public_url(request, f"/api/v1/{part}/?release={release.slug}"),
        }
        for name, part in (
            (_("Results"), "results"),
            (_("Comparisons"), "comparisons"),
            (_("Metrics"), "metrics"),
            (_("Judgments"), "judgments"),
            (_("Conversations"), "conversations"),
        )
    ]
