"""Addresses of guides, citations, the feed of releases, and what search engines ask for."""

from django.urls import URLPattern, URLResolver, path

from labels.views import citations, crawlers, feed, guides
from labels.views.model_files import model_csv, model_json, model_svg

urlpatterns: list[URLPattern | URLResolver] = [
    path("for/<slug:guide>/", guides.guide, name="guide"),
    path("cite/", citations.cite, name="cite"),
    path("releases/feed/", feed.feed, name="feed"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("sitemap.xml", crawlers.sitemap_index, name="sitemap-index"),
    path("sitemap-<slug:section>.xml", crawlers.sitemap, name="sitemap"),
    path("models/<slug:model>.csv", model_csv, name="model-csv"),
    path("models/<slug:model>.xlsx", model_csv, name="model-xlsx"),
    path("models/<slug:model>.json", model_json, name="model-json"),
    path("models/<slug:model>.svg", model_svg, name="model-svg"),
]
