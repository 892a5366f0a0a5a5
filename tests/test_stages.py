"""`make test` runs in stages, and none of them passes over a test: each looks only into the folders that it names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STAGE = re.compile(r'\$\(PYTEST\) (?:--create-db )?-m ("[^"]+"|\w+)(.*)')


def _stages() -> dict[str, list[str]]:
    """The folders of each stage by the marks that it asks for; none where it looks everywhere."""
    found = STAGE.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    return {marks.strip('"'): folders.split() for marks, folders in found}


def _marked(mark: str) -> list[str]:
    name = f"mark.{mark}"
    files = sorted((ROOT / "tests").rglob("*.py"))
    return [str(file.relative_to(ROOT)) for file in files if re.search(rf"{name}\b", file.read_text(encoding="utf-8"))]


def test_every_test_belongs_to_one_stage() -> None:
    assert list(_stages()) == ["not browser and not alone", "alone and not browser", "browser"]
    assert _stages()["not browser and not alone"] == []


@pytest.mark.parametrize(("stage", "mark"), [("alone and not browser", "alone"), ("browser", "browser")])
def test_stage_looks_where_its_tests_are(stage: str, mark: str) -> None:
    folders = tuple(f"{folder}/" for folder in _stages()[stage])

    marked = _marked(mark)

    assert [file for file in marked if not file.startswith(folders)] == []
    assert len(marked) > 5
