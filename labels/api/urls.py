"""Addresses of the REST API, under `/api/v1/`."""

from django.urls import path

from labels.api.views.agreement import AgreementList
from labels.api.views.areas import AreaDetail, AreaList
from labels.api.views.benchmarks import BenchmarkDetail, BenchmarkList
from labels.api.views.comparisons import ComparisonList
from labels.api.views.conversations import ConversationDetail, ConversationList
from labels.api.views.judgments import JudgmentList
from labels.api.views.labels import LabelDetail
from labels.api.views.metrics import MetricDetail, MetricList
from labels.api.views.models import ModelDetail, ModelList
from labels.api.views.reference import index, reference
from labels.api.views.release_detail import ReleaseDetail
from labels.api.views.releases import ReleaseList
from labels.api.views.results import ResultList
from labels.api.views.scenarios import ScenarioList
from labels.api.views.schema import SchemaView
from labels.api.views.sensitivity import SensitivityList
from labels.api.views.studies import StudyList

app_name = "api"

urlpatterns = [
    path("", index, name="index"),
    path("releases/", ReleaseList.as_view(), name="releases"),
    path("releases/<str:slug>/", ReleaseDetail.as_view(), name="release"),
    path("models/", ModelList.as_view(), name="models"),
    path("models/<str:slug>/", ModelDetail.as_view(), name="model"),
    path("areas/", AreaList.as_view(), name="areas"),
    path("areas/<str:slug>/", AreaDetail.as_view(), name="area"),
    path("benchmarks/", BenchmarkList.as_view(), name="benchmarks"),
    path("benchmarks/<str:slug>/", BenchmarkDetail.as_view(), name="benchmark"),
    path("metrics/", MetricList.as_view(), name="metrics"),
    path("metrics/<str:benchmark>/<str:metric>/", MetricDetail.as_view(), name="metric"),
    path("results/", ResultList.as_view(), name="results"),
    path("comparisons/", ComparisonList.as_view(), name="comparisons"),
    path("sensitivity/", SensitivityList.as_view(), name="sensitivity"),
    path("agreement/", AgreementList.as_view(), name="agreement"),
    path("scenarios/", ScenarioList.as_view(), name="scenarios"),
    path("conversations/", ConversationList.as_view(), name="conversations"),
    path("conversations/<str:public_id>/", ConversationDetail.as_view(), name="conversation"),
    path("judgments/", JudgmentList.as_view(), name="judgments"),
    path("labels/<str:model>/", LabelDetail.as_view(), name="label"),
    path("studies/", StudyList.as_view(), name="studies"),
    path("docs/", reference, name="docs"),
    path("schema/", SchemaView.as_view(), name="schema"),
]
