"""`generate_metrics`: drafts metrics by a language model from a source's criteria or a description, for review."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.drafting.metrics import criteria_of_file, metric_questions
from evaluation.drafting.questions import Question
from evaluation.generation.metrics import USUAL_NUMBER
from evaluation.management.drafting_command import DraftingCommand
from evaluation.models import Benchmark
from impactbench.common.errors import UnusableInput

MOST_METRICS = 24


class Command(DraftingCommand):
    help = "Draft metrics for a benchmark from the criteria of a source file, or from its description, for review."
    action = "metrics-drafted"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--criteria", metavar="PATH", type=Path, help="a benchmark file of any known format; its criteria are used"
        )
        parser.add_argument("--count", type=int, default=USUAL_NUMBER, help="at most so many from a description")

    def steps(self, benchmark: Benchmark, options: dict[str, Any]) -> Iterator[tuple[list[Question], int]]:
        if not 1 <= options["count"] <= MOST_METRICS:
            raise UnusableInput(f"--count must be from 1 to {MOST_METRICS}")
        criteria = criteria_of_file(options["criteria"]) if options["criteria"] else []
        yield metric_questions(benchmark, criteria, count=options["count"]), 0
