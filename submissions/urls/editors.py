"""Addresses for editors; the board and the page of one submission stand among those of reviewers."""

from django.urls import URLPattern, path

from impactbench.common.table_files import table_paths
from submissions.views.editors import acts, bulk, calls, decision, desk_files, outbox, people, reviewers

urlpatterns: list[URLPattern] = [
    path("review/bulk/", bulk.preview, name="review-bulk"),
    path("review/bulk/do/", bulk.perform, name="review-bulk-do"),
    path("review/import/", reviewers.import_table, name="review-import"),
    path("review/calls/", calls.calls, name="review-calls"),
    path("review/calls/new/", calls.new_call, name="review-call-new"),
    path("review/calls/<slug:slug>/", calls.edit_call, name="review-call"),
    path("review/people/", people.people, name="review-people"),
    *table_paths("review/people", desk_files.reviewers_table, "review-people"),
    path("review/people/<int:pk>/", people.areas, name="review-person"),
    path("review/mails/<int:pk>/", outbox.act, name="review-mail"),
    path("review/extensions/<int:pk>/", acts.answer_extension, name="review-extension"),
    path("review/<str:public_id>/reviewers/", reviewers.reviewers, name="review-reviewers"),
    path("review/<str:public_id>/assignments/<int:pk>/", reviewers.change, name="review-assignment"),
    path("review/<str:public_id>/decision/", decision.decision, name="review-decision"),
    path("review/<str:public_id>/decisions/<int:pk>/", decision.act, name="review-decision-act"),
    path("review/<str:public_id>/conflicts/", acts.add_conflict, name="review-conflicts"),
    path("review/<str:public_id>/conflicts/<int:pk>/", acts.clear_conflict, name="review-conflict-clear"),
    path("review/<str:public_id>/reopen/", acts.reopen, name="review-reopen"),
]
