"""Addresses of the import desk, for editors."""

from django.urls import URLPattern, path

from submissions.views.editors import imports

urlpatterns: list[URLPattern] = [
    path("review/imports/", imports.imports, name="imports"),
    path("review/imports/drafts.csv", imports.imports_csv, name="imports-csv"),
    path("review/imports/template.csv", imports.template_csv, name="imports-template"),
    path("review/imports/<int:pk>/", imports.import_page, name="import"),
    path("review/imports/<int:pk>/drafts.csv", imports.import_csv, name="import-csv"),
]
