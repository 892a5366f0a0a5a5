"""The rows of a scenarios.json: the native ones and both generations of the first edition's."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from evaluation.importers.formats.base_numbers import Lineage, base_numbers
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node, read_json
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.profiles import Profile, profile_of_age
from evaluation.importers.formats.slugs import is_slug, metric_local_id
from evaluation.importers.formats.types import Anchor, Remark, ScenarioFile

MAX_TURNS = 50

ROW_KEYS = {
    "id", "scenario_id", "metric_id", "metric", "metric_name", "metric_type", "base_scenario_id", "persona",
    "user_persona", "user_goal", "latent_adversarial_goal", "landmarks", "demographic", "target_system_prompt",
    "title", "description", "turns",
}  # fmt: skip
# A first-edition row may be nested in what was saved with its conversation; only the scenario is read here.
WRAPPER_KEYS = {"scenario", "scenario_id", "samples", "verdict"}


def read(file: Path, metrics: Collection[str]) -> tuple[tuple[ScenarioFile, ...], list[Remark]]:
    """The scenarios of a file, all of known metrics, and what was noteworthy. Raises FileProblem."""
    root = read_json(file)
    if not isinstance(root.value, list):
        raise FileProblem(file, "scenarios must be a list of rows", root.line, root.column)
    rows = [_row_fields(file, node) for node in root.value]
    scenarios = [_scenario(fields, metrics) for fields in rows]
    _refuse_duplicates(rows, scenarios)
    numbers = base_numbers([lineage(fields, row) for fields, row in zip(rows, scenarios, strict=True)])
    flags = [
        Remark(f"scenario {row.id}", f"its base has this profile already, so it became base scenario {number}")
        for row, (number, is_moved) in zip(scenarios, numbers, strict=True)
        if is_moved
    ]
    n_descriptions = sum(fields.has("description") for fields in rows)
    if n_descriptions:
        flags.append(Remark(file.name, f"{n_descriptions} scenarios have a description, which is not kept"))
    numbered = (replace(row, base_number=number) for row, (number, _) in zip(scenarios, numbers, strict=True))
    return tuple(numbered), flags


def lineage(fields: Fields | None, row: ScenarioFile) -> Lineage:
    """What the base number of a row follows from; without fields, what follows from the row's own id."""
    stated = fields.optional_text("base_scenario_id") if fields else None
    ids = (row.id,) if stated is None else (stated, row.id)
    return Lineage(row.metric_id, row.profile_slug, ids, (row.goal, row.latent_adversarial_goal))


def _row_fields(file: Path, node: Node) -> Fields:
    fields = Fields(file, node, "a scenario")
    inner = fields.nested("scenario", "a scenario")
    if inner is None:
        known = ROW_KEYS
    else:
        fields.refuse_unknown(WRAPPER_KEYS)
        fields, known = inner, ROW_KEYS
    fields.what = f"scenario {fields.text('id', 'scenario_id')}"
    fields.refuse_unknown(known)
    return fields


def _scenario(fields: Fields, metrics: Collection[str]) -> ScenarioFile:
    metric = metric_local_id(fields.text("metric_id"))
    if metric not in metrics:
        fields.refuse(
            f"{fields.what} names the metric {metric!r}, which benchmark.yaml lacks", fields.entries["metric_id"]
        )
    turns = fields.within("turns", 1, MAX_TURNS)
    profile, attributes = _demographic(fields)
    return ScenarioFile(
        id=fields.text("id", "scenario_id"),
        metric_id=metric,
        base_number=0,
        persona=fields.text("persona", "user_persona"),
        goal=fields.text("user_goal"),
        latent_adversarial_goal=fields.optional_text("latent_adversarial_goal") or "",
        anchors=tuple(_anchor(fields, node, turns) for node in fields.items("landmarks")),
        profile_slug=profile.slug,
        profile_name=profile.name,
        profile_attributes=profile.attributes,
        attributes=attributes,
        target_system_prompt=fields.optional_text("target_system_prompt"),
        title=fields.optional_text("title"),
        turns=turns,
    )


def _anchor(fields: Fields, node: Node, turns: int | None) -> Anchor:
    entry = Fields(fields.file, node, f"a landmark of {fields.what}")
    entry.refuse_unknown({"turn", "instruction"})
    turn = entry.within("turn", 1, MAX_TURNS)
    if turn is None:
        entry.refuse(f"{entry.what} has no turn")
    if turns is not None and turn > turns:
        entry.refuse(f"{entry.what} stands at turn {turn}, beyond the scenario's {turns} turns", entry.entries["turn"])
    return Anchor(turn, entry.text("instruction"))


def _demographic(fields: Fields) -> tuple[Profile, dict[str, str]]:
    """The profile of a row, and its other attributes (gender), which stay with the scenario."""
    demographic = fields.nested("demographic", f"demographic of {fields.what}")
    if demographic is None:
        fields.refuse(f"{fields.what} has no demographic; write demographic: {{age: ...}}")
    profile = profile_of_age(demographic.text("age"))
    stated = demographic.nested("profile", f"profile of {fields.what}")
    if stated:
        profile = _stated_profile(stated)
    if not is_slug(profile.slug) or profile.slug == "all":
        demographic.refuse(f"the age {demographic.text('age')!r} makes no profile name", demographic.entries["age"])
    others = sorted(set(demographic.entries) - {"age", "profile"})
    return profile, {key: demographic.text(key) for key in others if demographic.has(key)}


def _stated_profile(fields: Fields) -> Profile:
    """A profile spelled out, as we write those that do not follow from their age text."""
    fields.refuse_unknown({"slug", "name", "attributes"})
    attributes = fields.nested("attributes", "profile attributes")
    named = {key: attributes.text(key) for key in attributes.entries} if attributes else {}
    return Profile(fields.text("slug"), fields.text("name"), named)


def _refuse_duplicates(rows: list[Fields], scenarios: list[ScenarioFile]) -> None:
    seen = set()
    for fields, row in zip(rows, scenarios, strict=True):
        if row.id in seen:
            fields.refuse(f"the scenario id {row.id!r} stands here twice")
        seen.add(row.id)
