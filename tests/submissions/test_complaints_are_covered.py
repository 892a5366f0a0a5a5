"""Every complaint of docs/complaints.md has a test that bears its number, and no number stands without a row."""

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
TABLE = TESTS.parent / "docs" / "complaints.md"
NUMBERS = range(1, 28)


def numbered_tests() -> dict[int, set[str]]:
    """The numbers that names of tests bear (`test_complaint_16_17_...` bears two), with the files they stand in."""
    found: dict[int, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        for numbers in re.findall(r"^def test_complaint_((?:\d\d_)+)", path.read_text(), re.M):
            for number in re.findall(r"\d\d", numbers):
                found.setdefault(int(number), set()).add(path.name)
    return found


def table_rows() -> list[tuple[int, set[str]]]:
    """(number, files of tests) of each row of the table."""
    rows = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", TABLE.read_text(), re.M)
    return [(int(number), set(re.findall(r"test_\w+\.py", tests))) for number, tests in rows]


def test_every_complaint_has_a_test() -> None:
    assert sorted(numbered_tests()) == list(NUMBERS)


def test_every_complaint_has_one_row_that_names_its_tests() -> None:
    rows = table_rows()

    assert Counter(number for number, _ in rows) == Counter(NUMBERS)
    assert dict(rows) == numbered_tests()
