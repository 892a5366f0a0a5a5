"""The report of a release as sections of a page: picture, sentence, table and what it leaves out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from evaluation.models import Release
from evaluation.selectors.release_report import ReleaseReport, release_report
from evaluation.statistics.report.tables import Column, ReportTable, Row
from evaluation.statistics.report.writing import NUMBER_KINDS, cell_text, table_notes
from labels.report_pictures import Block, picture

# A table of more rows than this is folded away under its picture.
LONG = 8
REPORTS_KEPT = 8

# What a file is, and where.
Files = list[tuple[str, str]]


@dataclass(frozen=True)
class Cell:
    """One cell: its words, whether it is a number, and where it leads."""

    text: str
    is_number: bool
    href: str = ""


@dataclass(frozen=True)
class Section:
    """One table of the report as a page shows it."""

    slug: str
    title: str
    sentence: str
    blocks: list[Block]
    headings: list[tuple[str, bool]]
    rows: list[list[Cell]]
    notes: list[str]
    files: Files

    @property
    def is_long(self) -> bool:
        return len(self.rows) > LONG or bool(self.blocks)


def report_of(release: Release) -> ReleaseReport:
    """The report of a release; kept for as long as this process lives, as a release never changes."""
    return _kept(release.pk, release.content_hash)


@lru_cache(maxsize=REPORTS_KEPT)
def _kept(pk: int, _content_hash: str) -> ReleaseReport:
    return release_report(Release.objects.select_related("judge__language_model", "user_simulator").get(pk=pk))


def sections(
    tables: Sequence[ReportTable], *, release: str = "", files: Callable[[str], Files] | None = None
) -> list[Section]:
    """The tables as sections; `files` gives the files (kind, address) of a table by its slug.

    With the slug of a release, metrics lead to their pages.
    """
    return [_section(table, release, files(table.slug) if files else []) for table in tables]


def release_files(slug: str, release: str) -> Files:
    """Where the files of a table of a release are."""
    names = {"CSV": "labels:report-csv", "XLSX": "labels:report-xlsx", "JSON": "labels:report-table-json"}
    return [(kind, reverse(name, args=[release, slug])) for kind, name in names.items()]


def _section(table: ReportTable, release: str, files: Files) -> Section:
    return Section(
        slug=table.slug,
        title=table.title,
        sentence=table.sentence,
        blocks=picture(table),
        headings=[(column.heading, column.kind in NUMBER_KINDS) for column in table.columns],
        rows=[[_cell(column, row, release) for column in table.columns] for row in table.rows],
        notes=table_notes(table),
        files=files,
    )


def _cell(column: Column, row: Row, release: str) -> Cell:
    href = ""
    if release and column.key == "metric" and "/" in row.get("slug", ""):
        benchmark, metric = row["slug"].split("/", 1)
        href = f"{reverse('labels:metric', args=[benchmark, metric])}?release={release}"
    return Cell(cell_text(column, row), column.kind in NUMBER_KINDS, href)
