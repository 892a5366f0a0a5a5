"""A model's history as a chart for a file and as a table."""

from django.utils import formats
from django.utils.html import escape

from evaluation.models import LanguageModel
from labels.charts import history as chart
from labels.label import label_notes
from labels.model_history import History
from labels.tables import RESULT_COLUMNS, Table, result_values
from labels.wording import KINDS


def history_chart(history: History, *, title: str) -> str:
    """Both charts as one document for a file, one below the other."""
    parts = [
        f'<svg y="{40 + position * (chart.HEIGHT + 30)}" width="720" height="{chart.HEIGHT}">'
        f'<text x="8%" y="12" font-size="15" font-weight="700" fill="currentColor">'
        f"{escape(KINDS[polarity].name)}</text>"
        f"{chart.body(polarity, chart_dots(history, polarity), [step.is_break for step in history.steps])}</svg>"
        for position, polarity in enumerate(KINDS)
    ]
    height = 40 + 2 * (chart.HEIGHT + 30) + 50
    notes = label_notes(history.points[-1].release)[:2] if history.points else []
    lines = "".join(
        f'<text x="12" y="{height - 34 + 18 * at}" font-size="12" fill="currentColor">{escape(note)}</text>'
        for at, note in enumerate(notes)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}" viewBox="0 0 720 {height}" '
        f'font-family="Helvetica, Arial, sans-serif" color="#111" role="img"><title>{escape(title)}</title>'
        f'<rect width="720" height="{height}" fill="#fff"/>'
        f'<text x="12" y="24" font-size="18" font-weight="700" fill="currentColor">{escape(title)}</text>'
        f"{''.join(parts)}{lines}</svg>"
    )


def chart_dots(history: History, polarity: str) -> list[chart.Dot]:
    """What the chart of one kind shows."""
    return [
        chart.Dot(
            point.release.published_at.date(),
            formats.date_format(point.release.published_at, "M Y"),
            shown.cell.drawn if (shown := point.numbers.get(polarity)) else None,
        )
        for point in history.points
    ]


def history_table(model: LanguageModel, history: History) -> Table:
    """One line a release and kind; `comparable_with_before` is empty for the first release."""
    columns = ("model", "in_release", "published_at", "status", "polarity", *RESULT_COLUMNS, "comparable_with_before")
    before: list[bool | None] = [None, *(not step.is_break for step in history.steps)]
    rows = [
        [
            model.slug, point.release.slug, point.release.published_at.date().isoformat(), point.release.status,
            polarity, *result_values(shown.result if shown else None), comparable,
        ]
        for point, comparable in zip(history.points, before, strict=True)
        for polarity, shown in zip(KINDS, point.both, strict=True)
    ]  # fmt: skip
    notes = tuple(str(note) for note in label_notes(history.points[-1].release))
    name = f"{model.slug}-by-release" + ("-same-metrics" if history.is_same else "")
    return Table(name, columns, rows, notes=notes)
