"""The dots of Explore as a Plotly figure, for readers who ask for it; the page itself needs none of this."""

from collections.abc import Sequence
from html import escape
from typing import Any

from django.utils.translation import gettext as _

from labels.charts.wheel import TINTS
from labels.exploring import Block
from labels.ordering import Row

# Polarity: colour and mark, as on the page.
MARKS = {"positive": (TINTS["positive"][4], "triangle-up"), "negative": (TINTS["negative"][3], "diamond")}
ROW_HEIGHT, HEAD_HEIGHT, FOOT_HEIGHT = 26, 44, 40
# Not by a tag in the text: plotly.js would make a style attribute of it, which the page's policy refuses.
BOLD = {"weight": 700, "size": 16}
FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"


def dots_figure(blocks: Sequence[Block]) -> str:
    """The blocks as JSON for plotly.js: one plot a kind, never on one axis together, 95 in 100 as error bars.

    Models without a number are left out: the page's table says why.
    """
    # Half a second and 30 MB that only a process needs which is asked for a figure.
    import plotly.graph_objects as go  # noqa: PLC0415

    drawn = [(block, [row for row in block.rows if row.number.is_shown]) for block in blocks]
    drawn = [(block, rows) for block, rows in drawn if rows]
    figure = go.Figure(layout=_layout(drawn))
    for at, (block, rows) in enumerate(drawn, start=1):
        figure.add_trace(go.Scatter(**_trace(block, rows), xaxis=f"x{at}", yaxis=f"y{at}"))
    return str(figure.to_json())


def _trace(block: Block, rows: Sequence[Row]) -> dict[str, Any]:
    colour, symbol = MARKS[block.kind.polarity]
    results = [row.number.result for row in rows]
    rates = [(result.pass_rate or 0) * 100 for result in results]
    ends = [
        (rate if one.ci_low is None else one.ci_low * 100, rate if one.ci_high is None else one.ci_high * 100)
        for rate, one in zip(rates, results, strict=True)
    ]
    hollow = [row.number.cell.is_hollow for row in rows]
    return {
        "x": rates,
        # plotly.js reads tags in its texts.
        "y": [escape(row.model.name) for row in rows],
        "name": str(block.kind.name),
        "mode": "markers",
        "marker": {
            "symbol": [f"{symbol}-open" if is_hollow else symbol for is_hollow in hollow],
            "size": 12,
            "color": colour,
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - rate for rate, (_low, high) in zip(rates, ends, strict=True)],
            "arrayminus": [rate - low for rate, (low, _high) in zip(rates, ends, strict=True)],
            "width": 0,
            "color": colour,
        },
        "text": [_words(row) for row in rows],
        "cliponaxis": False,
        "hovertemplate": "%{text}<extra></extra>",
    }


def _words(row: Row) -> str:
    number = row.number
    said = _("%(number)s of 100, likely %(range)s, n %(n)s") % {
        "number": number.text,
        "range": number.range or _("no range"),
        "n": f"{number.result.n_judged:,}",
    }
    return f"{said}, {number.why}" if number.why else said


def _layout(drawn: Sequence[tuple[Block, Sequence[Row]]]) -> dict[str, Any]:
    """Plots one below the other, each as high as its rows, all with the scale from 0 to 100."""
    heights = [HEAD_HEIGHT + ROW_HEIGHT * len(rows) + FOOT_HEIGHT for _block, rows in drawn]
    # plotly refuses a figure lower than 10 pixels, so an empty one has the height of its head and foot.
    total = sum(heights) or HEAD_HEIGHT + FOOT_HEIGHT
    layout: dict[str, Any] = {
        "template": "none",
        "height": total,
        "showlegend": False,
        "margin": {"l": 170, "r": 24, "t": 0, "b": 0},
        "font": {"family": FONT, "size": 14, "color": "#1a1a1a"},
        "hovermode": "closest",
        "annotations": [],
    }
    top = total
    for at, ((block, rows), height) in enumerate(zip(drawn, heights, strict=True), start=1):
        span = [(top - height + FOOT_HEIGHT) / total, (top - HEAD_HEIGHT) / total]
        layout[f"xaxis{at}"] = {"range": [0, 100], "dtick": 20, "anchor": f"y{at}", "zeroline": False}
        layout[f"yaxis{at}"] = {
            "domain": span,
            "anchor": f"x{at}",
            "range": [len(rows) - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        }
        heading = {"text": str(block.kind.name), "font": BOLD, "x": 0, "xref": "paper", "xanchor": "left"}
        layout["annotations"].append(
            {**heading, "y": span[1], "yref": "paper", "yanchor": "bottom", "showarrow": False}
        )
        top -= height
    return layout
