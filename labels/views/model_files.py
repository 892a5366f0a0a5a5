"""The other forms of a model's page: its headlines by release as a table, and the chart."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from labels.model_history_files import history_chart, history_table
from labels.views.models import known_model, shown_history
from labels.views.siblings import csv_answer, json_answer, svg_answer


@require_safe
def model_csv(request: HttpRequest, model: str) -> HttpResponseBase:
    """Both headlines of each release, or over the same metrics with `view=same`, as CSV."""
    shown = known_model(model)
    return csv_answer(request, history_table(shown, shown_history(request, shown)))


@require_safe
def model_json(request: HttpRequest, model: str) -> HttpResponse:
    """The same as JSON."""
    shown = known_model(model)
    return json_answer(history_table(shown, shown_history(request, shown)))


@require_safe
def model_svg(request: HttpRequest, model: str) -> HttpResponse:
    """The two charts as one document."""
    shown = known_model(model)
    return svg_answer(history_chart(shown_history(request, shown), title=shown.name), f"{shown.slug}-by-release")
