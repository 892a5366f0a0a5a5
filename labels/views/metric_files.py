"""A metric's numbers and a scenario's verdicts as CSV and JSON."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from evaluation.models import Result
from labels import exploring
from labels.context import read_state
from labels.tables import RESULT_COLUMNS, Table, release_table, result_values
from labels.views.metric_pages import asked_version, measured, public_versions, read_scenario, shown_verdicts
from labels.views.siblings import csv_answer, json_answer

METRIC_COLUMNS = ("metric", "version", "polarity", "model", "profile", *RESULT_COLUMNS)
SCENARIO_COLUMNS = (
    "metric", "version", "scenario", "conversation", "model", "profile", "sample", "present", "passed", "reason",
)  # fmt: skip


@require_safe
def metric_csv(request: HttpRequest, benchmark: str, metric: str) -> HttpResponseBase:
    """Each shown model's numbers and those of all together, by profile, as CSV."""
    return csv_answer(request, _metric_table(request, benchmark, metric))


@require_safe
def metric_json(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """The same as JSON."""
    return json_answer(_metric_table(request, benchmark, metric))


@require_safe
def scenario_csv(request: HttpRequest, benchmark: str, metric: str, number: int) -> HttpResponseBase:
    """Each verdict of the scenario, as CSV; what was said stands at the conversation's own address."""
    return csv_answer(request, _scenario_table(request, benchmark, metric, number))


@require_safe
def scenario_json(request: HttpRequest, benchmark: str, metric: str, number: int) -> HttpResponse:
    """The same as JSON."""
    return json_answer(_scenario_table(request, benchmark, metric, number))


def _metric_table(request: HttpRequest, benchmark: str, metric: str) -> Table:
    state = read_state(request)
    version = measured(public_versions(state, benchmark, metric), asked_version(request, state))
    profiles = ["all", *(profile.slug for profile in state.profiles)] if state.profile == "both" else [state.profile]
    models = {model.pk: model.slug for model in exploring.shown_models(state)}
    found: list[Result] = []
    if state.release is not None and version.is_in_release:  # type: ignore[attr-defined]
        group = Result.objects.filter(
            release=state.release, group=Result.Group.METRIC, key=version.metric.slug, profile__in=profiles
        )
        found = [one for one in group if one.model_id is None or one.model_id in models]
    found.sort(key=lambda one: (models.get(one.model_id or 0, "~"), profiles.index(one.profile)))
    rows = [
        [version.metric.slug, version.number, one.polarity, models.get(one.model_id or 0), one.profile,
         *result_values(one)]
        for one in found
    ]  # fmt: skip
    return release_table(state.release, version.metric.slug.replace("/", "-"), METRIC_COLUMNS, rows)


def _scenario_table(request: HttpRequest, benchmark: str, metric: str, number: int) -> Table:
    state = read_state(request)
    version, base, verdicts = read_scenario(request, state, benchmark, metric, number)
    rows = [
        [version.metric.slug, version.number, base.number, one.conversation.public_id, one.model.slug,
         one.profile.slug, one.conversation.sample, one.present, one.passed, one.reason or None]
        for one in shown_verdicts(state, verdicts)
    ]  # fmt: skip
    name = f"{version.metric.slug.replace('/', '-')}-scenario-{base.number}"
    return release_table(state.release, name, SCENARIO_COLUMNS, rows)
