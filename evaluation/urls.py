"""Addresses of the operators' pages."""

from django.urls import URLPattern, URLResolver, path

from evaluation.views import plans, releasing, runs

app_name = "evaluation"

urlpatterns: list[URLPattern | URLResolver] = [
    path("runs/", plans.runs, name="runs"),
    path("runs/<slug:slug>/", runs.run_page, name="run"),
    path("runs/<slug:slug>/progress/", runs.run_progress_fragment, name="run-progress"),
    path("runs/<slug:slug>/start/", runs.start, name="run-start"),
    path("runs/<slug:slug>/pause/", runs.pause, name="run-pause"),
    path("runs/<slug:slug>/resume/", runs.resume, name="run-resume"),
    path("runs/<slug:slug>/cancel/", runs.cancel, name="run-cancel"),
    path("runs/<slug:slug>/again/", runs.try_again, name="run-again"),
    path("runs/<slug:slug>/budget/", runs.change_budget, name="run-budget"),
    path("runs/<slug:slug>/concurrency/", runs.change_concurrency, name="run-concurrency"),
    path("runs/<slug:slug>/release/", releasing.release, name="run-release"),
]
