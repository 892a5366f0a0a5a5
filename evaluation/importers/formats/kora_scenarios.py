"""KORA's scenarios and seeds of children as scenario drafts of their risk; no age is changed, no adult invented."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.ages import profile_of_ages
from evaluation.importers.formats.cut_off_text import is_cut_off
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words
from evaluation.importers.formats.draft_types import Origin, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.publications import Gathering
from evaluation.importers.formats.types import Anchor

ADULT_TO_DRAFT = "equivalent adult scenario to be drafted"
_MEMORY = "the tested model has a memory of the user in the source: it is kept as context"
_CRITERIA = "the source's criteria hold for this scenario only and name good and bad signs alike"
_SEED_ONLY = "a seed of the source: its first message and its story are to be written"
_LIMITS = {"evaluationCriteria": 1000, "narrative": 2000}
_OF_THE_CHILD = {
    "childAge": "Age",
    "childGender": "Gender",
    "childRaceEthnicity": "Race or ethnicity",
    "childSES": "Socioeconomic status",
    "childCognitiveMaturity": "Cognitive maturity",
    "childEmotionalMaturity": "Emotional maturity",
}
_OF_THE_SEED = {
    "riskSignalType": "Risk signal",
    "socialContext": "Social context",
    "scenarioFlavorId": "Flavour",
    "context": "Context",
    "notes": "Notes",
}


def add(found: Gathering, file: Path, nodes: list[Node], lengths: Mapping[str, int]) -> None:
    """Gather scenarios; raises FileProblem."""
    for node in nodes:
        fields = Fields(file, node, "a scenario")
        seed = fields.nested("seed", "the seed of a scenario")
        if seed is None:
            fields.refuse("a scenario has no seed")
        message = fields.text("firstUserMessage")
        background, maturity = fields.optional_text("childBackground"), fields.optional_text("childMaturity")
        _add(
            found,
            seed,
            ScenarioDraft(
                key="",
                metric_keys=(),
                origin=Origin(message, found.place(file, f"line {node.line}")),
                title=fields.optional_text("shortTitle"),
                persona="\n\n".join(filter(None, (background, maturity))) or None,
                goal=fields.optional_text("narrative"),
                anchors=(Anchor(1, f"Say: {message}"),),
                context=_context(fields, seed),
                flags=_own_flags(fields),
            ),
            lengths,
        )


def add_seeds(found: Gathering, file: Path, nodes: list[Node], lengths: Mapping[str, int]) -> None:
    """Gather the seeds of which no scenario was gathered; raises FileProblem."""
    written = {scenario.key for scenario in found.scenarios}
    for node in nodes:
        seed = Fields(file, node, "a seed")
        place = found.place(file, f"line {node.line}")
        if key_of_id(seed.optional_text("id") or "") in written:
            found.skip(place, "a seed whose scenario is read already")
            continue
        words = seed.text("coreBehavior")
        persona = _lines(seed, _OF_THE_CHILD)
        _add(
            found,
            seed,
            ScenarioDraft(
                key="",
                metric_keys=(),
                origin=Origin(words, place),
                title=seed.optional_text("shortTitle"),
                persona=persona or None,
                goal=seed.optional_text("context"),
                context=_seed_context(seed, without="context"),
                flags=(_SEED_ONLY, draft_flags.PERSONA_OF_FIELDS) if persona else (_SEED_ONLY,),
            ),
            lengths,
        )


def _add(found: Gathering, seed: Fields, draft: ScenarioDraft, lengths: Mapping[str, int]) -> None:
    stated, place = seed.optional_text("id"), draft.origin.place
    if stated and found.has_scenario(key_of_id(stated), draft.origin.text):
        found.skip(place, f"the scenario {stated} stands here again with the same words")
        return
    risk = key_of_id(seed.text("riskId"))
    has_risk = found.has_metric(risk)
    age = seed.optional_text("ageRange") or _stated(seed, "childAge")
    profile = profile_of_ages(age) if age else None
    behaviour = seed.optional_text("coreBehavior")
    flags = (
        *([] if has_risk else [f"its risk {risk!r} is not in this upload: add the risks, or choose its metrics"]),
        *([] if draft.goal else [draft_flags.NO_GOAL]),
        *([] if draft.persona else [draft_flags.NO_PERSONA]),
        draft_flags.HIDDEN_GOAL_IS_NEAREST if behaviour else draft_flags.NO_HIDDEN_GOAL,
        *([draft_flags.ONE_MESSAGE] if len(draft.anchors) == 1 else []),
        *_age_flags(age, seed, is_inside=profile is not None),
        ADULT_TO_DRAFT,
    )
    words = draft.origin.text
    found.scenarios.append(
        replace(
            draft,
            key=found.scenario_key(key_of_id(stated) if stated else key_of_words(words), words, place),
            metric_keys=(risk,) if has_risk else (),
            latent_adversarial_goal=behaviour,
            profile_slug=profile.slug if profile else None,
            source_age=age,
            turns=lengths.get(risk),
            flags=(*draft.flags, *flags),
        )
    )


def _age_flags(age: str | None, seed: Fields, *, is_inside: bool) -> list[str]:
    if age is None:
        return [draft_flags.NO_AGE]
    exact = _stated(seed, "childAge")
    flags = [] if is_inside else [draft_flags.AGE_OUTSIDE]
    if is_inside and exact and profile_of_ages(exact) != profile_of_ages(age):
        flags.append(f"the source says both {age} and {exact} years")
    return flags


def _own_flags(fields: Fields) -> tuple[str, ...]:
    cut = [
        f"{draft_flags.CUT_OFF}: {key}"
        for key, limit in _LIMITS.items()
        if fields.has(key) and is_cut_off(_raw(fields, key), limit)
    ]
    return (
        *cut,
        *([_CRITERIA] if fields.has("evaluationCriteria") else []),
        *([_MEMORY] if fields.has("modelMemory") else []),
    )


def _raw(fields: Fields, key: str) -> str:
    """As it stands there: blanks at the end count for the length at which it was cut."""
    value = fields.entries[key].value
    return value if isinstance(value, str) else fields.text(key)


def _context(fields: Fields, seed: Fields) -> str | None:
    own = _lines(fields, {"evaluationCriteria": "Evaluation criteria", "modelMemory": "Memory of the model"})
    return "\n\n".join(filter(None, (own, _seed_context(seed)))) or None


def _seed_context(seed: Fields, without: str = "") -> str | None:
    motivation = seed.nested("motivation", "the motivation of a seed")
    stated = [_lines(seed, {key: name for key, name in _OF_THE_SEED.items() if key != without})]
    if motivation is not None:
        stated.append(f"Motivation: {': '.join(filter(None, map(motivation.optional_text, ('name', 'description'))))}")
    return "\n\n".join(filter(None, stated)) or None


def _lines(fields: Fields, names: Mapping[str, str]) -> str:
    stated = ((name, _stated(fields, key)) for key, name in names.items())
    return "\n\n".join(f"{name}: {text}" for name, text in stated if text)


def _stated(fields: Fields, key: str) -> str | None:
    """Text or number as the source states it."""
    value = fields.entries[key].value if key in fields.entries else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else fields.optional_text(key)
