"""Addresses of the portal, one module for each kind of visitor or work."""

from submissions.urls import (
    authors,
    editorial,
    editors,
    generated,
    imports,
    public,
    publication,
    reviewers,
    taxonomy,
    trials,
)

app_name = "submissions"
urlpatterns = [
    *authors.urlpatterns,
    *trials.urlpatterns,
    # Before the reviewers': theirs take any word after /review/ for a submission's name.
    *editors.urlpatterns,
    *imports.urlpatterns,
    *generated.urlpatterns,
    *taxonomy.urlpatterns,
    *editorial.urlpatterns,
    *publication.urlpatterns,
    *reviewers.urlpatterns,
    *public.urlpatterns,
]
