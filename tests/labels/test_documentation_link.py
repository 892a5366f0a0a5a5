"""The foot of each page leads to the documentation, where somebody has built it."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

LINK = '<a href="/docs/">Documentation</a>'


@pytest.mark.django_db
def test_foot_leads_to_the_documentation_where_it_was_built(client: Client, settings: Any) -> None:
    without = client.get("/about/").content.decode()
    settings.WHITENOISE_ROOT = Path("site")
    built = client.get("/about/").content.decode()

    assert (without.count(LINK), built.count(LINK)) == (0, 1)
