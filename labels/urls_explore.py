"""Addresses of Explore, metrics, conversations and the pages to read."""

from django.urls import URLPattern, URLResolver, path

from labels.views import (
    benchmarks,
    conversations,
    explore,
    metrics,
    models,
    pages,
    release_changes,
    releases,
    reports,
    search,
)

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
    path("releases/<slug:release>/report/", reports.report, name="report"),
    path("releases/<slug:release>/report.json", reports.report_json, name="report-json"),
    path("releases/<slug:release>/report/<slug:table>.csv", reports.table_csv, name="report-csv"),
    path("releases/<slug:release>/report/<slug:table>.json", reports.table_json, name="report-table-json"),
    path("releases/<slug:release>/compare/<slug:older>/", release_changes.change, name="release-change"),
    path("releases/<slug:release>/compare/<slug:older>.csv", release_changes.change_csv, name="release-change-csv"),
    path("releases/<slug:release>/compare/<slug:older>.json", release_changes.change_json, name="release-change-json"),
    path("methodology/", pages.methodology, name="methodology"),
    path("glossary/", pages.glossary, name="glossary"),
    path("about/", pages.about, name="about"),
    path("search/", search.search, name="search"),
]
