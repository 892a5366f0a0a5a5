"""Addresses of Explore, metrics, conversations and the pages to read."""

from django.urls import URLPattern, URLResolver, path

from labels.views import (
    benchmarks,
    conversations,
    explore,
    explore_files,
    metric_files,
    metric_pages,
    metrics,
    models,
    pages,
    release_changes,
    release_files,
    releases,
    reports,
    search,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("explore/", explore.explore, name="explore"),
    path("explore/<slug:area>/", explore.explore, name="explore-area"),
    path("explore/<slug:area>/<slug:subarea>/", explore.explore, name="explore-subarea"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("metrics.csv", metrics.metrics_csv, name="metrics-csv"),
    path("metrics.xlsx", metrics.metrics_csv, name="metrics-xlsx"),
    path("metrics.json", metrics.metrics_json, name="metrics-json"),
    path("metrics/<slug:benchmark>/<str:metric>.csv", metric_files.metric_csv, name="metric-csv"),
    path("metrics/<slug:benchmark>/<str:metric>.xlsx", metric_files.metric_csv, name="metric-xlsx"),
    path("metrics/<slug:benchmark>/<str:metric>.json", metric_files.metric_json, name="metric-json"),
    path("metrics/<slug:benchmark>/<str:metric>/", metric_pages.metric, name="metric"),
    path("metrics/<slug:benchmark>/<str:metric>/scenarios/<int:number>/", metric_pages.scenario, name="scenario"),
    path(
        "metrics/<slug:benchmark>/<str:metric>/scenarios/<int:number>.csv",
        metric_files.scenario_csv,
        name="scenario-csv",
    ),
    path(
        "metrics/<slug:benchmark>/<str:metric>/scenarios/<int:number>.xlsx",
        metric_files.scenario_csv,
        name="scenario-xlsx",
    ),
    path(
        "metrics/<slug:benchmark>/<str:metric>/scenarios/<int:number>.json",
        metric_files.scenario_json,
        name="scenario-json",
    ),
    path("benchmarks/", benchmarks.benchmarks, name="benchmarks"),
    path("benchmarks/<slug:benchmark>/", benchmarks.benchmark, name="benchmark"),
    path("conversations/<slug:public_id>.json", conversations.conversation_json, name="conversation-json"),
    path("conversations/<slug:public_id>/", conversations.conversation, name="conversation"),
    path("models/<slug:model>/", models.model, name="model"),
    path("releases/", releases.releases, name="releases"),
    path("releases/<slug:release>/", releases.release, name="release"),
    path("releases/<slug:release>/files/<str:name>", release_files.release_file, name="release-file"),
    path("releases/<slug:release>/report/", reports.report, name="report"),
    path("releases/<slug:release>/report.json", reports.report_json, name="report-json"),
    path("releases/<slug:release>/report/<slug:table>.csv", reports.table_csv, name="report-csv"),
    path("releases/<slug:release>/report/<slug:table>.xlsx", reports.table_csv, name="report-xlsx"),
    path("releases/<slug:release>/report/<slug:table>.json", reports.table_json, name="report-table-json"),
    path("releases/<slug:release>/compare/<slug:older>/", release_changes.change, name="release-change"),
    path("releases/<slug:release>/compare/<slug:older>.csv", release_changes.change_csv, name="release-change-csv"),
    path("releases/<slug:release>/compare/<slug:older>.xlsx", release_changes.change_csv, name="release-change-xlsx"),
    path("releases/<slug:release>/compare/<slug:older>.json", release_changes.change_json, name="release-change-json"),
    path("methodology/", pages.methodology, name="methodology"),
    path("glossary/", pages.glossary, name="glossary"),
    path("about/", pages.about, name="about"),
    path("search/", search.search, name="search"),
]
# The siblings of each level: its address without the last slash, and an ending.
for _level in ("explore", "explore/<slug:area>", "explore/<slug:area>/<slug:subarea>"):
    urlpatterns += [
        path(f"{_level}.csv", explore_files.explore_csv, name="explore-csv"),
        path(f"{_level}.xlsx", explore_files.explore_csv, name="explore-xlsx"),
        path(f"{_level}.json", explore_files.explore_json, name="explore-json"),
        path(f"{_level}.svg", explore_files.explore_svg, name="explore-svg"),
        path(f"{_level}.figure.json", explore_files.explore_figure, name="explore-figure"),
    ]
