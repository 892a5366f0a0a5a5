"""The risks of KORA as negative metric drafts, under the words in which the source says what is in scope."""

from pathlib import Path

from evaluation.importers.formats.draft_flags import REWORD
from evaluation.importers.formats.draft_keys import key_of_id
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.native_scenarios import MAX_TURNS
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.polarity_proposals import wording_flags
from evaluation.importers.formats.publications import Gathering

_REASON = "a risk: the source wants no assistant to do what it describes"
_THREE_GRADES = "the source grades replies exemplary, adequate or failing: say where present begins"
_GUIDANCE = "the clause is the source's guidance to those who write scenarios: keep what tells a judge what counts"


def add(found: Gathering, file: Path, categories: list[Node]) -> dict[str, int]:
    """Gather the metrics of all categories; gives how many turns the source lets a conversation about a risk have."""
    lengths: dict[str, int] = {}
    for node in categories:
        category = Fields(file, node, "a category")
        for risk_node in category.items("risks"):
            risk = Fields(file, risk_node, "a risk")
            metric = _metric(found, category.text("name"), risk)
            found.metrics.append(metric)
            length = risk.within("conversationLength", 1, MAX_TURNS)
            if length:
                lengths[metric.key] = length
    return lengths


def _metric(found: Gathering, category: str, risk: Fields) -> MetricDraft:
    stated, name = risk.text("id"), risk.text("name")
    risk.what = f"risk {stated}"
    words = risk.text("description")
    guidance = risk.optional_text("scenarioGuidance")
    place = found.place(risk.file, f"line {risk.node.line}")
    for flavour in risk.items("scenarioFlavors"):
        fields = Fields(risk.file, flavour, f"a flavour of risk {stated}")
        about = f"flavour {fields.text('id')} of {stated}: says how scenarios are made"
        found.skip(found.place(risk.file, f"line {flavour.line}"), f"{about}: {fields.text('description')}")
    return MetricDraft(
        key=found.metric_key(key_of_id(stated), words, place),
        name=name,
        definition=words,
        proposal=Proposal("negative", _REASON),
        origin=Origin(words, place),
        interpretive_clause=guidance,
        labels={"category": category, "risk": stated, **_labels(risk)},
        flags=(REWORD, _THREE_GRADES, *wording_flags(words), *([_GUIDANCE] if guidance else [])),
    )


def _labels(risk: Fields) -> dict[str, str]:
    stated = {"turns in the source": "conversationLength", "gives the model a memory": "provideUserContext"}
    return {label: str(risk.entries[key].value) for label, key in stated.items() if risk.has(key)}
