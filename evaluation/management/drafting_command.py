"""What the commands that draft by language model have in common: the model, the budget, progress and the report."""

from __future__ import annotations

from abc import abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from evaluation.drafting.briefs import benchmark_named
from evaluation.drafting.duplicates import mark_near_duplicates
from evaluation.drafting.questions import Question
from evaluation.llm.pricing import price_of
from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.models import Benchmark, DraftingQuestion, LanguageModel
from evaluation.services.model_configurations import configuration_of
from evaluation.services.plan_resolving import missing_keys
from evaluation.services.registering import register_models
from evaluation.workers.drafting import Tally, Wallet, likely_usd, work_off
from impactbench.common.audit import record
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import DomainError, UnusableInput


class DraftingCommand(ImpactBenchCommand):
    """A command that asks a model for drafts, one step after the other; the same command again goes on."""

    # How the audit trail calls it.
    action = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", metavar="SLUG", required=True)
        parser.add_argument("--model", metavar="SLUG", required=True, help="the language model that drafts")
        parser.add_argument("--models", metavar="FILE", type=Path, help="YAML with `models:` as in a plan; may be one")
        parser.add_argument(
            "--budget-usd", metavar="N", help="stop before a call that might cost more than this in all"
        )
        parser.add_argument("--again", action="store_true", help="also ask anew for what a person removed")
        parser.add_argument("--dry-run", action="store_true", help="only tell what would be asked; no call is made")
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    @abstractmethod
    def steps(self, benchmark: Benchmark, options: dict[str, Any]) -> Iterator[tuple[list[Question], int]]:
        """The questions of each step, made when the one before is done, and how many more can come of their answers."""

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        budget = _dollars(options["budget_usd"])
        benchmark, model = benchmark_named(options["benchmark"]), _model(options)
        if options["dry_run"]:
            return self._foreseen(benchmark, model, options)
        if missing := missing_keys([model]):
            raise DomainError(f"{'; '.join(missing)}; set it and give the same command again")
        tally, wallet = Tally(), Wallet(budget)
        for questions, _more in self.steps(benchmark, options):
            work_off(questions, model, wallet, tally, told=self._tell)
            if tally.ended_early:
                break
        return self._ended(benchmark, model, tally, wallet, options)

    def _foreseen(self, benchmark: Benchmark, model: LanguageModel, options: dict[str, Any]) -> str:
        configuration = configuration_of(model)
        price, most = price_of(configuration), configuration.parameters.get("max_tokens")
        # Nothing is kept, so that later steps find what earlier ones would have made missing; they say how much it is.
        steps = list(self.steps(benchmark, options))
        asked = [question for questions, _ in steps for question in questions]
        for question in asked:
            self.stderr.write(f"would ask: {question.kind} of {question.place}")
        more = sum(more for _, more in steps)
        usd = sum((likely_usd(price, question.messages, most) for question in asked), Decimal(0))
        report = {"questions": len(asked), "more_questions": more, "likely_usd": float(usd), "priced": price.is_known}
        write_report(report, options["json"])
        later = f" and then {more} more" if more else ""
        cost = f"about {usd:.4f} USD for the first {len(asked)}" if price.is_known else "price unknown"
        return f"Would ask {len(asked)} questions{later}; {cost} (dry run: nothing was asked)."

    def _tell(self, asked: DraftingQuestion) -> None:
        why = f": {_line(asked.refusal)}" if asked.reason else ""
        self.stderr.write(f"{asked.kind} of {asked.place}: {asked.outcome}{why}")

    def _ended(
        self, benchmark: Benchmark, model: LanguageModel, tally: Tally, wallet: Wallet, options: dict[str, Any]
    ) -> str:
        outcomes = {outcome: tally.outcomes[outcome] for outcome in ("drafted", "repaired", "refused")}
        cost = None if wallet.paid_usd is None else float(wallet.paid_usd)
        n_near = mark_near_duplicates(benchmark) if tally.n_drafts else 0
        report = {
            "benchmark": benchmark.slug, "model": model.slug, "drafts": tally.n_drafts, **outcomes,
            "near_duplicates": n_near,
            "not_asked": tally.n_not_asked, "ended_early": tally.ended_early, "calls": tally.calls, "cost_usd": cost,
            "refusals": tally.refusals,
        }  # fmt: skip
        write_report(report, options["json"])
        if tally.outcomes:
            details = {"model": model.slug, "drafts": tally.n_drafts, **outcomes}
            record(actor=None, action=self.action, target=benchmark, details=details)
        spent = "cost unknown" if cost is None else f"{cost:.4f} USD"
        answers = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
        summary = f"{tally.n_drafts} drafts for review; answers: {answers}; {tally.calls} calls, {spent}"
        if n_near:
            summary += f"; {n_near} undecided drafts say nearly what another one says"
        if tally.ended_early:
            why = "the budget is reached" if tally.ended_early == "budget" else tally.ended_early
            raise DomainError(f"{summary}. Stopped early, {why}; the same command goes on with what is missing")
        return f"{summary}."


def _model(options: dict[str, Any]) -> LanguageModel:
    if options["models"]:
        register_models(options["models"])
    found = LanguageModel.objects.filter(slug=options["model"]).first()
    if found is None or not found.litellm_model:
        raise UnusableInput(
            f"there is no language model {options['model']} that can be called; describe it in a YAML file under "
            "`models:` and give it by --models FILE"
        )
    return found


def _dollars(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite() or found < 0:
        raise UnusableInput(f"--budget-usd must be a number of US dollars, not {text!r}")
    return found


def _line(text: str) -> str:
    """A model's or endpoint's words for a terminal: one line of what can be printed."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return words[:300]
