"""`labels/<model>/`: the label as data."""

from typing import Any

import pytest

from evaluation.models import LanguageModel, Release
from labels.label import label_document
from tests.labels.api.conftest import Get

pytestmark = pytest.mark.django_db


def test_label_is_the_document_that_the_pages_offer(get: Get, small: Release) -> None:
    luna = LanguageModel.objects.get(slug="luna")

    assert get("labels/luna/").json() == label_document(small, luna)


@pytest.mark.usefixtures("small")
def test_headlines_are_the_overall_results(get: Get) -> None:
    overall: Any = get("results/?group=overall&model=luna").json()["results"]

    headlines = get("labels/luna/?release=small").json()["headlines"]

    assert sorted(headlines, key=str) == sorted(overall, key=str)
