"""The address of the taxonomy desk, for editors."""

from django.urls import URLPattern, path

from submissions.views.editors import taxonomy

urlpatterns: list[URLPattern] = [path("review/taxonomy/", taxonomy.taxonomy, name="taxonomy")]
