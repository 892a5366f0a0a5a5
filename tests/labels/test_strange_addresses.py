"""Whatever stands in an address, a page or the API answers, and never with a fault of ours."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from evaluation.importers.formats.slugs import TAKEN_BY_PAGES
from evaluation.models import Release
from labels.urls import urlpatterns
from tests.support.builders import make_release

PAGES = [
    "/",
    "/labels/",
    "/labels/luna/",
    "/compare/",
    "/concerns/",
    "/explore/",
    "/metrics/",
    "/releases/",
    "/search/",
]
API = ["results/", "models/", "conversations/", "judgments/", "metrics/", "areas/", "benchmarks/", "releases/"]
NAMES = [
    "release",
    "profile",
    "p",
    "m",
    "q",
    "sort",
    "page",
    "view",
    "only",
    "weights",
    "group",
    "key",
    "model",
    "polarity",
    "cursor",
]

words = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "null", "-1", "1e999", "../../etc", "%00", "\x00", "both", "all", "2026-a", "luna,,terra"]),
)
queries = st.dictionaries(st.one_of(st.sampled_from([*NAMES, "page_size"]), st.text(max_size=8)), words, max_size=4)


@pytest.fixture
def release(db: None) -> Release:
    return make_release()


@pytest.mark.fuzz
def test_no_query_string_is_a_fault(client: Client, release: Release) -> None:
    client.raise_request_exception = False

    @given(path=st.sampled_from(PAGES + [f"/api/v1/{path}" for path in API]), query=queries)
    def ask(path: str, query: dict[str, str]) -> None:
        assert client.get(path, query).status_code < 500

    ask()


@pytest.mark.fuzz
def test_no_path_is_a_fault(client: Client, release: Release) -> None:
    client.raise_request_exception = False
    folders = st.sampled_from(["/labels/", "/metrics/", "/explore/", "/conversations/", "/models/", "/api/v1/labels/"])

    @given(folder=folders, name=st.text(min_size=1, max_size=20), tail=st.sampled_from(["/", "", ".svg", ".json"]))
    def ask(folder: str, name: str, tail: str) -> None:
        assert client.get(folder + name + tail).status_code < 500

    ask()


@pytest.mark.parametrize("path", ["/labels/%00/", "/labels/%00.svg", "/labels/%00.json", "/labels/luna/%00/", "/%00"])
def test_zero_character_in_the_address_of_a_page_is_not_found(client: Client, release: Release, path: str) -> None:
    assert client.get(path).status_code == 404


def test_pages_beside_the_rows_of_a_label_are_those_whose_names_no_row_may_have() -> None:
    beside = [str(one.pattern).partition("<str:model>/")[2] for one in urlpatterns]
    names = {rest.removesuffix("/") for rest in beside if rest and "<" not in rest and "." not in rest}

    assert names == TAKEN_BY_PAGES
