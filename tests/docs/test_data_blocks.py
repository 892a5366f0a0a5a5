"""Every piece of YAML or JSON in README and docs/ is one that our readers take, or that its own program would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.importers.formats import native
from evaluation.plans import read_models, read_plan
from tests.docs import pages
from tests.docs.pages import Block

LANGUAGES = ("sh", "text", "yaml", "json", "python", "csv", "")


def test_every_block_says_a_language_that_is_tried() -> None:
    assert [block.place for block in pages.blocks() if block.language not in LANGUAGES] == []


@pytest.mark.parametrize("block", pages.of_language("yaml"), ids=lambda block: block.place)
def test_yaml_is_read_by_whoever_it_is_for(block: Block, tmp_path: Path) -> None:
    said: dict[str, Any] = yaml.safe_load(block.text)
    file = tmp_path / "written.yaml"
    file.write_text(block.text, encoding="utf-8")

    if "targets" in said:
        assert read_plan(file).name == said["name"]
    elif "metrics" in said:
        folder = _benchmark(block, tmp_path)
        assert len(native.read(folder).benchmark.metrics) == len(said["metrics"])
    elif "models" in said:
        assert len(read_models(file)) == len(said["models"])
    else:
        # For Prometheus, whose own checker is no program of ours.
        assert set(said) == {"scrape_configs"}


@pytest.mark.parametrize("block", pages.of_language("json"), ids=lambda block: block.place)
def test_json_can_be_read(block: Block) -> None:
    assert json.loads(block.text)


def _benchmark(block: Block, folder: Path) -> Path:
    """The folder of a benchmark: the YAML of a page with the JSON that follows it there."""
    [scenarios] = [other for other in pages.of_language("json") if other.page == block.page and other.line > block.line]
    made = folder / "an-example"
    made.mkdir()
    (made / "benchmark.yaml").write_text(block.text, encoding="utf-8")
    (made / "scenarios.json").write_text(scenarios.text, encoding="utf-8")
    return made / "benchmark.yaml"
