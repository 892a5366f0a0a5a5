"""Addresses of the import desk, for editors."""

from django.urls import URLPattern, path

from impactbench.common.table_files import table_paths
from submissions.views.editors import desk_files, imports

urlpatterns: list[URLPattern] = [
    path("review/imports/", imports.imports, name="imports"),
    *table_paths("review/imports/imports", desk_files.imports_table, "imports"),
    *table_paths("review/imports/drafts", desk_files.drafts_table, "imports-drafts"),
    path("review/imports/template.csv", imports.template_csv, name="imports-template"),
    path("review/imports/<int:pk>/", imports.import_page, name="import"),
    *table_paths("review/imports/<int:pk>/drafts", desk_files.import_table, "import"),
]
