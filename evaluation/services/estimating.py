"""What a plan will likely take: calls, tokens and cost by role and model, before any call is made.

Prompt sizes are counted from the plan's own scenarios. The lengths of replies are those of earlier conversations with
the same models; where there are too few, they are assumptions, named here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from typing import Any

from evaluation.engine.judge import compose_rubric, judge_messages
from evaluation.engine.realism import realism_messages
from evaluation.engine.target import target_system_message
from evaluation.engine.types import ConversationSettings, Message
from evaluation.engine.user_simulator import simulator_messages
from evaluation.llm.pricing import Price, price_of
from evaluation.models import LanguageModel, Scenario
from evaluation.plans import turn_limit
from evaluation.selectors.reply_lengths import reply_lengths
from evaluation.services.briefs import metric_brief, scenario_brief
from evaluation.services.judge_calibration import calibration_notes
from evaluation.services.model_configurations import configuration_of
from evaluation.services.plan_resolving import ResolvedPlan

CHARACTERS_PER_TOKEN = 4
# Tokens that frame a message in a transcript or a request: role, turn number, marks.
TOKENS_AROUND_A_MESSAGE = 8
# What the reader of a line answers before it is sent.
REALISM_REPLY = 25


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long replies are taken to be, in tokens; a model's max_tokens cuts them. `seen` wins over what is assumed."""

    message: int
    simulator_reply: int
    target_reply: int
    judge_reply: int
    goes_to_the_end: bool
    seen: Mapping[tuple[str, int | None], int] = field(default_factory=dict)

    def exchange(self, target: LanguageModel) -> int:
        """The length of a message and its answer, as they stand in a transcript."""
        return self.message + self.reply("target", target) + 2 * TOKENS_AROUND_A_MESSAGE

    def reply(self, role: str, model: LanguageModel) -> int:
        """The length of one reply of a model in its role."""
        assumed = {"user_simulator": self.simulator_reply, "target": self.target_reply, "judge": self.judge_reply}
        tokens, most = self.seen.get((role, model.pk), assumed[role]), model.parameters.get("max_tokens")
        return min(tokens, most) if isinstance(most, int) else tokens


LOW = Lengths(message=20, simulator_reply=50, target_reply=80, judge_reply=80, goes_to_the_end=False)
LIKELY = Lengths(message=40, simulator_reply=90, target_reply=250, judge_reply=150, goes_to_the_end=True)
HIGH = Lengths(message=90, simulator_reply=180, target_reply=600, judge_reply=350, goes_to_the_end=True)


@dataclass(frozen=True, slots=True)
class Amount:
    """What one model is asked in one role. `cost_usd` is None where its price is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def __mul__(self, times: int) -> Amount:
        return Amount(self.calls * times, self.input_tokens * times, self.output_tokens * times)

    def cost_usd(self, price: Price) -> Decimal | None:
        return price.cost(self.input_tokens, None, self.output_tokens)


@dataclass(frozen=True, slots=True)
class Line:
    """One model in one role: at least, likely, and at most."""

    role: str
    model: LanguageModel
    low: Amount
    likely: Amount
    high: Amount

    def range(self, of: Callable[[Amount], Any]) -> dict[str, Any]:
        return {"low": of(self.low), "likely": of(self.likely), "high": of(self.high)}

    @property
    def costs(self) -> dict[str, Decimal | None]:
        """US dollars; None where the price is unknown."""
        price = price_of(configuration_of(self.model))
        return self.range(lambda amount: amount.cost_usd(price))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of a whole plan."""

    name: str
    conversations: int
    lines: tuple[Line, ...]
    # What is not known of its judges, as sentences.
    notes: tuple[str, ...] = ()

    @property
    def unpriced(self) -> list[str]:
        """Models whose price is unknown: they are not in the sum."""
        return sorted({line.model.slug for line in self.lines if line.costs["likely"] is None})

    def sums(self, of: Callable[[Line], dict[str, Any]]) -> dict[str, Any]:
        """Low, likely and high of all lines together; unknown values are left out."""
        ranges = [of(line) for line in self.lines]
        return {
            end: sum((found[end] for found in ranges if found[end] is not None), start=type(ranges[0][end] or 0)(0))
            for end in ("low", "likely", "high")
        }

    def as_json(self) -> dict[str, Any]:
        """The report of `estimate_run`. The total cost is null when any price is unknown; `known_cost_usd` is not."""
        known = {end: float(usd) for end, usd in self.sums(lambda line: line.costs).items()}
        return {
            "run": self.name,
            "conversations": self.conversations,
            "calls": self.sums(lambda line: line.range(lambda amount: amount.calls)),
            "input_tokens": self.sums(lambda line: line.range(lambda amount: amount.input_tokens)),
            "output_tokens": self.sums(lambda line: line.range(lambda amount: amount.output_tokens)),
            "cost_usd": None if self.unpriced else known,
            "known_cost_usd": known,
            "unknown_prices": self.unpriced,
            "notes": list(self.notes),
            "roles": [_line_as_json(line) for line in self.lines],
        }


def estimate(resolved: ResolvedPlan) -> Estimate:
    """What the plan will likely take; no call is made."""
    ends = lengths_of(resolved)
    prompts = [prompts_of(scenario, resolved) for scenario in resolved.scenarios]
    parts: list[tuple[str, LanguageModel, int, Callable[[Prompts, Lengths], Amount]]] = [
        ("user_simulator", resolved.user_simulator, 1, partial(_simulator, resolved))
    ]
    parts += [("target", target, 1, partial(_target, target)) for target in resolved.targets]
    repeats = resolved.plan.judge_repeats
    parts += [("judge", judge, repeats, partial(_judge, judge, resolved.targets)) for judge in resolved.judges]
    lines = []
    for role, model, times, amount in parts:
        sums = [_sum(prompts, lengths, amount) * (times * resolved.plan.samples) for lengths in ends]
        lines.append(Line(role, model, *sums))
    return Estimate(resolved.plan.name, resolved.n_conversations, tuple(lines), calibration_notes(resolved))


def lengths_of(resolved: ResolvedPlan) -> tuple[Lengths, Lengths, Lengths]:
    """Low, likely and high, with what was seen of the plan's models."""
    roles = {"user_simulator": [resolved.user_simulator], "target": resolved.targets, "judge": resolved.judges}
    known = {role: [model.pk for model in models if model.pk is not None] for role, models in roles.items()}
    seen = reply_lengths(known)
    low, likely, high = (
        replace(assumed, seen={key: tokens[end] for key, tokens in seen.items()})
        for end, assumed in enumerate((LOW, LIKELY, HIGH))
    )
    return low, likely, high


@dataclass(frozen=True, slots=True)
class Prompts:
    """The parts of a scenario's requests that are known beforehand, in tokens, and how many turns it may take."""

    simulator: int
    judge: int
    realism: int
    scenario_prompt: str | None
    turns: int
    fewest_turns: int

    def turns_at(self, lengths: Lengths) -> int:
        return self.turns if lengths.goes_to_the_end else self.fewest_turns


def prompts_of(scenario: Scenario, resolved: ResolvedPlan) -> Prompts:
    """The requests of one scenario, as far as they are known beforehand."""
    metric, brief = metric_brief(scenario.base.metric_version), scenario_brief(scenario)
    plan = resolved.plan
    turns = turn_limit(plan.turns, scenario.turns)
    settings = ConversationSettings(
        turns=turns,
        anchors=plan.anchors,
        adversarial_guidance=plan.adversarial_guidance,
        structured_simulator=plan.structured_simulator,
    )
    last_anchor = max((anchor.turn for anchor in brief.anchors), default=1)
    return Prompts(
        simulator=tokens_of(simulator_messages(metric, brief, settings, [])),
        realism=tokens_of(realism_messages([], "")) + LIKELY.message,
        judge=tokens_of(judge_messages(compose_rubric(metric), [])),
        scenario_prompt=brief.target_system_prompt,
        turns=turns,
        fewest_turns=min(turns, max(last_anchor, -(-turns // 2))),
    )


def _sum(prompts: Iterable[Prompts], lengths: Lengths, amount: Callable[[Prompts, Lengths], Amount]) -> Amount:
    return sum((amount(prompt, lengths) for prompt in prompts), start=Amount())


def _simulator(resolved: ResolvedPlan, prompt: Prompts, lengths: Lengths) -> Amount:
    """Over all targets: the whole conversation so far is read again at every turn."""
    total = Amount()
    for target in resolved.targets:
        n = prompt.turns_at(lengths)
        exchange = lengths.exchange(target)
        read = n * prompt.simulator + exchange * n * (n - 1) // 2
        total += Amount(n, read, n * lengths.reply("user_simulator", resolved.user_simulator))
        if resolved.plan.realism_check:
            total += Amount(n, n * prompt.realism + exchange * n * (n - 1) // 2, n * REALISM_REPLY)
    return total


def _target(target: LanguageModel, prompt: Prompts, lengths: Lengths) -> Amount:
    n, reply = prompt.turns_at(lengths), lengths.reply("target", target)
    system = target_system_message(target.system_prompt, prompt.scenario_prompt)
    before = tokens_of([Message("system", system)]) if system else 0
    message = lengths.message + TOKENS_AROUND_A_MESSAGE
    read = n * before + message * n * (n + 1) // 2 + (reply + TOKENS_AROUND_A_MESSAGE) * n * (n - 1) // 2
    return Amount(n, read, n * reply)


def _judge(judge: LanguageModel, targets: Iterable[LanguageModel], prompt: Prompts, lengths: Lengths) -> Amount:
    total = Amount()
    for target in targets:
        read = prompt.judge + prompt.turns_at(lengths) * lengths.exchange(target)
        total += Amount(1, read, lengths.reply("judge", judge))
    return total


def tokens_of(messages: Iterable[Message]) -> int:
    """About how many tokens these messages are."""
    return sum(-(-len(message.content) // CHARACTERS_PER_TOKEN) + TOKENS_AROUND_A_MESSAGE for message in messages)


def _line_as_json(line: Line) -> dict[str, Any]:
    costs = line.costs
    return {
        "role": line.role,
        "model": line.model.slug,
        "calls": line.range(lambda amount: amount.calls),
        "input_tokens": line.range(lambda amount: amount.input_tokens),
        "output_tokens": line.range(lambda amount: amount.output_tokens),
        "cost_usd": None if costs["likely"] is None else {end: float(usd or 0) for end, usd in costs.items()},
    }
