"""What a trial will likely cost and what it may cost at most, counted before any call is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from evaluation.engine.judge import compose_rubric, judge_messages
from evaluation.engine.types import ConversationSettings, Exchange, Message, MetricBrief, ScenarioBrief
from evaluation.engine.user_simulator import simulator_messages
from evaluation.llm.pricing import price_of
from evaluation.models import LanguageModel
from evaluation.services.model_configurations import configuration_of

# Replies are cut here where a model's own settings name no limit.
MOST_REPLY_TOKENS = 4096
# Turns of a trial conversation: what is usual, and the most that an editor may ask for.
TRIAL_TURNS = 3
MOST_TRIAL_TURNS = 6
_LIKELY_REPLY_TOKENS = 150
_CHARACTERS_PER_TOKEN = 4
# Bytes, because other scripts than Latin take more tokens for a character.
_FEWEST_BYTES_PER_TOKEN = 2
_TOKENS_AROUND_A_MESSAGE = 8
_TEN_THOUSANDTH = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class PaidModel:
    """A model in its part, and what one call of it counts where its price is unknown."""

    model: LanguageModel
    ceiling_usd: Decimal


@dataclass(frozen=True, slots=True)
class TrialCost:
    """US dollars. `likely_usd` is None where a price is unknown; `most_usd` counts the ceiling there, never nothing."""

    likely_usd: Decimal | None
    most_usd: Decimal

    def __add__(self, other: TrialCost) -> TrialCost:
        known = self.likely_usd is not None and other.likely_usd is not None
        likely = (self.likely_usd or 0) + (other.likely_usd or 0) if known else None
        return TrialCost(None if likely is None else Decimal(likely), self.most_usd + other.most_usd)


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation of one turn: what the user says, and the reply that its author wrote for it."""

    user_message: str
    reply: str
    number: int = 1


NOTHING = TrialCost(Decimal(0), Decimal(0))


def reply_limit(model: LanguageModel) -> int:
    """The most tokens of one reply in a trial: the model's own limit, else `MOST_REPLY_TOKENS`."""
    own = model.parameters.get("max_tokens")
    return own if isinstance(own, int) and not isinstance(own, bool) and own > 0 else MOST_REPLY_TOKENS


def cost_of_judging(judge: PaidModel, rubrics: Iterable[str], conversations: Sequence[Sequence[Exchange]]) -> TrialCost:
    """Each conversation read once by each rubric, and once more should the answer be unreadable."""
    limit, total = reply_limit(judge.model), NOTHING
    for rubric in rubrics:
        for turns in conversations:
            messages = judge_messages(rubric, turns)
            total += _call(judge, messages, most_calls=2, more_tokens=limit)
    return _rounded(total)


def cost_of_conversation(
    metrics: Sequence[MetricBrief],
    scenario: ScenarioBrief,
    simulator: PaidModel,
    target: PaidModel,
    judge: PaidModel,
    *,
    turns: int = TRIAL_TURNS,
) -> TrialCost:
    """One conversation of so many turns with the most that can be said in it, and its judgments."""
    settings = ConversationSettings(turns=turns)
    line, reply = reply_limit(simulator.model), reply_limit(target.model)
    request = simulator_messages(metrics[0], scenario, settings, [])
    system = scenario.target_system_prompt or ""
    prompt = [Message("system", f"{target.model.system_prompt or ''}\n\n{system}")]
    total = NOTHING
    for turn in range(turns):
        said = turn * (line + reply)
        total += _call(simulator, request, most_calls=2, more_tokens=said, turns=turns)
        total += _call(target, prompt, most_calls=1, more_tokens=said + line, turns=turns)
    for metric in metrics:
        messages, said = judge_messages(compose_rubric(metric), []), turns * (line + reply)
        total += _call(judge, messages, most_calls=2, more_tokens=said + reply_limit(judge.model), turns=turns)
    return _rounded(total)


def _call(
    paid: PaidModel, messages: Sequence[Message], *, most_calls: int, more_tokens: int, turns: int = TRIAL_TURNS
) -> TrialCost:
    price = price_of(configuration_of(paid.model))
    around = _TOKENS_AROUND_A_MESSAGE * len(messages)
    characters = sum(len(message.content) for message in messages)
    n_bytes = sum(len(message.content.encode("utf-8", "replace")) for message in messages)
    limit = reply_limit(paid.model)
    likely_more = min(more_tokens, turns * 2 * _LIKELY_REPLY_TOKENS)
    read = characters // _CHARACTERS_PER_TOKEN + around + likely_more
    likely = price.cost(read, None, min(limit, _LIKELY_REPLY_TOKENS))
    most = price.cost(n_bytes // _FEWEST_BYTES_PER_TOKEN + around + more_tokens, None, limit)
    return TrialCost(likely, most_calls * (paid.ceiling_usd if most is None else most))


def _rounded(cost: TrialCost) -> TrialCost:
    return TrialCost(cost.likely_usd, cost.most_usd.quantize(_TEN_THOUSANDTH, ROUND_UP))
