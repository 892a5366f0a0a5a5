"""Two levels of kept pages, both bounded."""

import time

import pytest
from django.core.cache import cache

from impactbench.page_cache import levels
from impactbench.page_cache.kept import OLDEST_SECONDS, KeptPage
from impactbench.page_cache.levels import BYTES_BESIDE, InProcess


@pytest.fixture
def page() -> KeptPage:
    """Made for each test: one made when the module was read would be too old in a long run."""
    return KeptPage({}, b"x" * 1_000)


def test_a_process_keeps_the_pages_asked_for_last(page: KeptPage) -> None:
    pages = InProcess(most_bytes=2 * (1_000 + BYTES_BESIDE))
    pages.put("a", page)
    pages.put("b", page)
    pages.get("a")

    pages.put("c", page)

    assert [name for name in "abc" if pages.get(name)] == ["a", "c"]


def test_a_page_that_is_kept_again_takes_its_own_room(page: KeptPage) -> None:
    pages = InProcess(most_bytes=2 * (1_000 + BYTES_BESIDE))

    for name in "abababab":
        pages.put(name, page)

    assert [name for name in "ab" if pages.get(name)] == ["a", "b"]


def test_other_processes_find_what_one_has_kept(page: KeptPage) -> None:
    levels.keep("a", page)
    levels.in_process.clear()

    found = levels.find("a")
    cache.clear()

    assert found == page
    assert levels.find("a") == page


def test_an_old_page_is_not_found() -> None:
    levels.keep("a", KeptPage({}, b"", made_at=time.time() - OLDEST_SECONDS))

    assert levels.find("a") is None


def test_a_page_never_answers_for_the_one_that_shares_its_place(
    page: KeptPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "SHARED_PLACES", 1)
    levels.keep("a", page)
    levels.keep("b", page)
    levels.in_process.clear()

    assert (levels.find("a"), levels.find("b")) == (None, page)
