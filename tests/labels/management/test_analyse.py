"""`analyse`: the same report from a plain table, without a database."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[3]
HEADER = "benchmark,metric,polarity,scenario,profile,model,present,areas,subareas"


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    """Two benchmarks of two metrics a polarity, two models, two profiles; one conversation is unjudged."""
    lines = [HEADER]
    for number, (benchmark, metric, polarity) in enumerate(
        [("a", "m1", "positive"), ("a", "m2", "positive"), ("b", "m3", "negative"), ("b", "m4", "negative")]
    ):
        for scenario in range(3):
            for profile in ("teen", "adult"):
                for order, model in enumerate(("x", "=z")):
                    present = "yes" if (number + scenario * 2 + order + len(profile)) % 3 else "no"
                    present = "" if (metric, scenario, profile, model) == ("m1", 0, "teen", "x") else present
                    lines.append(
                        f"{benchmark},{metric},{polarity},{scenario},{profile},{model},{present},life,{benchmark}"
                    )
    file = tmp_path / "judgments.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def analyse(judgments: Path, folder: Path) -> None:
    call_command("analyse", str(judgments), "--out", str(folder), "--resamples", "200", "--title", "Ours <b>")


def test_page_tables_and_numbers_are_written(judgments: Path, tmp_path: Path):
    analyse(judgments, tmp_path / "out")

    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    whole = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    slugs = [table["slug"] for table in whole["tables"]]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "report.html", "results.json", "all-results.csv", "all-comparisons.csv", "all-sensitivity.csv",
        *(f"{slug}.csv" for slug in slugs),
    }  # fmt: skip
    assert re.findall(r'<section class="section rp" aria-labelledby="([^"]+)"', page) == slugs
    assert (whole["n_conversations"], whole["n_judged"], whole["n_unjudged"]) == (48, 47, 1)
    assert "1 more has no verdict and stands in no rate" in page
    assert "Ours &lt;b&gt;" in page


def test_page_needs_nothing_else(judgments: Path, tmp_path: Path):
    analyse(judgments, tmp_path / "out")

    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert re.findall(r'(?:src|href)="(?!#)([^"]+)"', page) == [
        f"{slug}.csv" for slug in re.findall(r'<section class="section rp" aria-labelledby="([^"]+)"', page)
    ]
    assert re.findall(r"https?://(?!www\.w3\.org)", page) == []


def test_names_in_files_cannot_become_formulas(judgments: Path, tmp_path: Path):
    analyse(judgments, tmp_path / "out")

    with (tmp_path / "out" / "models.csv").open(encoding="utf-8", newline="") as file:
        assert [row["model"] for row in csv.DictReader(file)] == ["'=z", "x"]


def test_same_table_gives_the_same_bytes(judgments: Path, tmp_path: Path):
    for folder in ("first", "second"):
        analyse(judgments, tmp_path / folder)

    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in ("first", "second")
    )
    assert first == second


def test_folder_with_files_in_it_is_left_alone(judgments: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")

    with pytest.raises(CommandError, match="not an empty folder; name another one"):
        analyse(judgments, tmp_path / "out")

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_unusable_table_ends_with_2_and_one_sentence_without_any_server(tmp_path: Path):
    (tmp_path / "bad.csv").write_text(f"{HEADER}\na,m1,good,s1,teen,x,yes,,\n", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "manage.py", "analyse", str(tmp_path / "bad.csv"), "--out", str(tmp_path / "out")],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0",
             "DJANGO_SETTINGS_MODULE": "impactbench.settings.test", "IMPACTBENCH_HOME": str(tmp_path / "home")},
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip().endswith("line 2, column polarity says 'good'; write positive or negative")
    assert not (tmp_path / "out").exists()
