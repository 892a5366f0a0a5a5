"""`analyse JUDGMENTS.csv --out DIR`: the paper's whole analysis on anybody's judgments; needs no database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.importers.judgment_table import OPTIONAL, REQUIRED, read_judgment_table
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput
from labels.analysis import analyse, write

MOST_RESAMPLES = 100_000
MOST_SEED = 2**63 - 1


class Command(ImpactBenchCommand):
    help = f"Analyse a table of judgments (columns {', '.join(REQUIRED)}; optional {', '.join(OPTIONAL)})."
    needs_servers = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("judgments", metavar="JUDGMENTS.csv", type=Path, help="one line a conversation")
        parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new folder for the report")
        parser.add_argument("--title", help="title of the report (the file's name)")
        parser.add_argument("--resamples", type=int, default=10_000, help="draws of the bootstrap (10000)")
        parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (0)")

    def run(self, options: dict[str, Any]) -> str:
        if not 1 <= options["resamples"] <= MOST_RESAMPLES:
            raise UnusableInput(f"--resamples must be from 1 to {MOST_RESAMPLES:,}")
        if not 0 <= options["seed"] <= MOST_SEED:
            raise UnusableInput("--seed must be a whole number from 0 to 2^63 - 1")
        file, folder = options["judgments"], options["out"]
        table = read_judgment_table(file)
        self.stderr.write(f"computing from {len(table.verdicts):,} conversations")
        found = analyse(
            table, title=options["title"] or file.stem, resamples=options["resamples"], seed=options["seed"]
        )
        n_files = write(found, folder)
        judged = len(table.verdicts) - table.n_unjudged
        return (
            f"Wrote {n_files} files to {folder}: {judged:,} of {len(table.verdicts):,} conversations judged, "
            f"{table.verdicts['metric'].nunique():,} metrics, {table.verdicts['model'].nunique()} models."
        )
