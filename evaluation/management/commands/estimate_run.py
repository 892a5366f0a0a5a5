"""Tells what a plan will likely take, without a call."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.services.estimating import Estimate, Line, estimate
from evaluation.services.plan_resolving import missing_keys
from evaluation.services.planning import load_plan
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Estimate conversations, calls, tokens and cost of a plan by role and model; no call is made."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("plan", metavar="PLAN.yaml", type=Path)
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the estimate here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        resolved = load_plan(options["plan"])
        found = estimate(resolved)
        for sentence in (*missing_keys(resolved.models.values()), *found.notes):
            self.stderr.write(f"note: {sentence}")
        for line in found.lines:
            self.stdout.write(_row(line))
        write_report(found.as_json(), options["json"])
        return _summary(found)


def _row(line: Line) -> str:
    read, written = (line.range(lambda amount: amount.input_tokens), line.range(lambda amount: amount.output_tokens))
    return (
        f"  {line.role.replace('_', ' '):<14} {line.model.slug:<28} {line.likely.calls:>9,} calls "
        f"{read['likely']:>13,} tokens in {written['likely']:>12,} out  {_usd_range(line.costs)}"
    )


def _summary(found: Estimate) -> str:
    unpriced = ", ".join(found.unpriced)
    if all(line.costs["likely"] is None for line in found.lines):
        cost = f"cost unknown, as no price of {unpriced} is"
    else:
        without = f", without {unpriced} (price unknown)" if unpriced else ""
        cost = f"likely {_usd_range(found.sums(lambda line: line.costs))}{without}"
    return f"{found.name}: {found.conversations:,} conversations, {cost}; no call was made"


def _usd_range(costs: dict[str, Decimal | None]) -> str:
    low, likely, high = costs["low"], costs["likely"], costs["high"]
    if low is None or likely is None or high is None:
        return "cost unknown"
    return f"${likely:,.2f} (${low:,.2f} to ${high:,.2f})"
