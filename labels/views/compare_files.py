"""A comparison as files: its numbers and decisions as CSV and JSON, its chart as a picture that stands alone."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels.charts import sheet
from labels.comparing import LABEL, Comparison, chosen, compare
from labels.comparing_table import compared_table
from labels.context import State
from labels.errors import PageNotFound
from labels.exploring import Block
from labels.numbers import Number
from labels.ordering import Row, RowGroup
from labels.tables import Table
from labels.views.compare import is_comparable, read_comparison
from labels.views.siblings import csv_answer, json_answer, pinned_address, svg_answer
from labels.wording import in_words, short_limits

# Where the dots begin, below the picture's heading; its last lines.
TOP, FOOT_LINE, FOOT_GAP = 96, 20, 12


@require_safe
def comparison_csv(request: HttpRequest) -> HttpResponseBase:
    """The numbers of the view as CSV; without two models only its head."""
    return csv_answer(request, _table(request))


@require_safe
def comparison_json(request: HttpRequest) -> HttpResponse:
    """The same as JSON."""
    return json_answer(_table(request))


@require_safe
def comparison_svg(request: HttpRequest) -> HttpResponse:
    """Both headlines of the chosen models as a picture; without two models there is none."""
    state, _view, _only = read_comparison(request)
    if state.release is None or not is_comparable(state):
        raise PageNotFound(_("A picture of a comparison needs two models."))
    context = _picture(request, state, compare(request, state, view=LABEL))
    slugs = "-".join(model.slug for model in chosen(state))
    return svg_answer(render_to_string("labels/explore.svg", context, request), f"compare-{slugs}-{state.release.slug}")


def _table(request: HttpRequest) -> Table:
    state, view, only_differing = read_comparison(request)
    return compared_table(request, state, view=view, only_differing=only_differing)


def _picture(request: HttpRequest, state: State, made: Comparison) -> dict[str, Any]:
    assert state.release is not None
    panels, bottom = sheet.panels(_blocks(made), TOP)
    lines = [*short_limits(), f"{state.release.title} · {pinned_address(request, state).replace('.svg', '/', 1)}"]
    bottom += FOOT_GAP
    title = in_words([model.name for model in made.models])
    return {
        "panels": panels,
        "place": _("Compare"),
        "title": _("Compare: %(models)s") % {"models": title},
        "status": _("%(who)s, %(release)s") % {"who": state.who, "release": state.release.title},
        "description": " ".join([*made.sentences, *short_limits(), state.release.title]),
        "width": sheet.WIDTH,
        "height": bottom + FOOT_LINE * (len(lines) + 1),
        "foot": [(line, bottom + FOOT_LINE * at) for at, line in enumerate(lines, start=1)],
    }


def _blocks(made: Comparison) -> list[Block]:
    """Each kind's headlines; below them what can be told apart."""
    blocks = []
    for block in made.blocks:
        sides = block.everything.sides
        rows = [Row(side.model, Number(side.cell.result, side.cell)) for side in sides if side.cell.result]
        blocks.append(Block(block.kind, 0, [RowGroup(rows, block.everything.words)], None))
    return blocks
