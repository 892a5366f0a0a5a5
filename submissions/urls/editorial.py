"""Addresses for editors who add to public pages: content notices, case studies, replies of providers."""

from django.urls import URLPattern, path

from submissions.views.editorial import case_form, cases, notices, replies

urlpatterns: list[URLPattern] = [
    path("review/notices/", notices.notices, name="notices"),
    path("review/notices/benchmarks/<slug:slug>/", notices.of_benchmark, name="notices-benchmark"),
    path("review/notices/metrics/<slug:benchmark>/<str:metric>/", notices.of_metric, name="notices-metric"),
    path("review/cases/", cases.cases, name="cases-handled"),
    path("review/cases/new/", cases.pick, name="case-pick"),
    path("review/cases/new/<slug:conversation>/", case_form.new, name="case-new"),
    path("review/cases/<slug:slug>/", case_form.edit, name="case-edit"),
    path("review/cases/<slug:slug>/preview/", cases.preview, name="case-preview"),
    path("review/cases/<slug:slug>/publish/", cases.publish, name="case-publish"),
    path("review/cases/<slug:slug>/retire/", cases.retire, name="case-retire"),
    path("review/replies/", replies.replies, name="replies"),
    path("review/replies/new/", replies.new, name="reply-new"),
    path("review/replies/<int:pk>/", replies.reply, name="reply"),
    path("review/replies/<int:pk>/withdraw/", replies.withdraw, name="reply-withdraw"),
]
