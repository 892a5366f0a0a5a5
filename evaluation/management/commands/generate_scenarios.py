"""`generate_scenarios`: drafts base scenarios and their variants by a language model, for review."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from evaluation.drafting.briefs import profiles_named
from evaluation.drafting.missing_variants import missing_variants
from evaluation.drafting.questions import Question
from evaluation.drafting.scenarios import base_questions, variant_questions
from evaluation.generation.base_scenarios import USUAL_NUMBER
from evaluation.management.drafting_command import DraftingCommand
from evaluation.models import Benchmark, Profile
from evaluation.plans import DEFAULT_TURNS, MOST_TURNS
from impactbench.common.errors import UnusableInput

MOST_BASES = 10


class Command(DraftingCommand):
    help = "Draft base scenarios for each metric of a benchmark, and a variant of each for every profile, for review."
    action = "scenarios-drafted"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--profile", metavar="SLUG", nargs="+", action="extend", help="default: teen adult")
        parser.add_argument(
            "--missing-variants",
            action="store_true",
            help="draft no base scenarios, but the variants that those of the benchmark lack, such as an adult twin",
        )
        parser.add_argument("--turns", type=int, default=DEFAULT_TURNS, help="anchors lie within so many turns")
        parser.add_argument("--count", type=int, default=USUAL_NUMBER, help="base scenarios for each metric")

    def steps(self, benchmark: Benchmark, options: dict[str, Any]) -> Iterator[tuple[list[Question], int]]:
        if not 1 <= options["turns"] <= MOST_TURNS:
            raise UnusableInput(f"--turns must be from 1 to {MOST_TURNS}")
        if not 1 <= options["count"] <= MOST_BASES:
            raise UnusableInput(f"--count must be from 1 to {MOST_BASES}")
        profiles = profiles_named(options["profile"] or ["teen", "adult"])
        again = options["again"]
        if options["missing_variants"]:
            yield self._missing(benchmark, profiles, again), 0
            return
        bases = base_questions(benchmark, turns=options["turns"], count=options["count"], again=again)
        yield [question for question, _ in bases], sum(lacking for _, lacking in bases) * len(profiles)
        yield variant_questions(benchmark, profiles, again=again), 0

    def _missing(self, benchmark: Benchmark, profiles: list[Profile], again: bool) -> list[Question]:
        found = missing_variants(benchmark, profiles, again=again)
        if found.n_untold:
            self.stderr.write(f"{found.n_untold} base scenarios are left out: their goal or persona was not published")
        return found.questions
