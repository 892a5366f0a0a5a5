"""`generate_interpretive_clauses`: drafts a clause for each metric by a language model, for review."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.drafting.clauses import clause_questions
from evaluation.drafting.questions import Question
from evaluation.importers.formats.positions import read_text
from evaluation.importers.formats.problems import FileProblem
from evaluation.management.drafting_command import DraftingCommand
from evaluation.models import Benchmark
from impactbench.common.audit import record
from impactbench.common.errors import UnusableInput


class Command(DraftingCommand):
    help = "Draft an interpretive clause for each metric of a benchmark that has none, for review."
    action = "clauses-drafted"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--research-summary", metavar="FILE", type=Path, help="keep this text as the benchmark's research summary"
        )

    def steps(self, benchmark: Benchmark, options: dict[str, Any]) -> Iterator[tuple[list[Question], int]]:
        if options["research_summary"]:
            _take_over(benchmark, options["research_summary"], is_kept=not options["dry_run"])
        yield clause_questions(benchmark, again=options["again"]), 0


def _take_over(benchmark: Benchmark, path: Path, *, is_kept: bool) -> None:
    try:
        summary = read_text(path).strip()
    except (FileProblem, OSError) as problem:
        raise UnusableInput(f"the research summary {path} cannot be read: {problem}") from problem
    if not summary:
        raise UnusableInput(f"the research summary {path} is empty")
    is_new = summary != benchmark.research_summary
    benchmark.research_summary = summary
    if is_new and is_kept:
        benchmark.save(update_fields=["research_summary"])
        record(actor=None, action="research-summary-changed", target=benchmark)
