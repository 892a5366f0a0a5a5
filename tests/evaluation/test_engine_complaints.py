"""Every complaint of docs/engine-complaints.md has one row, and its row names tests that exist."""

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
TABLE = TESTS.parent / "docs" / "engine-complaints.md"


def test_every_complaint_about_engines_has_a_row_that_names_tests_that_exist() -> None:
    found = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", TABLE.read_text(encoding="utf-8"), re.M)
    rows = [(int(number), set(re.findall(r"test_\w+", tests))) for number, tests in found]
    exist = {
        name
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    }

    assert Counter(number for number, _ in rows) == Counter(range(1, 21))
    assert {number: names - exist for number, names in rows if names - exist or not names} == {}
