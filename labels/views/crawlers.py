"""What search engines ask for first: robots.txt and the map of the site."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels import site_map
from labels.addresses import public_url
from labels.errors import PageNotFound

# Nothing to find there: work of people with an account, and lists without end.
CLOSED = ("/accounts/", "/submit/", "/submissions/", "/review/", "/studies/", "/runs/", "/search/", "/progress/")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Published pages are open to all; the map says where they are."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in CLOSED),
        "",
        f"Sitemap: {public_url(request, reverse('labels:sitemap-index'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """The files of the map."""
    files = [public_url(request, reverse("labels:sitemap", args=[name])) for name in site_map.names()]
    return render(
        request, "labels/sitemap_index.xml", {"addresses": files}, content_type="application/xml; charset=utf-8"
    )


@require_safe
def sitemap(request: HttpRequest, section: str) -> HttpResponse:
    """One file of the map."""
    paths = site_map.paths(section)
    if paths is None:
        whole = [("sitemap.xml", reverse("labels:sitemap-index"))]
        raise PageNotFound(_("The map of the site has no such part."), whole)
    addresses = [public_url(request, path) for path in paths]
    return render(
        request, "labels/sitemap.xml", {"addresses": addresses}, content_type="application/xml; charset=utf-8"
    )
