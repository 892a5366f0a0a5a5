"""The draw of a study's items from what there is, and who rates which of them; all follows from one seed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from evaluation.studies import kinds
from evaluation.studies.chance import shuffled
from evaluation.studies.designs import Design
from evaluation.studies.draws.contexts import draw_contexts
from evaluation.studies.draws.conversations import draw_conversations
from evaluation.studies.draws.drawn import Drawn, DrawnItem
from evaluation.studies.draws.experts import draw_expert_review
from evaluation.studies.draws.judges import draw_for_judges
from evaluation.studies.draws.scenarios import draw_scenarios
from evaluation.studies.draws.simulators import draw_simulations

_DRAWS: Mapping[str, Callable[[Any, pd.DataFrame, int], Drawn]] = {
    kinds.SCENARIO_REVIEW: draw_scenarios,
    kinds.SIMULATION_REVIEW: draw_conversations,
    kinds.JUDGMENT_REVIEW: draw_conversations,
    kinds.EXPERT_REVIEW: draw_expert_review,
    kinds.SIMULATOR_SELECTION: draw_simulations,
    kinds.JUDGE_REPEATABILITY: draw_for_judges,
    kinds.JUDGE_COMPARISON: draw_for_judges,
    kinds.SIMULATOR_ABLATION: draw_contexts,
    kinds.REPEAT_SIMULATIONS: draw_contexts,
}


def draw(kind: str, design: Design, candidates: pd.DataFrame, seed: int) -> Drawn:
    """The items of a study. The same seed and candidates, in any order of rows, give the same draw.

    `candidates` has a row for each thing that could be drawn, with the columns benchmark, metric, polarity, base,
    scenario, profile, target, conversation and judgment: names, None where the kind needs none. In a choice of
    simulators `target` names the simulator. What cannot be drawn as wished is said in `short`, and the rest is
    drawn. Raises ValueError for an unknown kind or a missing column.
    """
    if kind not in _DRAWS:
        raise ValueError(f"kind: {kind!r} is none of {', '.join(_DRAWS)}")
    return _DRAWS[kind](design, candidates, seed)


def assign(
    items: Iterable[DrawnItem], raters: Sequence[str], raters_per_item: int, seed: int
) -> dict[str, tuple[int, ...]]:
    """The numbers of the items that each rater is to rate, by chance and with even shares.

    An item with a wish of its own (`raters`) has that many raters, any other `raters_per_item`; none has more than
    there are. A metric whose form is rated stays together with its conversations. Those who have the fewest items
    so far are taken first.
    """
    blocks: dict[str, list[DrawnItem]] = {}
    listed = list(items)
    whole = {item.metric for item in listed if item.unit == kinds.METRIC}
    for item in listed:
        blocks.setdefault(f"metric {item.metric}" if item.metric in whole else f"item {item.number}", []).append(item)
    wishes = {name: max(max(item.raters for item in block) or raters_per_item, 0) for name, block in blocks.items()}
    given: dict[str, list[int]] = {rater: [] for rater in raters}
    order = sorted(shuffled(blocks, key="blocks", seed=seed), key=lambda name: -wishes[name])
    for name in order:
        by_chance = shuffled(raters, key=name, seed=seed)
        for rater in sorted(by_chance, key=lambda rater: len(given[rater]))[: wishes[name]]:
            given[rater] += [item.number for item in blocks[name]]
    return {rater: tuple(sorted(numbers)) for rater, numbers in given.items()}
