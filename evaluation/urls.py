"""Addresses of the operators' pages, and of studies."""

from django.urls import URLPattern, URLResolver, path

from evaluation.views import list_files, plans, releasing, runs, schedules
from evaluation.views.studies import (
    calibrating,
    designing,
    desk,
    exports,
    invitation,
    machine_runs,
    managing,
    own,
    planning,
    workspace,
)
from impactbench.common.table_files import table_paths

app_name = "evaluation"

urlpatterns: list[URLPattern | URLResolver] = [
    path("runs/", plans.runs, name="runs"),
    *table_paths("runs/runs", list_files.runs_table, "runs"),
    path("runs/<slug:slug>/", runs.run_page, name="run"),
    *table_paths("runs/<slug:slug>/spending", list_files.spending_table, "run-spending"),
    path("runs/<slug:slug>/progress/", runs.run_progress_fragment, name="run-progress"),
    path("runs/<slug:slug>/start/", runs.start, name="run-start"),
    path("runs/<slug:slug>/pause/", runs.pause, name="run-pause"),
    path("runs/<slug:slug>/resume/", runs.resume, name="run-resume"),
    path("runs/<slug:slug>/cancel/", runs.cancel, name="run-cancel"),
    path("runs/<slug:slug>/again/", runs.try_again, name="run-again"),
    path("runs/<slug:slug>/budget/", runs.change_budget, name="run-budget"),
    path("runs/<slug:slug>/concurrency/", runs.change_concurrency, name="run-concurrency"),
    path("runs/<slug:slug>/release/", releasing.release, name="run-release"),
    path("runs/<slug:slug>/schedule/", schedules.set_schedule, name="run-schedule"),
    path("runs/<slug:slug>/schedule/stop/", schedules.stop, name="run-schedule-stop"),
    path("studies/", desk.desk, name="studies"),
    *table_paths("studies/studies", list_files.studies_table, "studies"),
    path("studies/planning/", planning.planning, name="study-planning"),
    path("studies/calibration/", calibrating.calibrating, name="study-calibration"),
    *table_paths("studies/calibration/judges", list_files.judges_table, "study-judges"),
    path("studies/new/", designing.new_study, name="study-new"),
    path("studies/invitation/<str:token>/", invitation.invitation, name="study-invitation"),
    path("studies/<slug:study>/", managing.study_page, name="study"),
    path("studies/<slug:study>/<int:place>/", workspace.rate, name="study-rate"),
    path("studies/<slug:study>/finish/", own.finish, name="study-finish"),
    path("studies/<slug:study>/hidden/", own.revealed, name="study-revealed"),
    path("studies/<slug:study>/consent/", own.consent, name="study-consent"),
    path("studies/<slug:study>/declare/", own.declare, name="study-declare"),
    path("studies/<slug:study>/leave/", own.leave, name="study-leave"),
    path("studies/<slug:study>/act/", managing.act, name="study-act"),
    path("studies/<slug:study>/runs/", machine_runs.runs, name="study-runs"),
    path("studies/<slug:study>/invite/", managing.invite, name="study-invite"),
    path("studies/<slug:study>/raters/<int:seat>/", managing.rater, name="study-rater"),
    path("studies/<slug:study>/analysis/", managing.analysis, name="study-analysis"),
    path("studies/<slug:study>/items/", managing.items, name="study-items"),
    path("studies/<slug:study>/items/<int:number>/", managing.item, name="study-item"),
    path("studies/<slug:study>/items.csv", exports.items_table, {"kind": "csv"}, name="study-items-csv"),
    path("studies/<slug:study>/items.xlsx", exports.items_table, {"kind": "xlsx"}, name="study-items-xlsx"),
    path("studies/<slug:study>/ratings.csv", exports.ratings_table, {"kind": "csv"}, name="study-ratings-csv"),
    path("studies/<slug:study>/ratings.xlsx", exports.ratings_table, {"kind": "xlsx"}, name="study-ratings-xlsx"),
    path("studies/<slug:study>/study.json", exports.study_json, name="study-json"),
]
