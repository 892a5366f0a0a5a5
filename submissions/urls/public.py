"""Addresses for readers without an account."""

from django.urls import URLPattern, path

from submissions.views.public import cases, replies, status, voices

urlpatterns: list[URLPattern] = [
    path("metrics/<slug:benchmark>/<str:metric>/voices/", voices.voices, name="voices"),
    path("metrics/<slug:benchmark>/<str:metric>/suggest/", voices.suggest_page, name="suggest"),
    path("metrics/<slug:benchmark>/<str:metric>/suggest/thanks/", voices.suggested, name="suggested"),
    path("cases/", cases.cases, name="cases"),
    path("cases/<slug:slug>/", cases.case, name="case"),
    path("models/<slug:model>/reply/", replies.replies, name="model-replies"),
    path("submissions/<str:public_id>/status/", status.public_status_page, name="status"),
]
