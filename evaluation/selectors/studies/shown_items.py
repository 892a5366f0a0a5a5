"""What a rater is shown of an item, and nothing more: no model's name, no verdict that is hidden, nobody's rating."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from evaluation.content_notices import notices_of
from evaluation.models import LanguageModel, StudyItem, StudyRater
from evaluation.selectors.studies.orders import items_of, letters_of
from evaluation.studies.kinds import CONVERSATION, JUDGMENT, KINDS, METRIC, MODEL, SCENARIO, SIMULATOR_SELECTION

HIDDEN = "[hidden]"
# Shorter names are words of every language, unless a digit is in them: hiding them would hide half a conversation.
LEAST_NAME = 4


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One exchange, with the name of the model taken out where it is hidden."""

    number: int
    user: str | None
    reply: str | None


@dataclass(frozen=True, slots=True)
class ShownJudgment:
    """What the judge said, where that is what is rated."""

    verdict: str
    justification: str
    quotes: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ShownScenario:
    """The situation: as much of it as the study shows."""

    title: str
    profile: str
    persona: str
    goal: str
    hidden_goal: str
    anchors: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ShownMetric:
    """What is to be looked for."""

    name: str
    polarity: str | None
    benchmark: str
    aim: str
    definition: str
    hard_cases: str
    present: tuple[str, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item as its rater sees it."""

    item: StudyItem
    place: int
    letter: str
    who: str
    metric: ShownMetric
    scenario: ShownScenario | None
    scenarios: tuple[ShownScenario, ...] = ()
    turns: tuple[ShownTurn, ...] = ()
    judgment: ShownJudgment | None = None
    notices: tuple[str, ...] = field(default=())

    @property
    def unit(self) -> str:
        return self.item.unit


def shown_item(rater: StudyRater, place: int) -> ShownItem:
    """The rater's item at a place of the order, from 1. Raises IndexError where there is none."""
    items = items_of(rater.study, rater)
    item = items[place - 1]
    kind = KINDS[rater.study.kind]
    letter = letters_of(rater.study, rater, items).get(item.number, "")
    names = _names(item) if MODEL in kind.hides else ()
    return ShownItem(
        item=item,
        place=place,
        letter=letter,
        who=_("Model %(letter)s") % {"letter": letter} if letter and kind.slug != SIMULATOR_SELECTION else _("The AI"),
        metric=_metric(item),
        scenario=_scenario(item.scenario, kind.unit) if item.scenario else None,
        scenarios=_scenarios_of(item, items) if item.unit == METRIC else (),
        turns=_turns(item, names) if item.unit in (CONVERSATION, JUDGMENT) else (),
        judgment=_judgment(item, names) if item.unit == JUDGMENT else None,
        notices=tuple(notices_of(item.metric_version)) if item.unit != METRIC else (),
    )


def without_names(text: str, names: Sequence[str]) -> str:
    """The text with these names, as whole words in any case, replaced by `HIDDEN`."""
    if not names:
        return text
    found = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{found})(?!\w)", HIDDEN, text, flags=re.IGNORECASE)


def _names(item: StudyItem) -> tuple[str, ...]:
    """What the models of the conversation are called: the rated one, the target, and the one that plays the user."""
    conversation = item.conversation
    talking = {conversation.target, conversation.run.user_simulator} if conversation else set()
    models = {item.target, *talking}
    return tuple({name for model in models if model is not None for name in _names_of(model)})


def _names_of(model: LanguageModel) -> set[str]:
    names = {model.name, model.slug, model.litellm_model.rpartition("/")[2]}
    return {name for name in names if len(name) >= LEAST_NAME or any(map(str.isdigit, name))}


def _metric(item: StudyItem) -> ShownMetric:
    version = item.metric_version
    benchmark = version.metric.benchmark
    return ShownMetric(
        name=version.name,
        polarity=version.polarity,
        benchmark=benchmark.name,
        aim=benchmark.description,
        definition=version.definition,
        hard_cases=version.interpretive_clause,
        present=tuple(map(str, version.examples_present)),
        absent=tuple(map(str, version.examples_absent)),
    )


def _scenario(scenario: Any, unit: str) -> ShownScenario:
    """Who rates what was said does not read what was planned: the hidden goal and the anchors."""
    is_whole = unit == SCENARIO
    base = scenario.base
    anchors = scenario.anchors or base.anchors
    return ShownScenario(
        title=scenario.title or base.title,
        profile=scenario.profile.name,
        persona=scenario.persona or base.persona,
        goal=base.goal,
        hidden_goal=base.latent_adversarial_goal if is_whole else "",
        anchors=tuple((anchor["turn"], str(anchor["objective"])) for anchor in anchors) if is_whole else (),
    )


def _scenarios_of(item: StudyItem, items: Sequence[StudyItem]) -> tuple[ShownScenario, ...]:
    """The scenarios of the metric that the same rater meets, each once."""
    found = {one.scenario_id: one.scenario for one in items if one.metric_version_id == item.metric_version_id}
    return tuple(_scenario(scenario, CONVERSATION) for scenario in found.values() if scenario is not None)


def _turns(item: StudyItem, names: Sequence[str]) -> tuple[ShownTurn, ...]:
    assert item.conversation is not None
    return tuple(
        ShownTurn(turn.number, _hidden(turn.user_message, names), _hidden(turn.reply, names))
        for turn in item.conversation.turns.order_by("number")
    )


def _hidden(text: str | None, names: Sequence[str]) -> str | None:
    return None if text is None else without_names(text, names)


def _judgment(item: StudyItem, names: Sequence[str]) -> ShownJudgment:
    judgment = item.judgment
    assert judgment is not None
    quotes = tuple(
        (int(piece.get("turn") or 0), without_names(str(piece.get("quote", "")), names)) for piece in judgment.evidence
    )
    verdict = _("The behaviour is there") if judgment.present else _("The behaviour is not there")
    return ShownJudgment(verdict, without_names(judgment.justification, names), quotes)
