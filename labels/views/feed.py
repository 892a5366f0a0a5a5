"""The Atom feed of releases: each one as it was published, and what was withdrawn."""

import re

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Release
from labels.addresses import public_url
from labels.wording import LIMITS

LENGTH = 50
# No document of XML may hold these.
NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    """The newest releases; an entry keeps its identity for ever, whatever address the site has."""
    atom = Atom1Feed(
        title=_("Releases of ImpactBench"),
        link=public_url(request, reverse("labels:releases")),
        description=_("Every frozen set of results, with its date, its counts and its status."),
        feed_url=public_url(request, reverse("labels:feed")),
        language=get_language() or "en",
    )
    for release in Release.objects.defer("groups").order_by("-published_at", "-pk")[:LENGTH]:
        address = public_url(request, reverse("labels:release", args=[release.slug]))
        atom.add_item(
            title=_clean(_title(release)),
            link=address,
            description=_clean(escape(_summary(release))),
            unique_id=f"urn:impactbench:release:{release.slug}",
            pubdate=release.published_at,
            updateddate=release.published_at,
        )
    return HttpResponse(atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def _title(release: Release) -> str:
    if release.status == Release.Status.RETRACTED:
        return _("Retracted: %(title)s") % {"title": release.title}
    return release.title


def _summary(release: Release) -> str:
    counts = _("%(models)s models, %(metrics)s metrics, %(judged)s of %(held)s chats judged.") % {
        "models": f"{release.n_models:,}",
        "metrics": f"{release.n_metrics:,}",
        "judged": f"{release.n_judged:,}",
        "held": f"{release.n_conversations:,}",
    }
    parts = [counts, *map(str, LIMITS)]
    if release.status == Release.Status.RETRACTED:
        parts.insert(0, _("This release was retracted: %(reason)s") % {"reason": release.retraction_reason})
    return " ".join(parts)


def _clean(text: str) -> str:
    return NOT_IN_XML.sub("", text)
