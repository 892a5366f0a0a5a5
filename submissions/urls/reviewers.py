"""Addresses for reviewers, and of the discussion for all who take part in it."""

from django.urls import URLPattern, path

from submissions.views.reviewers import answers, comments, desk, files, page

urlpatterns: list[URLPattern] = [
    path("review/", desk.desk, name="review-queue"),
    path("review/settings/", desk.reviewer_settings, name="review-settings"),
    path("review/<str:public_id>/", page.review, name="review"),
    path("review/<str:public_id>/answer/", answers.answer, name="review-answer"),
    path("review/<str:public_id>/hand-back/", answers.hand_back, name="review-hand-back"),
    path("review/<str:public_id>/skip/", desk.skip, name="review-skip"),
    path("review/<str:public_id>/comments/", comments.review_comments, name="review-comments"),
    path("review/<str:public_id>/files/<int:key>/", files.review_file, name="review-file"),
    path("submissions/<str:public_id>/comments/", comments.own_comments, name="own-comments"),
]
