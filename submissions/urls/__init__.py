"""Addresses of the portal, one module for each kind of visitor."""

from submissions.urls import authors, editors, public, reviewers

app_name = "submissions"
urlpatterns = [*authors.urlpatterns, *reviewers.urlpatterns, *editors.urlpatterns, *public.urlpatterns]
