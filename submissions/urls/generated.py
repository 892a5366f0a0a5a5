"""Addresses of the desk for drafts by language models and of what suites cover, for editors."""

from django.urls import URLPattern, path

from impactbench.common.table_files import table_paths
from submissions.views.editors import desk_files, generated, suites

urlpatterns: list[URLPattern] = [
    path("review/generated/", generated.benchmarks, name="generated"),
    path("review/generated/<slug:slug>/", generated.drafts, name="generated-drafts"),
    *table_paths("review/generated/<slug:slug>/drafts", desk_files.generated_table, "generated"),
    path("review/generated/<slug:slug>/<int:pk>/", generated.draft, name="generated-draft"),
    path("review/generated/<slug:slug>/<int:pk>/trials/<int:key>/", generated.draft_trial, name="generated-trial"),
    path("review/suites/", suites.suites, name="suites"),
    *table_paths("review/suites/suites", desk_files.suites_table, "suites"),
    *table_paths("review/suites/<slug:slug>/<int:version>/parts", desk_files.suite_table, "suite"),
    path("review/suites/<slug:slug>/<int:version>/", suites.suite, name="suite"),
]
