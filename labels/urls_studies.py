"""Addresses of published studies, below the methodology."""

from django.urls import URLPattern, URLResolver, path

from labels.views import studies

urlpatterns: list[URLPattern | URLResolver] = [
    path("methodology/studies/", studies.studies, name="studies"),
    path("methodology/studies/<str:study>.csv", studies.study_csv, name="study-csv"),
    path("methodology/studies/<str:study>.xlsx", studies.study_csv, name="study-xlsx"),
    path("methodology/studies/<str:study>.json", studies.study_json, name="study-json"),
    path("methodology/studies/<str:study>/", studies.study, name="study"),
]
