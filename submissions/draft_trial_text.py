"""What a trial of a drafted scenario reads, kept whole: its base and its metric may say something else later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from evaluation.drafting.fields import texts_of
from evaluation.drafting.preview import drafted_scenario
from evaluation.engine.types import MetricBrief, ScenarioBrief
from evaluation.models import GeneratedDraft
from evaluation.services.briefs import anchors_of, metric_brief
from evaluation.services.trial_costs import TRIAL_TURNS


def tried_text(row: GeneratedDraft, content: Mapping[str, Any]) -> dict[str, Any]:
    """A drafted scenario or variant with this content, for `Trial.content`.

    `texts` are the fields as an editor sees them, `metric` and `scenario` what the models read.
    """
    assert row.metric_version is not None
    scenario = drafted_scenario(row, content)
    anchors = [asdict(anchor) for anchor in scenario.anchors]
    return {
        "texts": texts_of(row.kind, content),
        "metric": asdict(metric_brief(row.metric_version)),
        "scenario": {**asdict(scenario), "anchors": anchors},
    }


def briefs_in(tried: Mapping[str, Any]) -> tuple[list[MetricBrief], ScenarioBrief]:
    """What `tried_text` kept, in the words of the engine."""
    scenario = {**tried["scenario"], "anchors": anchors_of(tried["scenario"]["anchors"])}
    return [MetricBrief(**tried["metric"])], ScenarioBrief(**scenario)


def unreached_turns(tried: Mapping[str, Any], last: int = TRIAL_TURNS) -> list[int]:
    """The turns of anchors that come later than a trial conversation ends, which is at turn `last`."""
    turns = {int(anchor["turn"]) for anchor in tried["scenario"]["anchors"]}
    return sorted(turn for turn in turns if turn > last)
