"""Designs go to JSON and back, and refuse nonsense by the name of its field."""

import json

import pytest

from evaluation.studies.designs import ExpertReview, JudgeComparison, as_data, design_of
from evaluation.studies.kinds import KINDS
from evaluation.studies.presets import PRESETS


def test_every_preset_survives_json() -> None:
    assert {preset.kind for preset in PRESETS.values()} == set(KINDS)
    for preset in PRESETS.values():
        assert design_of(preset.kind, json.loads(json.dumps(as_data(preset.design)))) == preset.design


def test_what_is_not_named_keeps_its_default() -> None:
    assert design_of("expert-review", {"overlap": [3, 3]}) == ExpertReview(overlap=(3, 3))
    assert design_of("judge-comparison", {"judges": ["a", "b", "a"]}) == JudgeComparison(judges=("a", "b"))


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("survey", {}, "kind: 'survey' is none of scenario-review"),
        ("scenario-review", {"n_targets": 3}, "n_targets: a scenario-review has no such number"),
        ("scenario-review", {"n_metrics": 0}, "n_metrics: give a whole number from 1 to 100,000"),
        ("scenario-review", {"n_metrics": "4"}, "n_metrics: give a whole number from 1 to 100,000"),
        ("scenario-review", {"raters_per_item": 11}, "raters_per_item: there are only 10 raters"),
        ("scenario-review", {"overlap": [11]}, "overlap: there are only 10 raters"),
        ("scenario-review", {"overlap": 2}, "overlap: give a list"),
        ("judge-repeatability", {"repeats": 1}, "repeats: give a whole number from 2 to 100"),
        ("simulator-ablation", {"switches": ["weather"]}, "switches: choose from anchors"),
        ("judge-comparison", {"judges": [1]}, "judges: give a list of names"),
    ],
)
def test_nonsense_is_refused_by_the_name_of_its_field(kind: str, data: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        design_of(kind, data)
