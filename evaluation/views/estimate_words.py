"""An estimate in plain words for the page."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from evaluation.plans import UNPRICED_CALL_USD
from evaluation.services.estimating import Estimate, Line
from evaluation.services.plan_resolving import ResolvedPlan
from evaluation.services.studies.machine.auditing_estimate import AUDITOR

_ROLES = {"user_simulator": "Simulated user", "target": "Target", "judge": "Judge", AUDITOR: "Auditor"}
_ENDS = ("low", "likely", "high")


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """A model in one role, its amounts as they are shown; costs are empty where the price is unknown."""

    model: str
    role: str
    calls: str
    tokens_in: str
    tokens_out: str
    costs: tuple[str, str, str] | None


@dataclass(frozen=True, slots=True)
class EstimateWords:
    """The answer of the form: one sentence, a row for each role and model, their sum, and what to be wary of."""

    title: str
    says: str
    rows: tuple[EstimateRow, ...]
    together: EstimateRow
    warnings: tuple[str, ...]


def estimate_in_words(found: Estimate, resolved: ResolvedPlan) -> EstimateWords:
    """Low, middle and high by role and model; an unknown price is called unknown and never counts as nothing."""
    plan = resolved.plan
    warnings = _warnings(found, plan.budget_usd, plan.unpriced_call_usd, "the run")
    return _in_words(found, _what(found, resolved), warnings)


def audit_in_words(found: Estimate, budget_usd: Decimal | None) -> EstimateWords:
    """The same of a study's auditor, whose budget is its own."""
    says = f"It reads each of {_count(found.conversations, 'conversation')} once. No call has been made."
    return _in_words(found, says, _warnings(found, budget_usd, UNPRICED_CALL_USD, "the auditor"))


def _in_words(found: Estimate, says: str, warnings: list[str]) -> EstimateWords:
    sums = found.sums(lambda line: line.costs)
    names = _names(found)
    costs = None if len(found.unpriced) == len({line.model.slug for line in found.lines}) else _costs(sums)
    return EstimateWords(
        title=_title(sums, names) if costs else "The cost is unknown: no model has a known price.",
        says=says,
        rows=tuple(_row(line) for line in found.lines),
        together=EstimateRow(
            model=f"Together, without {_listed(names)}" if names else "Together",
            role="",
            calls=f"{found.sums(lambda line: line.range(lambda amount: amount.calls))['likely']:,}",
            tokens_in=_tokens(found.sums(lambda line: line.range(lambda amount: amount.input_tokens))["likely"]),
            tokens_out=_tokens(found.sums(lambda line: line.range(lambda amount: amount.output_tokens))["likely"]),
            costs=costs,
        ),
        warnings=(*warnings, *found.notes),
    )


def _title(sums: dict[str, Decimal], names: list[str]) -> str:
    more = f", and {_listed(names)} on top" if names else ""
    return f"Likely {_usd(sums['likely'])}, between {_usd(sums['low'])} and {_usd(sums['high'])}{more}."


def _what(found: Estimate, resolved: ResolvedPlan) -> str:
    parts = (
        _count(len(resolved.metric_versions), "metric"),
        _count(len(resolved.scenarios), "scenario"),
        _count(len(resolved.targets), "target"),
        _count(resolved.plan.samples, "conversation") + " for each",
    )
    return f"{_count(found.conversations, 'conversation')}: {', '.join(parts)}. No call has been made."


def _row(line: Line) -> EstimateRow:
    costs = line.costs
    return EstimateRow(
        model=line.model.name,
        role=_ROLES[line.role],
        calls=f"{line.likely.calls:,}",
        tokens_in=_tokens(line.likely.input_tokens),
        tokens_out=_tokens(line.likely.output_tokens),
        costs=None if costs["likely"] is None else _costs({end: usd or Decimal(0) for end, usd in costs.items()}),
    )


def _warnings(found: Estimate, budget_usd: Decimal | None, ceiling: Decimal, who: str) -> list[str]:
    names = _names(found)
    if not names:
        most = found.sums(lambda line: line.costs)["high"]
        below = budget_usd is not None and budget_usd < most
        return [f"The high estimate passes the budget of {_usd(budget_usd)}: {who} may pause."] if below else []
    calls = sum(line.likely.calls for line in found.lines if line.costs["likely"] is None)
    is_one = len(names) == 1
    said = f"The price of {_listed(names)} is unknown." if is_one else f"The prices of {_listed(names)} are unknown."
    if budget_usd is None:
        return [f"{said} There is no budget, so nothing stops {who} by its cost."]
    whose = "Its" if is_one else "Their"
    warnings = [f"{said} {whose} calls count at the ceiling of ${ceiling} each, {_usd(calls * ceiling)} in all."]
    counted = found.sums(lambda line: line.costs)["likely"] + calls * ceiling
    if counted > budget_usd:
        share = int(100 * budget_usd / counted)
        warnings.append(f"With that ceiling the budget of {_usd(budget_usd)} may pause {who} at about {share} in 100.")
    return warnings


def _names(found: Estimate) -> list[str]:
    return sorted({line.model.name for line in found.lines if line.costs["likely"] is None})


def _costs(costs: dict[str, Decimal]) -> tuple[str, str, str]:
    low, likely, high = (_plain(costs[end]) for end in _ENDS)
    return low, likely, high


def _plain(usd: Decimal) -> str:
    """With cents, and below a cent with what there is."""
    return f"{usd:,.2f}" if usd >= Decimal("0.01") or usd == 0 else f"{usd:.4f}"


def _usd(usd: Decimal | None) -> str:
    return f"${_plain(usd or Decimal(0))}"


def _tokens(n: int) -> str:
    if n < 10_000:
        return f"{n:,}"
    return f"{n / 1000:,.0f} k" if n < 1_000_000 else f"{n / 1_000_000:,.1f} M"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
