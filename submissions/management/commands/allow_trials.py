"""Says which models trials of drafts may use."""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from evaluation.models import LanguageModel
from evaluation.services.registering import register_models
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import DomainError, UnusableInput
from submissions.models import TrialModel
from submissions.models.trials import TrialModelPart
from submissions.services.trial_models import USUAL_CEILING_USD, allow, withdraw

_EMBEDDED = Path(__file__).parent / "embedded_trial_models.yaml"
_EMBEDDED_SLUGS = {
    TrialModelPart.JUDGE: "smollm2-trial-judge",
    TrialModelPart.USER_SIMULATOR: "smollm2-trial-user",
    TrialModelPart.TARGET: "smollm2-trial-target",
}


class Command(ImpactBenchCommand):
    help = "Allow or withdraw the models that authors may try their drafts on; without options, list them."

    def add_arguments(self, parser: CommandParser) -> None:
        for part in TrialModelPart:
            parser.add_argument(f"--{part.value}", metavar="SLUG", help=f"allow this registered model as the {part}")
        parser.add_argument(
            "--models", metavar="FILE.yaml", type=Path, help="register the models described here first, as in a plan"
        )
        parser.add_argument(
            "--embedded", action="store_true", help="allow the small model on this machine for all three parts"
        )
        parser.add_argument(
            "--ceiling-usd", metavar="USD", help="what a call counts when its price is unknown (0.02 unless given)"
        )
        parser.add_argument(
            "--withdraw",
            nargs="+",
            metavar="PART",
            choices=[*TrialModelPart.values, "all"],
            help="no longer allow a model: judge, user-simulator, target or all",
        )

    @transaction.atomic
    def run(self, options: dict[str, Any]) -> str:
        ceiling = _usd(options["ceiling_usd"])
        if options["models"] is not None:
            register_models(options["models"])
        for part in _withdrawn(options["withdraw"] or []):
            withdraw(part)
        for part, slug in _wanted(options).items():
            _allow(part, slug, ceiling)
        return _list()


def _withdrawn(words: list[str]) -> list[str]:
    return list(TrialModelPart.values) if "all" in words else words


def _wanted(options: dict[str, Any]) -> dict[TrialModelPart, str]:
    named = {part: options[part.value.replace("-", "_")] for part in TrialModelPart}
    wanted = {part: slug for part, slug in named.items() if slug}
    if not options["embedded"]:
        return wanted
    register_models(_EMBEDDED)
    return {**_EMBEDDED_SLUGS, **wanted}


def _allow(part: TrialModelPart, slug: str, ceiling_usd: Decimal) -> None:
    model = LanguageModel.objects.filter(slug=slug).first()
    if model is None:
        raise UnusableInput(f"there is no model {slug!r}; register it first with --models FILE.yaml")
    try:
        allow(model, part, ceiling_usd=ceiling_usd)
    except DomainError as problem:
        raise UnusableInput(str(problem)) from problem


def _usd(text: str | None) -> Decimal:
    try:
        return USUAL_CEILING_USD if text is None else Decimal(text)
    except InvalidOperation:
        raise UnusableInput(f"--ceiling-usd must be a number of US dollars, not {text!r}") from None


def _list() -> str:
    rows = {row.part: row.language_model.slug for row in TrialModel.objects.select_related("language_model")}
    if not rows:
        return "trials are switched off: no model is allowed"
    return "trials: " + ", ".join(f"{part.value} {rows.get(part.value, '(none)')}" for part in TrialModelPart)
