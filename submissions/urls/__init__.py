"""Addresses of the portal, one module for each kind of visitor or work."""

from submissions.urls import authors, editors, public, publication, reviewers, trials

app_name = "submissions"
urlpatterns = [
    *authors.urlpatterns,
    *trials.urlpatterns,
    *reviewers.urlpatterns,
    *editors.urlpatterns,
    *publication.urlpatterns,
    *public.urlpatterns,
]
