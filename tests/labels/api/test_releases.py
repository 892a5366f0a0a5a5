"""`releases/`, and which release other paths are about."""

import pytest

from evaluation.models import JudgeConfiguration, LanguageModel, Release
from evaluation.services import publishing
from tests.labels.api.conftest import Get
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


def test_release_has_exactly_the_contract_members(get: Get, small: Release) -> None:
    shown = get("releases/small/").json()

    assert shown == {
        "slug": "small",
        "title": "small",
        "status": "published",
        "retraction_reason": None,
        "published_at": small.published_at.isoformat().replace("+00:00", "Z"),
        "taxonomy": "impactbench-2026",
        "judge": "judge",
        "user_simulator": "simulator-model",
        "prompt_hashes": {"judge": "a" * 64, "user_simulator": "b" * 64},
        "code_version": "0.1.0",
        "content_hash": small.content_hash,
        "n_models": 1,
        "n_benchmarks": 1,
        "n_metrics": 2,
        "n_conversations": 4,
        "n_judged": 3,
        "n_unjudged": 1,
        "resamples": 50,
        "seed": 0,
        "method": publishing.METHOD,
        "files": None,
    }
    listed = {name: value for name, value in shown.items() if name != "files"}
    assert get("releases/").json()["results"] == [listed]


@pytest.mark.usefixtures("small")
def test_what_an_imported_source_did_not_publish_is_null(get: Get) -> None:
    JudgeConfiguration.objects.update(language_model=None)
    Release.objects.update(user_simulator=None, prompt_hashes=None, code_version="")

    shown = get("releases/small/").json()

    assert [shown[name] for name in ("judge", "user_simulator", "prompt_hashes", "code_version")] == [None] * 4


def test_releases_are_listed_newest_first_with_retracted_ones(get: Get, small: Release) -> None:
    make_release("other", run=small.runs.get())
    publishing.retract(actor=None, slug="small", reason="A judge was broken.")

    shown = get("releases/").json()["results"]

    assert [(item["slug"], item["status"], item["retraction_reason"]) for item in shown] == [
        ("other", "published", None),
        ("small", "retracted", "A judge was broken."),
    ]
    assert [item["slug"] for item in get("releases/?release=small").json()["results"]] == ["small"]


def test_newest_published_release_answers_unless_one_is_named(get: Get, small: Release) -> None:
    run = small.runs.get()
    make_release("older", run=run)
    make_release("newest", run=run)
    publishing.retract(actor=None, slug="newest", reason="A judge was broken.")

    def answering(query: str) -> str:
        return str(get(f"labels/luna/{query}").json()["release"])

    assert answering("") == "older"
    assert answering("?release=small") == "small"
    assert answering("?release=newest") == "newest"


def test_retracted_releases_alone_leave_lists_empty(get: Get, small: Release) -> None:
    publishing.retract(actor=None, slug="small", reason="A judge was broken.")

    assert get("models/").json()["results"] == []
    assert [model["slug"] for model in get("models/?release=small").json()["results"]] == ["luna"]
    assert LanguageModel.objects.filter(slug="luna").exists()
