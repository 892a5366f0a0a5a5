"""What is remembered between requests, and until when."""

from typing import Any

import pytest

from impactbench.common import page_version
from impactbench.common.remembered import MOST, remembered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kept(settings: Any) -> None:
    settings.PAGE_CACHE = True
    page_version.look_again()


class Asked:
    """A function that notes what it was asked."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.double = remembered(self._double)

    def _double(self, number: int) -> int:
        """Twice the number."""
        self.numbers.append(number)
        if number < 0:
            raise ValueError(number)
        return 2 * number


def test_one_version_asks_once_for_each_argument() -> None:
    asked = Asked()

    assert [asked.double(number) for number in (1, 2, 1, 2)] == [2, 4, 2, 4]
    assert asked.numbers == [1, 2]


def test_change_of_what_pages_show_is_seen(django_capture_on_commit_callbacks: Any) -> None:
    asked = Asked()
    asked.double(1)

    with django_capture_on_commit_callbacks(execute=True):
        page_version.bump()

    assert asked.double(1) == 2
    assert asked.numbers == [1, 1]


def test_error_is_raised_each_time() -> None:
    asked = Asked()

    for _ in range(2):
        with pytest.raises(ValueError, match="-1"):
            asked.double(-1)

    assert asked.numbers == [-1, -1]


def test_nothing_is_remembered_where_pages_are_not_kept(settings: Any) -> None:
    settings.PAGE_CACHE = False
    asked = Asked()

    assert [asked.double(1), asked.double(1)] == [2, 2]
    assert asked.numbers == [1, 1]


def test_no_more_is_kept_than_there_is_room_for() -> None:
    asked = Asked()

    for number in [*range(MOST + 1), 0]:
        asked.double(number)

    assert asked.numbers == [*range(MOST + 1), 0]
