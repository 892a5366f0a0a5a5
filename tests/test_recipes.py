"""The recipe in docs/recipes runs against a site, and its notebook is the same code."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.builders import make_release
from tests.support.commands import ROOT

RECIPE = ROOT / "docs/recipes/areas_by_polarity.py"


def test_notebook_holds_the_recipe() -> None:
    cells = json.loads(RECIPE.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    parts = re.split(r"^# %%.*\n", RECIPE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]

    assert len(cells) == len(parts)
    for cell, part in zip(cells, parts, strict=True):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            source = "\n".join(f"# {line}".rstrip() for line in source.split("\n"))
        assert source == part.strip("\n")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_recipe_draws_the_rates_of_the_newest_release(live_server: object, tmp_path: Path) -> None:
    make_release()
    figure = tmp_path / "areas.html"

    done = subprocess.run(
        [sys.executable, RECIPE],
        env={"SITE": str(live_server), "FIGURE": str(figure)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, f"2 rates of 3 areas drawn in {figure}\n"), done.stderr
    assert '"name":"Promotes good"' in figure.read_text(encoding="utf-8")
