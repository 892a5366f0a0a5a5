"""Addresses for publishing and retiring, new versions, what readers say, and copies."""

from django.urls import URLPattern, path

from submissions.views.publication import begin, copies, publish, suggestions

urlpatterns: list[URLPattern] = [
    path("review/suggestions/", suggestions.queue, name="suggestions"),
    path("review/suggestions/<int:pk>/", suggestions.decide_page, name="suggestion"),
    path("review/<str:public_id>/publish/", publish.publish_page, name="publish"),
    path("review/<str:public_id>/retire/", publish.retire_page, name="retire"),
    path("review/<str:public_id>/copy.json", copies.review_json, name="review-copy"),
    path("submissions/<str:public_id>/copy.json", copies.own_json, name="copy-json"),
    path("submissions/<str:public_id>/copy.pdf", copies.own_pdf, name="copy-pdf"),
    path("submissions/<str:public_id>/clone/", begin.clone, name="clone"),
    path("submissions/<str:public_id>/new-version/", begin.new_version, name="new-version"),
    path("submissions/<str:public_id>/voices/", suggestions.of_authors, name="own-voices"),
]
