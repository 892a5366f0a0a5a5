"""Drafts base scenarios of one metric: without demographics, each in another setting and another tone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.engine.parsing import ReplyError
from evaluation.engine.types import Anchor, Message, ModelCall
from evaluation.generation.asking import ask
from evaluation.generation.metric_data import benchmark_data, metric_data
from evaluation.generation.prompts_of_drafting import failure_of, question
from evaluation.generation.reply_fields import (
    Schema,
    list_field,
    list_schema,
    object_item,
    object_schema,
    text_field,
    text_schema,
)
from evaluation.generation.types import BaseDraft, BenchmarkBrief, Drafted, MetricSheet

PROMPT = "base_scenarios"
USUAL_NUMBER = 3
MOST_ANCHORS = 6
_TEXTS = {
    "title": 150, "setting": 100, "tone": 100, "persona": 1500, "user_goal": 600, "latent_adversarial_goal": 600,
}  # fmt: skip
LONGEST_OBJECTIVE = 500
LONGEST_PERSONA = _TEXTS["persona"]


async def draft_base_scenarios(
    benchmark: BenchmarkBrief, metric: MetricSheet, model: ModelCall, *, turns: int, count: int = USUAL_NUMBER
) -> Drafted[BaseDraft]:
    """`count` base scenarios of a metric whose anchors lie within `turns`, or a refusal."""
    messages = base_scenario_messages(benchmark, metric, turns=turns, count=count)
    return await ask(messages, _schema(count, turns), lambda fields: read_bases(fields, count, turns), model)


def base_scenario_messages(
    benchmark: BenchmarkBrief, metric: MetricSheet, *, turns: int, count: int = USUAL_NUMBER
) -> list[Message]:
    """All that the drafter reads: description, user context, and this one metric (ImpactBench paper, 3.3.2)."""
    data = {**benchmark_data(benchmark), **metric_data(metric)}
    return question(PROMPT, data, count=count, turns=turns, failure=failure_of(metric.polarity))


def read_bases(fields: dict[str, Any], count: int, turns: int) -> tuple[BaseDraft, ...]:
    """The scenarios of an answer. Raises ReplyError unless there are `count` and every one of them can be used."""
    items = list_field(fields, "scenarios", count, count)
    drafts = tuple(read_base(item, number, turns) for number, item in enumerate(items, start=1))
    for name in ("setting", "tone", "persona"):
        _refuse_equal(name, [getattr(draft, name) for draft in drafts])
    return drafts


def read_anchors(items: Sequence[object], turns: int, where: str) -> tuple[Anchor, ...]:
    """Anchors in the order of their turns. Raises ReplyError for a turn that is taken or outside 1 to `turns`."""
    found: dict[int, Anchor] = {}
    for number, item in enumerate(items, start=1):
        what = f"{where}anchor {number}"
        anchor = object_item(item, what)
        turn = anchor.get("turn")
        if isinstance(turn, bool) or not isinstance(turn, int) or not 1 <= turn <= turns:
            raise ReplyError(f"the turn of {what} must be a whole number from 1 to {turns}")
        if turn in found:
            raise ReplyError(f"{where}two anchors are at turn {turn}")
        found[turn] = Anchor(turn, text_field(anchor, "objective", LONGEST_OBJECTIVE, where=f"{what}: "))
    return tuple(found[turn] for turn in sorted(found))


def read_base(item: object, number: int, turns: int) -> BaseDraft:
    """One scenario of an answer, its number for messages. Raises ReplyError."""
    where = f"scenario {number}: "
    fields = object_item(item, f"scenario {number}")
    texts = {name: text_field(fields, name, most, where=where) for name, most in _TEXTS.items()}
    if texts["user_goal"].casefold() == texts["latent_adversarial_goal"].casefold():
        raise ReplyError(f"{where}the two goals are the same")
    anchors = read_anchors(list_field(fields, "anchors", 1, min(MOST_ANCHORS, turns), where=where), turns, where)
    return BaseDraft(
        title=texts["title"],
        setting=texts["setting"],
        tone=texts["tone"],
        persona=texts["persona"],
        goal=texts["user_goal"],
        latent_adversarial_goal=texts["latent_adversarial_goal"],
        anchors=anchors,
    )


def _refuse_equal(name: str, values: Sequence[str]) -> None:
    if len({value.casefold() for value in values}) < len(values):
        raise ReplyError(f'two scenarios have the same "{name}"; each must have another')


def _schema(count: int, turns: int) -> Schema:
    anchor = {"turn": {"type": "integer", "enum": list(range(1, turns + 1))}, "objective": text_schema(300)}
    texts: Schema = {name: text_schema(most) for name, most in _TEXTS.items()}
    scenario = {**texts, "anchors": list_schema(object_schema(anchor), 1, min(MOST_ANCHORS, turns))}
    return object_schema({"scenarios": list_schema(object_schema(scenario), count, count)}, "base_scenarios")
