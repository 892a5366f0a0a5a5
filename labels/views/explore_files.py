"""Explore as files: the same numbers as CSV, JSON, a picture that stands alone, and a figure to point at."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from labels import exploring
from labels.addresses import public_url
from labels.charts import sheet
from labels.charts import wheel as wheel_chart
from labels.explore_place import Position, linked_tree, read_blocks, read_position, read_subarea_results
from labels.explore_table import explore_table
from labels.figures import dots_figure
from labels.views.explore import page_title, state_words
from labels.views.siblings import csv_answer, json_answer, pinned_address, svg_answer
from labels.wheels import read_wheel
from labels.wording import short_limits

# Where the dots and the wheel begin, below the picture's heading; its last lines.
DOTS_TOP, WHEEL_TOP = 96, 124
FOOT_LINE, FOOT_GAP = 20, 12


@require_safe
def explore_csv(request: HttpRequest, area: str = "", subarea: str = "") -> HttpResponseBase:
    """The numbers of the page as CSV."""
    return csv_answer(request, explore_table(request, read_position(request, area, subarea)))


@require_safe
def explore_json(request: HttpRequest, area: str = "", subarea: str = "") -> HttpResponse:
    """The numbers of the page as JSON."""
    return json_answer(explore_table(request, read_position(request, area, subarea)))


@require_safe
def explore_figure(request: HttpRequest, area: str = "", subarea: str = "") -> HttpResponse:
    """The dots of the page as a figure for plotly.js."""
    made, _sort = read_blocks(request, read_position(request, area, subarea))
    return HttpResponse(dots_figure(made), content_type="application/json")


@require_safe
def explore_svg(request: HttpRequest, area: str = "", subarea: str = "") -> HttpResponse:
    """The chart of the page as a document of its own: the wheel where that is the view, else the dots."""
    position = read_position(request, area, subarea)
    is_wheel = request.GET.get("view") == "wheel"
    context = _wheel(request, position) if is_wheel else _dots(request, position)
    bottom = context.pop("bottom") + FOOT_GAP
    address = pinned_address(request, position.state).replace(".svg", "/", 1)
    lines = [*short_limits(), f"{position.release.title} · {address}"]
    context |= {
        "place": position.place.name,
        "title": page_title(position, "wheel" if is_wheel else "dots"),
        "status": state_words(position.state),
        "width": sheet.WIDTH,
        "height": bottom + FOOT_LINE * (len(lines) + 1),
        "foot": [(line, bottom + FOOT_LINE * at) for at, line in enumerate(lines, start=1)],
    }
    context["description"] = " ".join([*context["said"], *short_limits(), position.release.title])
    return svg_answer(render_to_string("labels/explore.svg", context, request), position.file_name)


def _dots(request: HttpRequest, position: Position) -> dict[str, Any]:
    made, _sort = read_blocks(request, position)
    panels, bottom = sheet.panels(made, DOTS_TOP)
    return {"panels": panels, "bottom": bottom, "said": exploring.say(position.state, made, position.where)}


def _wheel(request: HttpRequest, position: Position) -> dict[str, Any]:
    shown = [one for one in linked_tree(request, position.tree) if one[0] in position.shown_tree]
    areas = [(area, parts) for area, _address, parts in shown]
    wheel = read_wheel(position.state, areas, read_subarea_results(position))
    said = [part.words for part in wheel.parts]
    base = public_url(request, "/").rstrip("/")
    return {
        "wheel": wheel,
        "alone": True,
        "top": WHEEL_TOP,
        "base": base,
        "bottom": WHEEL_TOP + wheel_chart.HEIGHT,
        "said": said,
    }
