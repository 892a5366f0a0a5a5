"""Addresses of the API's private part that are the portal's, under `/api/v1/`."""

from django.urls import path

from submissions.api.views.imports import ImportDetail, ImportList
from submissions.api.views.submissions import (
    SubmissionAnswers,
    SubmissionDetail,
    SubmissionList,
    SubmissionSending,
    SubmissionWithdrawal,
)

app_name = "submissions-api"

urlpatterns = [
    path("submissions/", SubmissionList.as_view(), name="submissions"),
    path("submissions/<str:public_id>/", SubmissionDetail.as_view(), name="submission"),
    path("submissions/<str:public_id>/submit/", SubmissionSending.as_view(), name="submit"),
    path("submissions/<str:public_id>/withdraw/", SubmissionWithdrawal.as_view(), name="withdraw"),
    path("submissions/<str:public_id>/answers/", SubmissionAnswers.as_view(), name="answers"),
    path("imports/", ImportList.as_view(), name="imports"),
    path("imports/<int:pk>/", ImportDetail.as_view(), name="import"),
]
