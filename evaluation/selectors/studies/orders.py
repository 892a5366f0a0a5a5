"""The order in which a rater meets the items, and the letters that stand for models; both follow from the seed."""

from __future__ import annotations

from evaluation.models import Study, StudyItem, StudyRater
from evaluation.studies import masking
from evaluation.studies.kinds import METRIC


def own_order(study: Study, rater: StudyRater) -> list[int]:
    """The numbers of the rater's items: metric by metric, its form first, then scenario by scenario, A before B."""
    mine = _items_of(study, study.assignment.get(str(rater.plan), []))
    key, seed = f"rater {rater.seat}", study.seed
    metrics = masking.order({str(item.metric_version_id) for item in mine}, key=f"{key} metrics", seed=seed)
    scenarios = masking.order({str(item.scenario_id) for item in mine}, key=f"{key} scenarios", seed=seed)
    letters = letters_of(study, rater, mine)

    def place(item: StudyItem) -> tuple[int, bool, int, int, str, int]:
        letter = letters.get(item.number, "")
        metric = metrics.index(str(item.metric_version_id))
        scenario = scenarios.index(str(item.scenario_id))
        return metric, item.unit != METRIC, scenario, len(letter), letter, item.number

    return [item.number for item in sorted(mine, key=place)]


def letters_of(study: Study, rater: StudyRater, mine: list[StudyItem]) -> dict[int, str]:
    """The letter of the masked model of each item, by its number; none where a rater meets one model in a scenario."""
    groups: dict[tuple[int, int | None], list[StudyItem]] = {}
    for item in mine:
        if item.target_id is not None:
            groups.setdefault((item.metric_version_id, item.scenario_id), []).append(item)
    found: dict[int, str] = {}
    for (metric, scenario), members in groups.items():
        if len({item.target_id for item in members}) < 2:
            continue
        key = f"rater {rater.seat} metric {metric} scenario {scenario}"
        letters = masking.letters([str(item.target_id) for item in members], key=key, seed=study.seed)
        found |= {item.number: letters[str(item.target_id)] for item in members}
    return found


def items_of(study: Study, rater: StudyRater) -> list[StudyItem]:
    """The rater's items in their frozen order."""
    by_number = {item.number: item for item in _items_of(study, rater.order)}
    return [by_number[number] for number in rater.order]


def _items_of(study: Study, numbers: list[int]) -> list[StudyItem]:
    related = (
        "metric_version__metric__benchmark", "scenario__base", "scenario__profile", "conversation__target",
        "conversation__run__user_simulator", "target", "judgment",
    )  # fmt: skip
    items = study.items.filter(number__in=numbers).select_related(*related)
    # The plan of a run is long, and of no use here.
    return list(items.defer("conversation__run__spec").order_by("number"))
