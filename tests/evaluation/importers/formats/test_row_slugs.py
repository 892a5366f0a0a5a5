"""Ids of rows and subareas that are the address of another page."""

import json
from pathlib import Path

import pytest

from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.published_taxonomy import read_label_rows, read_taxonomy

_REFUSED = "no row and no subarea can have the id 'Embed!': another page has that address"


def test_no_row_and_no_subarea_has_the_address_of_another_page(tmp_path: Path) -> None:
    rows, areas = tmp_path / "nutrition-cat.json", tmp_path / "taxonomy.json"
    rows.write_text(json.dumps([{"id": "Embed!", "metrics": [{"id": "autonomy__m01"}]}]))
    areas.write_text(json.dumps({"areas": [{"id": "all", "subareas": [{"id": "Embed!"}]}]}))

    with pytest.raises(FileProblem) as of_rows:
        read_label_rows(rows, {"autonomy/m01": "positive"})
    with pytest.raises(FileProblem) as of_areas:
        read_taxonomy(areas)

    assert (of_rows.value.message, of_areas.value.message) == (_REFUSED, _REFUSED)
