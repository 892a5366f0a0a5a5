"""Results of the first edition, imported by command, come out of the API as their source published them."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.labels.api.conftest import Get
from tests.support.first_edition import july_folder

pytestmark = pytest.mark.django_db

# What the source would publish for the folder's verdicts: positive metrics pass on yes, negative ones on no.
PUBLISHED = {
    "model-a|child": {"kind-help__m01": 0.5, "kind-help__m02": 0.0},
    "model-a|adult": {"kind-help__m01": 1.0},
    "model-b|child": {"kind-help__m01": 0.0},
    "model-c|child": {"kind-help__m02": 1.0},
}
PROFILES = {"child-6-17": "child", "adult": "adult"}


def test_every_published_cell_with_verdicts_is_reproduced(get: Get, tmp_path: Path) -> None:
    call_command("import_results", str(july_folder(tmp_path)), release="2026-07")

    items: Any = get("results/?release=2026-07&group=metric&page_size=1000").json()["results"]

    cells: dict[str, dict[str, float]] = {}
    for item in items:
        if item["model"] and item["profile"] in PROFILES and item["n_judged"]:
            model_and_age = f"{item['model']}|{PROFILES[item['profile']]}"
            cells.setdefault(model_and_age, {})[item["key"].replace("/", "__")] = round(item["pass_rate"], 4)
    assert cells == PUBLISHED


def test_what_the_source_left_out_is_null(get: Get, tmp_path: Path) -> None:
    call_command("import_results", str(july_folder(tmp_path)), release="2026-07")

    release = get("releases/2026-07/").json()
    model = get("models/model-a/").json()
    unsure = get("judgments/?passed=null").json()["results"]

    assert (release["judge"], release["user_simulator"], release["prompt_hashes"]) == (None, None, None)
    assert (model["endpoint_kind"], model["accessed_on"], model["open_weights"]) == (None, None, None)
    assert [(judgment["judge"], judgment["state"], judgment["reason"]) for judgment in unsure] == [
        (None, "unjudged", "unsure")
    ]
    assert get("metrics/kind-help/m02/").json()["definition"] is None
