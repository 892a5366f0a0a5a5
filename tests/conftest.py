"""What all tests share: real PostgreSQL and Valkey, embedded unless the environment names others."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from hypothesis import settings as hypothesis_settings

import impactbench.celery  # noqa: F401  (tasks find their broker through it)
from impactbench.common.readiness import join_servers
from tests.support import emptying

hypothesis_settings.register_profile("default", deadline=None, max_examples=60)
hypothesis_settings.register_profile("fuzz", deadline=None, max_examples=3000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every property test is a fuzz test as well: `make fuzz` runs them with many more examples.

    The long tests begin first, so that the processes of a parallel run end at the same time.
    """
    for item in items:
        if hasattr(getattr(item, "obj", None), "hypothesis"):
            item.add_marker(pytest.mark.fuzz)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session", autouse=True)
def _servers() -> Iterator[None]:
    """Hold the embedded servers for the whole session, before the first test asks for the database."""
    lease = join_servers()
    yield
    if lease is not None:
        lease.close()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The test database of pytest-django, emptied after tests by our own way."""
    with django_db_blocker.unblock():
        emptying.use_for_tests()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(_servers: None, django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The servers must run before pytest-django makes the test database."""


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """No test reads what another left in the cache."""
    yield
    if settings.CACHES["default"]["BACKEND"].endswith("RedisCache"):
        cache.clear()
