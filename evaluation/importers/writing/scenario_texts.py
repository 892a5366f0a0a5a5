"""Texts of scenarios that one source tells and another leaves out: filled in where missing, never replaced."""

from collections.abc import Iterable
from typing import Any

from evaluation.importers.formats.result_types import ResultScenario
from evaluation.models import BaseScenario, Scenario

BASE_COLUMNS = ("goal", "latent_adversarial_goal")
COLUMNS = ("persona", "anchors", "target_system_prompt", "attributes")
ROWS_AT_ONCE = 500


def says_otherwise(scenario: Scenario, row: ResultScenario) -> bool:
    """Whether both tell a text and the texts differ."""
    told = _told(row)
    return any(
        getattr(scenario.base, name) and told[name] and getattr(scenario.base, name) != told[name]
        for name in BASE_COLUMNS
    ) or any(getattr(scenario, name) and told[name] and getattr(scenario, name) != told[name] for name in COLUMNS)


def fill_texts(pairs: Iterable[tuple[Scenario, ResultScenario]]) -> int:
    """Fill in what scenarios lack and their rows tell; returns how many scenarios gained something."""
    variants: list[Scenario] = []
    bases: dict[int, BaseScenario] = {}
    for scenario, row in pairs:
        told = _told(row)
        if _fill(scenario, told, COLUMNS):
            variants.append(scenario)
        base = bases.get(scenario.base_id, scenario.base)
        if _fill(base, told, BASE_COLUMNS):
            bases[scenario.base_id] = base
    Scenario.objects.bulk_update(variants, COLUMNS, batch_size=ROWS_AT_ONCE)
    BaseScenario.objects.bulk_update(bases.values(), BASE_COLUMNS, batch_size=ROWS_AT_ONCE)
    return len(variants)


def _told(row: ResultScenario) -> dict[str, Any]:
    return {
        "goal": row.goal or "",
        "latent_adversarial_goal": row.latent_adversarial_goal or "",
        "persona": row.persona or "",
        "anchors": [vars(anchor) for anchor in row.anchors or ()],
        "target_system_prompt": row.target_system_prompt or "",
        "attributes": dict(row.attributes),
    }


def _fill(row: Scenario | BaseScenario, told: dict[str, Any], columns: tuple[str, ...]) -> bool:
    missing = [name for name in columns if told[name] and not getattr(row, name)]
    for name in missing:
        setattr(row, name, told[name])
    return bool(missing)
