"""docs/security.md keeps its word: each of the 48 expectations has a line, and what a line names exists."""

import ast
import re
from functools import cache

from django.conf import settings

from tests.support.commands import ROOT

N_EXPECTATIONS = 48
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
SETTING = re.compile(r"`([\w/]+\.py)#(\w+)`")
COLUMNS = 4


def _rows() -> list[list[str]]:
    """The cells of each line of the table: number, expectation, chapter, how it is met."""
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| \d+ \|.*\|$", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def _has_test(path: str, name: str) -> bool:
    return (ROOT / path).exists() and any(
        isinstance(node, ast.FunctionDef) and node.name == name and name.startswith("test_")
        for node in _tree(path).body
    )


def _has_setting(path: str, name: str) -> bool:
    if not (ROOT / path).exists():
        return False
    targets = [
        target
        for node in _tree(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def test_every_expectation_has_one_line() -> None:
    rows = _rows()

    assert [int(row[0]) for row in rows] == list(range(1, N_EXPECTATIONS + 1))
    assert {len(row) for row in rows} == {COLUMNS}


def test_every_line_says_how_it_is_met() -> None:
    unmet = [row[0] for row in _rows() if not (TEST.search(row[3]) or SETTING.search(row[3]) or "Reason: " in row[3])]

    assert unmet == []


def test_every_test_that_is_named_exists() -> None:
    named = [found for row in _rows() for found in TEST.findall(row[3])]

    assert len(named) > N_EXPECTATIONS
    assert [f"{path}::{name}" for path, name in named if not _has_test(path, name)] == []


def test_every_setting_that_is_named_exists() -> None:
    named = [found for row in _rows() for found in SETTING.findall(row[3])]

    assert [
        f"{path}#{name}" for path, name in named if not _has_setting(path, name) or not hasattr(settings, name)
    ] == []


def test_there_is_no_admin_site() -> None:
    assert "django.contrib.admin" not in settings.INSTALLED_APPS


def test_the_reader_sees_what_is_missing() -> None:
    assert not _has_test("tests/test_security_list.py", "test_that_nobody_wrote")
    assert not _has_test("tests/test_of_nothing.py", "test_x")
    assert not _has_setting("impactbench/settings/base.py", "NO_SETTING")
