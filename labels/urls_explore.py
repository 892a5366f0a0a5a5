"""Addresses of Explore, metrics, conversations and the pages to read."""

from django.urls import URLPattern, URLResolver, path

from labels.views import benchmarks, conversations, explore, metrics, models, pages, releases, search

urlpatterns: list[URLPattern | URLResolver] = [
    path("explore/", explore.explore, name="explore"),
    path("explore/<slug:area>/", explore.area, name="explore-area"),
    path("explore/<slug:area>/<slug:subarea>/", explore.subarea, name="explore-subarea"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("metrics/<slug:benchmark>/<str:metric>/", metrics.metric, name="metric"),
    path("metrics/<slug:benchmark>/<str:metric>/scenarios/<int:number>/", metrics.scenario, name="scenario"),
    path("benchmarks/", benchmarks.benchmarks, name="benchmarks"),
    path("benchmarks/<slug:benchmark>/", benchmarks.benchmark, name="benchmark"),
    path("conversations/<slug:public_id>/", conversations.conversation, name="conversation"),
    path("models/<slug:model>/", models.model, name="model"),
    path("releases/", releases.releases, name="releases"),
    path("releases/<slug:release>/", releases.release, name="release"),
    path("methodology/", pages.methodology, name="methodology"),
    path("glossary/", pages.glossary, name="glossary"),
    path("about/", pages.about, name="about"),
    path("search/", search.search, name="search"),
]
