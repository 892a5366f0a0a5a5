"""`import_benchmark PATH...`: reads benchmark definitions, each file all or nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.importers.importing import import_benchmarks
from evaluation.importers.registry import AUTO, format_names
from evaluation.importers.writing.reports import FileReport
from evaluation.management.json_reports import refuse_unwritable, write_report
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import DomainError

LONGEST_LINE = 300


class Command(ImpactBenchCommand):
    help = "Import benchmark definitions: files, or folders of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="a file, or a folder of files")
        parser.add_argument("--format", choices=format_names(), default=AUTO, help="default: recognised by itself")
        parser.add_argument("--accept", action="store_true", help="make drafts of other formats runnable (logged)")
        parser.add_argument("--dry-run", action="store_true", help="only tell what would be done")
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        reports = import_benchmarks(
            options["paths"],
            actor=None,
            format_name=options["format"],
            is_accepted=options["accept"],
            is_dry_run=options["dry_run"],
        )
        for report in reports:
            self._tell(report)
        write_report({"files": [report.as_json() for report in reports]}, options["json"])
        failed = [report for report in reports if report.status == "failed"]
        if failed:
            raise DomainError(_summary(reports, options))
        return _summary(reports, options)

    def _tell(self, report: FileReport) -> None:
        if report.status == "failed":
            self.stderr.write(report.problem)
            return
        numbers = f"{report.created} metrics created, {report.updated} updated, {report.unchanged} unchanged"
        self.stderr.write(f"{report.file}: {report.status} ({report.reason or numbers})")
        for entry in report.skipped:
            self.stderr.write(f"  left out: {_line(entry['place'])}: {_line(entry['reason'])}")
        for entry in report.flags:
            self.stderr.write(f"  note: {_line(entry['place'])}: {_line(entry['flag'])}")


def _line(text: str) -> str:
    """A file's words for a terminal: one line of what can be printed, cut where it is long; the JSON report has all."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1] + "…"


def _summary(reports: list[FileReport], options: dict[str, Any]) -> str:
    counts = (
        f"{sum(report.status == status for report in reports)} {status}"
        for status in ("imported", "unchanged", "skipped", "failed")
    )
    dry = " (dry run: nothing was written)" if options["dry_run"] else ""
    return f"{len(reports)} files: {', '.join(counts)}{dry}."
