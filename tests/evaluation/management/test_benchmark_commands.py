"""Importing and exporting benchmarks by command: exit codes, summaries, reports."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import Benchmark

pytestmark = pytest.mark.django_db

DEFINITION = """\
name: Own choices
metrics:
  - {id: m01, name: Asks first, type: positive, definition: Asks what matters.}
"""


def benchmark(folder: Path, definition: str = DEFINITION) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "benchmark.yaml").write_text(definition)
    return folder


def run(name: str, *arguments: object) -> tuple[str, str]:
    """Standard output and standard error."""
    out, err = StringIO(), StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_import_benchmark_reports_each_file(tmp_path: Path) -> None:
    folder = benchmark(tmp_path / "own-choices")

    out, err = run("import_benchmark", folder, "--json", tmp_path / "report.json")

    file = str(folder / "benchmark.yaml")
    assert out == "1 files: 1 imported, 0 unchanged, 0 skipped, 0 failed.\n"
    assert err == f"{file}: imported (1 metrics created, 0 updated, 0 unchanged)\n"
    assert json.loads((tmp_path / "report.json").read_text()) == {
        "files": [
            {
                "file": file,
                "format": "native",
                "status": "imported",
                "created": 1,
                "updated": 0,
                "unchanged": 0,
                "skipped": [],
                "flags": [],
            }
        ]
    }


def test_import_benchmark_with_a_broken_file_imports_the_others_and_fails(tmp_path: Path) -> None:
    good = benchmark(tmp_path / "good")
    bad = benchmark(tmp_path / "bad", "name: [")
    err = StringIO()

    with pytest.raises(CommandError) as problem:
        call_command("import_benchmark", str(bad), str(good), "--json", str(tmp_path / "report.json"), stderr=err)

    assert (problem.value.returncode, str(problem.value)) == (
        1,
        "2 files: 1 imported, 0 unchanged, 0 skipped, 1 failed.",
    )
    assert list(Benchmark.objects.values_list("slug", flat=True)) == ["good"]
    first = json.loads((tmp_path / "report.json").read_text())["files"][0]
    assert (first["status"], first["line"], first["column"]) == ("failed", 2, 1)
    assert err.getvalue().splitlines()[0] == f"{bad / 'benchmark.yaml'}, line 2, column 1: {first['reason']}"


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        (DEFINITION + "surprise: 1\n", "unknown key 'surprise' in the benchmark"),
        (
            DEFINITION + "  - {id: m01, name: Else, type: positive, definition: Else.}\n",
            "the metric id 'm01' stands here twice",
        ),
        (DEFINITION.replace("type: positive, ", ""), "metric m01 has no type; write type: positive or type: negative"),
        (DEFINITION.replace(", definition: Asks what matters.", ""), "metric m01 has no definition"),
    ],
)
def test_import_benchmark_gives_bad_input_one_clear_line(tmp_path: Path, definition: str, reason: str) -> None:
    folder = benchmark(tmp_path / "b", definition)
    err = StringIO()

    with pytest.raises(CommandError):
        call_command("import_benchmark", str(folder), stderr=err)

    [line] = err.getvalue().splitlines()
    assert line.startswith(f"{folder / 'benchmark.yaml'}, line ")
    assert line.endswith(f": {reason}")
    assert not Benchmark.objects.exists()


def test_import_benchmark_dry_run_writes_nothing(tmp_path: Path) -> None:
    out, _ = run("import_benchmark", benchmark(tmp_path / "b"), "--dry-run")

    assert out == "1 files: 1 imported, 0 unchanged, 0 skipped, 0 failed (dry run: nothing was written).\n"
    assert not Benchmark.objects.exists()


def test_import_benchmark_skips_a_file_without_metrics(tmp_path: Path) -> None:
    out, err = run("import_benchmark", benchmark(tmp_path / "b", "name: Empty\nmetrics: []\n"))

    assert out == "1 files: 0 imported, 0 unchanged, 1 skipped, 0 failed.\n"
    assert err == f"{tmp_path / 'b' / 'benchmark.yaml'}: skipped (there is no metric in it)\n"


def test_export_benchmark_imports_as_unchanged(tmp_path: Path) -> None:
    run("import_benchmark", benchmark(tmp_path / "own-choices"))

    exported, _ = run("export_benchmark", "own-choices", "--out", tmp_path / "out")
    imported, _ = run("import_benchmark", tmp_path / "out")

    assert exported == f"Exported own-choices to {tmp_path / 'out'}: 1 metrics, 0 scenarios.\n"
    assert imported == "1 files: 0 imported, 1 unchanged, 0 skipped, 0 failed.\n"


def test_export_benchmark_of_an_unknown_slug_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as problem:
        run("export_benchmark", "nowhere", "--out", tmp_path)

    assert (problem.value.returncode, str(problem.value)) == (2, "there is no benchmark 'nowhere'")
