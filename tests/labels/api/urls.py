"""The API mounted as the site mounts it."""

from django.urls import include, path, re_path

from labels.api.problems import not_found

urlpatterns = [
    path("api/v1/", include("labels.api.urls")),
    re_path(r"^api/", not_found),
]
