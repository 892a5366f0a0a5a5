"""Addresses for trials."""

from django.urls import URLPattern, path

from submissions.views import trial_models, trials

urlpatterns: list[URLPattern] = [
    path("submissions/<str:public_id>/trials/", trials.ask, name="trials"),
    path("submissions/<str:public_id>/trials/<int:key>/", trials.trial, name="trial"),
    path("review/trials/", trial_models.trial_models, name="trial-models"),
]
