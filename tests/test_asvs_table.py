"""docs/asvs.md keeps its word: every requirement of levels 1 and 2 has a line, and what a line names exists."""

import re

from tests.support.commands import ROOT
from tests.test_security_list import _has_setting, _has_test

# ASVS 5.0.0: how many requirements each level adds.
OF_LEVEL = {1: 70, 2: 183}
STATES = {"met", "not applicable", "not met"}
ROW = re.compile(r"^\| (\d+)\.(\d+)\.(\d+) \| ([12]) \| (.+?) \| ([a-z ]+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
SETTING = re.compile(r"`([\w/]+\.py)#(\w+)`")
FILE = re.compile(r"`([\w./-]*[\w-]+(?:\.[\w-]+)?)`")
LINE = re.compile(r"\bline (\d+)\b")
SECTION = re.compile(r"`(docs/[\w.]+)` \(\"([^\"]+)\"\)")


def _text() -> str:
    return (ROOT / "docs/asvs.md").read_text(encoding="utf-8")


def _rows() -> list[tuple[str, ...]]:
    """Chapter, section, number, level, words, state, evidence."""
    return ROW.findall(_text())


def test_every_requirement_has_one_line_in_order() -> None:
    rows = _rows()
    numbers = [tuple(int(part) for part in row[:3]) for row in rows]

    assert numbers == sorted(set(numbers))
    assert {level: sum(row[3] == str(level) for row in rows) for level in OF_LEVEL} == OF_LEVEL
    assert {row[5] for row in rows} == STATES
    told = re.search(r"(\d+) are met, (\d+) do not apply, (\d+) are not met", _text())
    assert told is not None
    counted = [sum(row[5] == state for row in rows) for state in ("met", "not applicable", "not met")]
    assert counted == [int(number) for number in told.groups()]


def test_what_is_met_names_evidence_and_the_rest_a_reason() -> None:
    kinds = (TEST, SETTING, FILE, LINE)
    bare = [row[:3] for row in _rows() if row[5] == "met" and not any(kind.search(row[6]) for kind in kinds)]
    unexplained = [row[:3] for row in _rows() if row[5] != "met" and not row[6].endswith((".", "`"))]

    assert (bare, unexplained) == ([], [])


def test_evidence_exists() -> None:
    evidence = "\n".join(row[6] for row in _rows())
    known = {int(number) for number in re.findall(r"^\| (\d+) \|", _security(), re.MULTILINE)}
    tests, settings = set(TEST.findall(evidence)), set(SETTING.findall(evidence))
    # Names in backticks without a place are settings and words, not files.
    files = {name for name in FILE.findall(evidence) if "/" in name or "." in name}

    assert sorted(f"{path}::{name}" for path, name in tests if not _has_test(path, name)) == []
    assert sorted(f"{path}#{name}" for path, name in settings if not _has_setting(path, name)) == []
    assert sorted(name for name in files if not (ROOT / name).exists()) == []
    assert {int(number) for number in LINE.findall(evidence)} - known == set()
    assert [
        (path, title)
        for path, title in SECTION.findall(evidence)
        if f"\n## {title}\n" not in (ROOT / path).read_text(encoding="utf-8")
    ] == []


def _security() -> str:
    return (ROOT / "docs/security.md").read_text(encoding="utf-8")
