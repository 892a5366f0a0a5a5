"""Addresses of the public pages."""

from django.urls import URLPattern, URLResolver, path

from labels.urls_explore import urlpatterns as explore_urls
from labels.urls_reading import urlpatterns as reading_urls
from labels.urls_studies import urlpatterns as studies_urls
from labels.views import compare, compare_files, concerns, home, label_files, labels, oembed

app_name = "labels"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("progress/", home.progress, name="progress"),
    path("labels/", labels.labels, name="labels"),
    path("labels.csv", labels.labels_csv, name="labels-csv"),
    path("labels.xlsx", labels.labels_csv, name="labels-xlsx"),
    path("labels.json", labels.labels_json, name="labels-json"),
    path("labels/<str:model>.svg", label_files.label_svg, name="label-svg"),
    path("labels/<str:model>.png", label_files.label_png, name="label-png"),
    path("labels/<str:model>.json", label_files.label_json, name="label-json"),
    path("labels/<str:model>.csv", label_files.label_csv_file, name="label-csv"),
    path("labels/<str:model>.xlsx", label_files.label_csv_file, name="label-xlsx"),
    path("labels/<str:model>/", labels.label, name="label"),
    path("labels/<str:model>/share.png", label_files.label_share, name="label-share"),
    path("labels/<str:model>/embed/", labels.label_embed, name="label-embed"),
    path("labels/<str:model>/<str:row>/", labels.label_row, name="label-row"),
    path("labels/<str:model>/<str:row>.csv", labels.label_row_csv, name="label-row-csv"),
    path("labels/<str:model>/<str:row>.xlsx", labels.label_row_csv, name="label-row-xlsx"),
    path("labels/<str:model>/<str:row>.json", labels.label_row_json, name="label-row-json"),
    path("oembed/", oembed.oembed, name="oembed"),
    path("compare/", compare.comparison, name="compare"),
    path("compare.csv", compare_files.comparison_csv, name="compare-csv"),
    path("compare.xlsx", compare_files.comparison_csv, name="compare-xlsx"),
    path("compare.json", compare_files.comparison_json, name="compare-json"),
    path("compare.svg", compare_files.comparison_svg, name="compare-svg"),
    path("concerns/", concerns.concerns, name="concerns"),
    path("concerns.csv", concerns.concerns_csv, name="concerns-csv"),
    path("concerns.xlsx", concerns.concerns_csv, name="concerns-xlsx"),
    path("concerns.json", concerns.concerns_json, name="concerns-json"),
]
# The feed stands before the releases, whose slugs could else take its place.
urlpatterns += reading_urls
urlpatterns += explore_urls
urlpatterns += studies_urls
