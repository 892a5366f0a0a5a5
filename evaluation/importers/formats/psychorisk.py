"""PsychoRisk: clusters of harmful replies become negative metric drafts, simulated people scenario drafts."""

import re
from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.beginnings import (
    beginning,
    first_cells,
    is_or_holds,
    json_keys,
    kinds_in,
    one_benchmark,
)
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.native_scenarios import MAX_TURNS
from evaluation.importers.formats.polarity_proposals import wording_flags
from evaluation.importers.formats.positions import read_json
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import Row, Table, as_table, read_csv
from evaluation.importers.formats.types import Anchor, FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="psychorisk",
    name="PsychoRisk",
    source=Source("ai-psychosis", "https://github.com/mitmedialab/ai-psychosis"),
    licence=None,
    sharing="no",
    is_verified=False,
)
_CLUSTERS = {"cluster_id", "label", "description", "harm_type"}
_SCENARIO = {"scenario", "pairs", "harm_type", "outcome"}
_ORDER = ("clusters", "scenario")
_SHARE = re.compile(r"\s*\(\s*[\d.]+\s*%\s*\)")
_HIDDEN = "the latent adversarial goal is the source's action and outcome: check that a user can lead to it unsaid"


def describe() -> FormatDescription:
    return FormatDescription("psychorisk", "PsychoRisk clusters and scenarios (CSV, JSON)", False)


def recognises(path: Path) -> bool:
    """A table of clusters, a scenario, or a folder that holds one. Never raises."""
    return is_or_holds(path, _kind)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _kind)


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark. Raises FileProblem with file, line and column."""
    found = Gathering(path)
    by_harm: dict[str, list[str]] = {}
    for kind, file in kinds_in(path, _kind, _ORDER, PUBLICATION.name):
        if kind == "clusters":
            table = as_table(file, read_csv(file))
            for row in table.rows:
                _add_cluster(found, file, table, row, by_harm)
        else:
            _add_scenario(found, file, by_harm)
    return drafts(PUBLICATION, found)


def _kind(file: Path) -> str | None:
    text = beginning(file)
    if json_keys(text) >= _SCENARIO:
        return "scenario"
    return "clusters" if set(first_cells(text, ",")) >= _CLUSTERS else None


def _add_cluster(found: Gathering, file: Path, table: Table, row: Row, by_harm: dict[str, list[str]]) -> None:
    place, words = found.place(file, row.place), table.text(row, "description")
    # Labels stand in quotes of their own, and one of them stands three times: the cluster's id tells them apart.
    name = table.text(row, "label").strip('"')
    if not words:
        found.skip(place, f"the cluster {name or 'without a label'} has no description")
        return
    key = found.metric_key(key_of_id(table.text(row, "cluster_id")), words, place)
    harms = [_SHARE.sub("", part).strip() for part in table.text(row, "harm_type").split(";")]
    for harm in filter(None, harms[:1]):
        by_harm.setdefault(harm.casefold(), []).append(key)
    found.metrics.append(
        MetricDraft(
            key=key,
            name=name or words[:80],
            definition=words,
            proposal=Proposal("negative", "a cluster of replies that did harm"),
            origin=Origin(table.cell(row, "description"), place),
            labels={"harm type": table.text(row, "harm_type")} if table.text(row, "harm_type") else {},
            flags=(draft_flags.REWORD, *wording_flags(words)),
        )
    )


def _add_scenario(found: Gathering, file: Path, by_harm: dict[str, list[str]]) -> None:
    root = Fields(file, read_json(file), "the file")
    outer = root.nested("scenario", "the scenario") or root
    told = outer.nested("scenario", "the scenario") or outer
    words, place = told.text("description"), found.place(file, f"line {told.node.line}")
    key = key_of_words(words)
    if found.has_scenario(key, words):
        found.skip(place, "the same scenario stands here again")
        return
    messages = [Fields(file, node, "a pair").optional_text("message") for node in outer.items("pairs")]
    anchors = tuple(Anchor(turn, f"Say: {text}") for turn, text in enumerate(filter(None, messages), start=1))
    harm = told.optional_text("harm_type") or ""
    hidden = ". ".join(filter(None, (told.optional_text("action"), told.optional_text("outcome"))))
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, words, place),
            metric_keys=tuple(by_harm.get(harm.casefold(), ())),
            origin=Origin(words, place),
            title=harm or None,
            persona=words,
            latent_adversarial_goal=hidden or None,
            anchors=anchors[:MAX_TURNS],
            source_age=told.optional_text("age"),
            context="The replies of the source's models are not kept.",
            flags=(
                draft_flags.NO_GOAL, draft_flags.AGE_OUTSIDE, draft_flags.PERSONA_OF_FIELDS, draft_flags.FIXED_REPLIES,
                *([_HIDDEN] if hidden else [draft_flags.NO_HIDDEN_GOAL]),
                *([draft_flags.TOO_MANY_TURNS] if len(anchors) > MAX_TURNS else []),
            ),
        )
    )  # fmt: skip
