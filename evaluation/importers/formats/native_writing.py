"""Writes the native benchmark folder: stable, and pleasant to read and to compare line by line."""

import json
from collections.abc import Mapping
from pathlib import Path

import yaml

from evaluation.importers.formats.base_numbers import base_numbers
from evaluation.importers.formats.native_scenarios import lineage
from evaluation.importers.formats.profiles import AGE_TEXTS, Profile, profile_of_age
from evaluation.importers.formats.types import BenchmarkFile, MetricFile, ScenarioFile

FILE_NAMES = ("benchmark.yaml", "benchmark.yml")
SCENARIOS = "scenarios.json"
WIDTH = 100


def write(benchmark: BenchmarkFile, folder: Path) -> tuple[Path, Path]:
    """Write benchmark.yaml and scenarios.json into `folder` (made if missing), replacing those in it.

    Reading them again gives an equal BenchmarkFile; equal benchmarks give equal bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    definition, scenarios = folder / FILE_NAMES[0], folder / SCENARIOS
    definition.write_text(definition_text(benchmark), encoding="utf-8", newline="\n")
    scenarios.write_text(scenarios_text(benchmark), encoding="utf-8", newline="\n")
    return definition, scenarios


def definition_text(benchmark: BenchmarkFile) -> str:
    """The text of benchmark.yaml."""
    document = {
        "name": benchmark.name,
        "slug": benchmark.slug,
        "description": benchmark.description,
        "sources": [
            _filled({"title": source.title, "url": source.url, "doi": source.doi}) for source in benchmark.sources
        ],
        "licence": benchmark.licence,
        "contributors": list(benchmark.contributors),
        "scenario": _filled({"user_context": benchmark.user_context}),
        "research_summary": benchmark.research_summary,
        "content_notices": list(benchmark.content_notices),
    }
    metrics = [_metric(metric) for metric in benchmark.metrics]
    text: str = yaml.dump(
        {**_filled(document), "metrics": metrics},
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=WIDTH,
    )
    return text


def scenarios_text(benchmark: BenchmarkFile) -> str:
    """The text of scenarios.json. Rows state their base where it does not follow from their ids and goals."""
    derived = base_numbers([lineage(None, row) for row in benchmark.scenarios])
    follows = all(row.base_number == number for row, (number, _) in zip(benchmark.scenarios, derived, strict=True))
    rows = [_scenario(row, states_base=not follows) for row in benchmark.scenarios]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _metric(metric: MetricFile) -> dict[str, object]:
    return _filled(
        {
            "id": metric.local_id,
            "name": metric.name,
            "type": metric.polarity,
            "definition": metric.definition,
            "interpretive_clause": metric.interpretive_clause,
            "judge_question": metric.judge_question,
            "examples": list(metric.examples_present),
            "examples_absent": list(metric.examples_absent),
            "subareas": list(metric.subareas),
            "rationale": metric.rationale,
            "citations": list(metric.citations),
            "plain_name": metric.plain_name,
            "plain_definition": metric.plain_definition,
        }
    )


def _scenario(row: ScenarioFile, *, states_base: bool) -> dict[str, object]:
    required = {
        "id": row.id,
        "metric_id": row.metric_id,
        **({"base_scenario_id": f"scenario_{row.base_number:03}"} if states_base else {}),
        **_filled({"title": row.title}),
        "persona": row.persona,
        "user_goal": row.goal,
        "latent_adversarial_goal": row.latent_adversarial_goal,
        "landmarks": [{"turn": anchor.turn, "instruction": anchor.objective} for anchor in row.anchors],
        "demographic": _demographic(row),
    }
    return required | _filled({"target_system_prompt": row.target_system_prompt, "turns": row.turns})


def _demographic(row: ScenarioFile) -> dict[str, object]:
    profile = Profile(row.profile_slug, row.profile_name, dict(row.profile_attributes))
    age = AGE_TEXTS.get(profile.slug) or profile.name
    written: dict[str, object] = {"age": age}
    if profile_of_age(age) != profile:
        written["profile"] = {
            "slug": profile.slug,
            "name": profile.name,
            "attributes": dict(profile.attributes),
        }
    return written | {key: text for key, text in row.attributes.items() if key not in ("age", "profile")}


def _filled(values: Mapping[str, object]) -> dict[str, object]:
    """Only what says something: an absent key reads as nothing."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


class _Dumper(yaml.SafeDumper):
    """Indents lists under their key, and writes long or many-lined text as a block."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002  (PyYAML's)
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  (PyYAML's signature)
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else ">" if len(text) > WIDTH - 20 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
