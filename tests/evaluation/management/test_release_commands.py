"""Publishing, retracting, verifying and importing releases by command: exit codes, summaries, reports."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import Judgment, Release, Run
from tests.support.builders import make_finished_run, make_release
from tests.support.first_edition import april_folder, july_folder
from tests.support.frozen import nothing_is_frozen

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: object, **options: Any) -> str:
    """The command's standard output."""
    out = StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def failure(name: str, *arguments: object) -> tuple[int, str]:
    """Exit code and the sentence on standard error of a command that fails."""
    with pytest.raises(CommandError) as problem:
        run(name, *arguments)
    return problem.value.returncode, str(problem.value)


def test_publish_release_says_what_it_published() -> None:
    make_finished_run()

    summary = run("publish_release", "pilot", "--run", "run", "--resamples", 50, "--title", "The pilot")

    assert summary == (
        "Published release pilot: 3 models, 12 metrics, 115 of 120 conversations judged; "
        "360 results, 279 comparisons, 30 sensitivity analyses.\n"
    )
    assert Release.objects.get().title == "The pilot"


def test_publish_release_of_a_running_run_is_a_failure() -> None:
    make_finished_run()
    Run.objects.update(state=Run.State.RUNNING)

    assert failure("publish_release", "pilot", "--run", "run") == (
        1,
        "only finished or cancelled runs can be published: run is running",
    )


def test_publish_release_of_an_unknown_run_is_unusable() -> None:
    assert failure("publish_release", "pilot", "--run", "nowhere") == (2, "there is no run nowhere")


def test_verify_release_tells_both_outcomes() -> None:
    make_release("r", resamples=50)

    assert run("verify_release", "r") == (
        "Release r is verified: every number follows from its judgments, bit for bit.\n"
    )
    with nothing_is_frozen():
        Judgment.objects.filter(present=True)[0].delete()
    code, sentence = failure("verify_release", "r")
    assert (code, sentence.split(":")[0]) == (1, "release r does not follow from its judgments")
    assert failure("verify_release", "nowhere") == (2, "there is no release 'nowhere'")


def test_retract_release_needs_a_release_that_is_not_retracted() -> None:
    make_release("r", resamples=50)

    assert run("retract_release", "r", "--reason", "Faulty.") == "Retracted release r.\n"
    assert failure("retract_release", "r", "--reason", "Again.") == (1, "release 'r' is already retracted: Faulty.")
    assert failure("retract_release", "nowhere", "--reason", "Again.")[0] == 2


def test_import_results_summarises_and_reports(tmp_path: Path) -> None:
    folder = april_folder(tmp_path / "source")

    first = run("import_results", folder, "--release", "r", "--json", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    second = run("import_results", folder, "--release", "r")

    numbers = (
        "1 models, 1 benchmarks, 2 metrics (1 of unknown polarity), 4 conversations, 3 verdicts, 1 unjudged, "
        "1 further samples, 4 transcripts.\n"
    )
    assert first == f"Imported release r: {numbers}"
    assert second == f"Release r is unchanged: {numbers}"
    assert (report["release"], report["status"], report["unjudged"]) == ("r", "imported", {"fail": 1})


def test_import_results_refuses_unusable_paths_in_one_sentence(tmp_path: Path) -> None:
    july_folder(tmp_path / "source")

    assert failure("import_results", tmp_path / "nowhere", "--release", "r") == (
        2,
        f"{tmp_path / 'nowhere'}: does not exist",
    )
    code, sentence = failure("import_results", tmp_path, "--release", "r")
    assert (code, sentence.split(";")[0]) == (2, f"{tmp_path}: holds no finished results")
    report = tmp_path / "no-folder" / "report.json"
    assert failure("import_results", tmp_path / "source", "--release", "r", "--json", report) == (
        2,
        f"the report {report} cannot be written: name a file in an existing folder",
    )
    assert not Release.objects.exists()


def test_import_results_of_a_broken_file_keeps_nothing(tmp_path: Path) -> None:
    folder = july_folder(tmp_path)
    (folder / "scenario-index.json").write_text('{"kind-help__m01": [')

    code, sentence = failure("import_results", folder, "--release", "r")

    assert code == 2
    assert sentence.startswith(f"{folder / 'scenario-index.json'}, line 1, column 21: ")
    assert not Run.objects.exists()
