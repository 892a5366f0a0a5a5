"""What the import desk shows: the imports, the rows of one, and the table of what became of every draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, Func, Q, QuerySet, TextField

from submissions.content import MOST_ITEMS
from submissions.import_text import RowText
from submissions.models import DraftRow, SourceImport
from submissions.services.draft_rows import OPEN, can_be_checked
from submissions.services.sending_imports import Prospect, prospects

PAGE = 10
IMPORTS_A_PAGE = 50
# Longer words of a source are shown in part, the whole of them on demand.
SHOWN_WORDS = 700
LEAST_EXAMPLES = 2
MOST_FLAGS = 20

State, Kind = DraftRow.State, DraftRow.Kind
# The views of an import: what each is called, and the rows it shows.
VIEWS: dict[str, tuple[str, Q]] = {
    "open": ("To work on", Q(kind=Kind.METRIC, state__in=OPEN)),
    "checked": ("Checked", Q(kind=Kind.METRIC, state=State.CONFIRMED)),
    "sent": ("Sent on", Q(kind=Kind.METRIC, state=State.ACCEPTED)),
    "out": ("Dropped or merged", Q(kind=Kind.METRIC, state__in=(State.DROPPED, State.MERGED))),
    "known": ("Read before", Q(kind=Kind.METRIC, state=State.KNOWN)),
    "scenarios": ("Scenarios", Q(kind=Kind.SCENARIO)),
}


@dataclass(frozen=True, slots=True)
class Look:
    """Which rows an editor looks at: one of `VIEWS`, those with some words, those with a flag."""

    view: str = "open"
    words: str = ""
    flag: str = ""

    @property
    def query(self) -> str:
        """As the address has it."""
        return urlencode(
            {name: value for name, value in (("view", self.view), ("q", self.words), ("flag", self.flag)) if value}
        )

    @property
    def is_filtered(self) -> bool:
        """Whether it leaves out rows of its view."""
        return bool(self.words or self.flag)


@dataclass(frozen=True, slots=True)
class View:
    """One of `VIEWS` with how many rows it has."""

    name: str
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as the desk shows it: its text now, the same as a form needs it, and what it would be as a submission."""

    row: DraftRow
    text: RowText
    prospect: Prospect | None
    is_open: bool
    is_checkable: bool
    present: tuple[str, ...]
    absent: tuple[str, ...]
    # (key, words) of the scenarios that the source has for it
    scenarios: tuple[tuple[str, str], ...]

    @property
    def beginning(self) -> str:
        """The beginning of a long source text; '' for one that is shown whole."""
        return f"{self.row.text[:SHOWN_WORDS]}…" if len(self.row.text) > SHOWN_WORDS else ""


def imports() -> QuerySet[SourceImport]:
    """All imports that were not discarded, the newest first, with counts of metric rows: all, open, sent."""
    metrics = Q(rows__kind=Kind.METRIC)
    counted = SourceImport.objects.filter(discarded_at=None).annotate(
        n_metrics=Count("rows", filter=metrics),
        n_open=Count("rows", filter=metrics & Q(rows__state__in=OPEN)),
        n_sent=Count("rows", filter=metrics & Q(rows__state=State.ACCEPTED)),
    )
    return counted.order_by("-read_at", "-pk")


def views_of(source: SourceImport) -> list[View]:
    """The views that have rows, and always the first one. One query."""
    counts = source.rows.aggregate(**{name: Count("pk", filter=chosen) for name, (_, chosen) in VIEWS.items()})
    views = [View(name, title, counts[name]) for name, (title, _) in VIEWS.items()]
    return [view for view in views if view.count or view.name == "open"]


def rows_of(source: SourceImport, look: Look) -> QuerySet[DraftRow]:
    """The rows that an editor looks at, in the file's order."""
    rows = source.rows.filter(VIEWS[look.view][1])
    if look.words:
        rows = rows.filter(Q(text__icontains=look.words) | Q(content__name__icontains=look.words))
    if look.flag:
        rows = rows.filter(flags__contains=[look.flag])
    return rows.order_by("number", "part")


def page_of(source: SourceImport, look: Look, number: Any) -> Page[DraftRow]:
    """A page of these rows."""
    rows = rows_of(source, look).select_related("merged_into", "split_from", "earlier", "submission")
    return Paginator(rows.prefetch_related("merged"), PAGE).get_page(number)


def flags_of(source: SourceImport, view: str) -> list[tuple[str, int]]:
    """The flags that several rows of a view have, the most frequent first, with how many have them."""
    flag = Func("flags", function="jsonb_array_elements_text", output_field=TextField())
    rows = source.rows.filter(VIEWS[view][1]).annotate(flag=flag).values("flag")
    counted = rows.annotate(n=Count("pk")).order_by("-n", "flag").values_list("flag", "n")
    return [(name, n) for name, n in counted[:MOST_FLAGS] if n > 1]


def shown_rows(source: SourceImport, rows: Sequence[DraftRow], typed: Mapping[int, RowText]) -> list[ShownRow]:
    """The rows as the desk shows them; `typed` are words that could not be kept, by the rows' keys."""
    for row in rows:
        if row.pk in typed:
            row.content = typed[row.pk].to_json()
    metrics = [row for row in rows if row.kind == Kind.METRIC]
    found = {one.row.pk: one for one in prospects(source, metrics)} if metrics else {}
    titles = _titles(source, metrics)
    return [_shown(row, found.get(row.pk), titles) for row in rows]


def _shown(row: DraftRow, prospect: Prospect | None, titles: Mapping[str, str]) -> ShownRow:
    text = RowText.from_json(row.content)
    return ShownRow(
        row=row,
        text=text,
        prospect=prospect,
        is_open=row.state in OPEN,
        is_checkable=can_be_checked(text),
        present=_lines(text.examples_present),
        absent=_lines(text.examples_absent),
        scenarios=tuple((key, titles[key]) for key in row.read.get("scenarios", ()) if key in titles),
    )


def _lines(examples: tuple[str, ...]) -> tuple[str, ...]:
    """The examples and empty lines for those that are still to be written."""
    empty = max(LEAST_EXAMPLES - len(examples), 0)
    return (*examples, *[""] * empty)[:MOST_ITEMS]


def _titles(source: SourceImport, rows: Sequence[DraftRow]) -> dict[str, str]:
    """What the scenarios of these rows say, shortened, by their keys."""
    keys = {key for row in rows for key in row.read.get("scenarios", ())}
    found = source.rows.filter(kind=Kind.SCENARIO, key__in=keys).values_list("key", "text") if keys else ()
    return {key: _shortened(text) for key, text in found}


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 100 else f"{words[:99]}…"


COLUMNS = (
    "import", "file", "format", "format_verified", "benchmark", "licence", "sharing", "row", "kind", "key", "place",
    "source_text", "proposed_polarity", "polarity_reason", "flags", "name_as_read", "definition_as_read", "name_now",
    "definition_now", "polarity_now", "changed", "became", "reason", "merged_into_row", "split_from_row",
    "same_as_import", "submission", "history",
)  # fmt: skip


def table(rows: QuerySet[DraftRow]) -> Iterator[tuple[object, ...]]:
    """One line for each draft, as in `COLUMNS`: where it came from, how it was read, and what became of it.

    Persons are named as the audit trail names them, such as `account 17`.
    """
    wanted = rows.select_related("source", "merged_into", "split_from", "earlier__source", "submission")
    ordered = wanted.order_by("source", "number", "part").prefetch_related("changes__act__by")
    for row in ordered.iterator(chunk_size=500):
        yield _line(row)


def _line(row: DraftRow) -> tuple[object, ...]:
    source, read, now = row.source, row.read, RowText.from_json(row.content)
    proposal = read.get("proposal") or {}
    changed = changed_fields(row)
    return (
        source.pk, source.file_name, source.format, "yes" if source.is_verified else "no", source.slug, source.licence,
        source.sharing, row.label, row.kind, row.key, row.place, row.text, proposal.get("polarity") or "",
        proposal.get("reason") or "", "; ".join(row.flags), read.get("name") or read.get("title") or "",
        read.get("definition") or "", now.name, now.definition, now.polarity, ", ".join(changed),
        became(row, bool(changed)), row.reason, row.merged_into.label if row.merged_into else "",
        row.split_from.label if row.split_from else "", row.earlier.source_id if row.earlier else "",
        row.submission.public_id if row.submission else "", _history(row),
    )  # fmt: skip


def changed_fields(row: DraftRow) -> list[str]:
    """The fields of a metric row that no longer say what was read."""
    if row.kind != Kind.METRIC:
        return []
    now, read = RowText.from_json(row.content), row.read
    before = {
        "name": read.get("name"),
        "definition": read.get("definition"),
        "polarity": (read.get("proposal") or {}).get("polarity"),
        "construct": read.get("rationale"),
        "hard_cases": read.get("interpretive_clause"),
        "examples_present": tuple(read.get("examples_present") or ()),
        "examples_absent": tuple(read.get("examples_absent") or ()),
    }
    return [name for name, value in before.items() if (value or "") != (getattr(now, name) or "")]


def became(row: DraftRow, is_changed: bool) -> str:
    """What became of a draft, in the words of the table."""
    match row.state:
        case State.PROPOSED:
            return "not decided"
        case State.CONFIRMED:
            return "edited" if is_changed else "kept"
        case State.ACCEPTED:
            return "edited and sent on" if is_changed else "kept and sent on"
        case State.MERGED:
            return "merged into another"
        case State.KNOWN:
            return "read before"
    return "dropped"


def _history(row: DraftRow) -> str:
    """'2027-01-05 21:30 account 3: dropped; ...' of all acts, the oldest first."""
    told = []
    for change in row.changes.all():
        act = change.act
        undone = " (undone)" if act.undone_at else ""
        told.append(f"{act.at:%Y-%m-%d %H:%M} {act.by or 'somebody'}: {act.get_action_display()}{undone}")
    return "; ".join(told)
