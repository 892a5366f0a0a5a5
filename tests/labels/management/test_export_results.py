"""`export_results`: the items of the API as files, whole or not at all."""

import csv
import hashlib
import json
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from evaluation.models import LanguageModel, Release
from tests.labels.api.conftest import small  # noqa: F401  (a fixture)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small")]


def exported(path: Path, *arguments: str) -> str:
    """What the command says after it wrote to `path`."""
    out = StringIO()
    call_command("export_results", "--release", "small", "--out", str(path), *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def of_the_api(client: Client, path: str) -> list[dict[str, Any]]:
    return client.get(f"/api/v1/{path}/", {"release": "small"}).json()["results"]


@pytest.mark.parametrize("what", ["results", "judgments", "metrics", "scenarios", "models"])
def test_json_lines_are_the_items_of_the_api(what: str, client: Client, tmp_path: Path) -> None:
    said = exported(tmp_path / "x.jsonl", "--format", "jsonl", "--what", what)

    items = of_the_api(client, what)
    assert [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()] == items
    assert said == f"Wrote {len(items)} {what} of small to {tmp_path / 'x.jsonl'}."


def test_conversations_have_their_turns(client: Client, tmp_path: Path) -> None:
    exported(tmp_path / "x.json", "--format", "json", "--what", "conversations")

    items = of_the_api(client, "conversations")
    whole = [client.get(f"/api/v1/conversations/{item['id']}/", {"release": "small"}).json() for item in items]
    assert len(whole) == 4
    assert json.loads((tmp_path / "x.json").read_text()) == whole


@pytest.mark.parametrize("what", ["results", "judgments", "metrics", "scenarios", "models"])
def test_parquet_holds_the_same_values_in_their_types(what: str, client: Client, tmp_path: Path) -> None:
    exported(tmp_path / "x.parquet", "--format", "parquet", "--what", what)

    items = of_the_api(client, what)
    for item in items:
        if "parameters" in item:
            item["parameters"] = json.dumps(item["parameters"], separators=(",", ":"))
    assert pq.read_table(tmp_path / "x.parquet").to_pylist() == items


def test_results_are_what_is_written_without_saying_what(client: Client, tmp_path: Path) -> None:
    exported(tmp_path / "x.csv", "--format", "csv")

    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    items = of_the_api(client, "results")
    assert [row["n_judged"] for row in rows] == [str(item["n_judged"]) for item in items]
    assert [row["pass_rate"] for row in rows] == [
        "" if item["pass_rate"] is None else str(item["pass_rate"]) for item in items
    ]


def test_cell_that_a_spreadsheet_could_run_is_made_safe(tmp_path: Path) -> None:
    LanguageModel.objects.filter(slug="luna").update(name="=1+1")

    exported(tmp_path / "x.csv", "--format", "csv", "--what", "models")

    with (tmp_path / "x.csv").open(newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["'=1+1"]


def test_all_tables_go_into_a_folder_with_a_manifest_that_its_files_agree_with(tmp_path: Path) -> None:
    folder = tmp_path / "small"

    said = exported(folder, "--format", "jsonl", "--what", "all")

    manifest = json.loads((folder / "manifest.json").read_text())
    assert said == f"Wrote 6 tables of small to {folder}, with manifest and checksums."
    assert sorted(file.name for file in folder.iterdir()) == [
        "README.md", "conversations.jsonl", "croissant.json", "judgments.jsonl", "manifest.json", "metrics.jsonl",
        "models.jsonl", "results.jsonl", "scenarios.jsonl",
    ]  # fmt: skip
    for entry in manifest["files"]:
        content = (folder / entry["name"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert (entry["bytes"], entry["rows"]) == (len(content), content.count(b"\n"))
    assert manifest["release"]["content_hash"] == Release.objects.get().content_hash
    assert manifest["canary"] in (folder / "README.md").read_text()


def test_same_release_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        exported(tmp_path / name, "--format", "parquet", "--what", "all")

    files = {file.name: file.read_bytes() for file in (tmp_path / "a").iterdir()}
    assert {file.name: file.read_bytes() for file in (tmp_path / "b").iterdir()} == files


def test_croissant_names_each_file_with_its_checksum_and_each_column(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    exported(folder, "--format", "parquet", "--what", "all")

    described = json.loads((folder / "croissant.json").read_text())
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [(entry["name"], entry["sha256"]) for entry in described["distribution"]] == [
        (entry["name"], entry["sha256"]) for entry in manifest["files"]
    ]
    [models] = [records for records in described["recordSet"] if records["@id"] == "models"]
    assert [field["@id"] for field in models["field"]] == [
        f"models/{name}" for name in pq.read_schema(folder / "models.parquet").names
    ]


def test_inspect_gets_a_log_for_each_model_with_a_sample_for_each_conversation(tmp_path: Path) -> None:
    said = exported(tmp_path / "logs", "--format", "inspect")

    assert said == f"Wrote 4 conversations of small to {tmp_path / 'logs'}: a log for each model."
    with zipfile.ZipFile(tmp_path / "logs" / "small_luna.eval") as log:
        header, summaries = json.loads(log.read("header.json")), json.loads(log.read("summaries.json"))
        samples = [json.loads(log.read(name)) for name in log.namelist() if name.startswith("samples/")]
    assert [summary["id"] for summary in summaries] == [sample["id"] for sample in samples]
    assert [(sample["target"], sample["scores"]["verdict"]["value"]) for sample in samples] == [
        ("present", "C"), ("present", "C"), ("absent", "N"), ("absent", "I"),
    ]  # fmt: skip
    assert header["results"]["scores"][0]["metrics"] == {
        "pass rate, negative metrics": {"name": "pass rate, negative metrics", "value": 0.0},
        "pass rate, positive metrics": {"name": "pass rate, positive metrics", "value": 1.0},
    }


def test_unknown_release_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"^there is no release big; the newest are: small$") as refused:
        call_command("export_results", "--release", "big", "--format", "csv", "--out", str(tmp_path / "x"))
    assert refused.value.returncode == 2


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")

    with pytest.raises(CommandError, match="is there already; name another place, nothing is written over"):
        exported(tmp_path / "x", "--format", "csv")
    assert (tmp_path / "x").read_text() == "mine"


def test_failure_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("labels.management.commands.export_results.FORMATS", {"csv": full})

    with pytest.raises(CommandError, match="cannot be written: No space left on device"):
        exported(tmp_path / "x", "--format", "csv")
    assert list(tmp_path.iterdir()) == []


def test_log_of_inspect_holds_conversations_only(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="a log of Inspect holds conversations; leave --what metrics out"):
        exported(tmp_path / "x", "--format", "inspect", "--what", "metrics")
