"""Benchmark files become metrics, versions and scenarios; the same file again changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.importers.formats import native
from evaluation.importers.importing import import_benchmarks
from evaluation.importers.writing.benchmarks import write_benchmark
from evaluation.importers.writing.exporting import exported_benchmark
from evaluation.importers.writing.reports import FileReport
from evaluation.models import BaseScenario, Benchmark, Metric, MetricVersion, Placement, Profile, Scenario
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.models import AuditEvent
from tests.support.builders import make_conversation, make_judgment, make_metric, make_model, make_run

pytestmark = pytest.mark.django_db


def definition(**changes: Any) -> dict[str, Any]:
    """What benchmark.yaml says: one positive and one negative metric."""
    return {
        "name": "Own choices",
        "description": "Whether people keep deciding.",
        "sources": [{"title": "A paper", "url": "https://example.org"}],
        "licence": "CC-BY-4.0",
        "contributors": ["Ada"],
        "metrics": [
            {
                "id": "m01",
                "name": "Asks first",
                "type": "positive",
                "definition": "Asks what matters to the person.",
                "examples": ["What matters to you?"],
                "subareas": ["agency-purpose"],
                "rationale": "People decide better.",
            },
            {"id": "m02", "name": "Decides", "type": "negative", "definition": "Takes the decision itself."},
        ],
    } | changes


def rows(**changes: Any) -> list[dict[str, Any]]:
    """What scenarios.json says: m01 for teens and adults, m02 for adults; `changes` are of the first row."""
    shared = {"persona": "Somebody.", "user_goal": "Decide.", "latent_adversarial_goal": "Be told."}
    landmarks = [{"turn": 1, "instruction": "Ask."}]
    rest = {**shared, "landmarks": landmarks}
    return [
        {"id": "m01_s001_v01", "metric_id": "m01", "demographic": {"age": "Teenager (13-17)"}, **rest, **changes},
        {"id": "m01_s001_v02", "metric_id": "m01", "demographic": {"age": "Adult (18+)", "gender": "female"}, **rest},
        {"id": "m02_s001_v02", "metric_id": "m02", "demographic": {"age": "Adult (18+)"}, **rest},
    ]


def write(folder: Path, stated: dict[str, Any], scenarios: list[dict[str, Any]] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "benchmark.yaml").write_text(yaml.safe_dump(stated, sort_keys=False))
    if scenarios is not None:
        (folder / "scenarios.json").write_text(json.dumps(scenarios))
    return folder


def imported(folder: Path, **options: Any) -> FileReport:
    [report] = import_benchmarks([folder], actor=None, **options)
    return report


def counts(report: FileReport) -> tuple[str, int, int, int]:
    return report.status, report.created, report.updated, report.unchanged


def use(version: MetricVersion) -> None:
    """A run has held and judged a conversation of this version."""
    scenario = Scenario.objects.filter(base__metric_version=version)[0]
    run = make_run(versions=[version], targets=[make_model()])
    make_judgment(make_conversation(run, scenario, make_model()))


def latest(local_id: str) -> MetricVersion:
    return MetricVersion.objects.filter(metric__local_id=local_id).latest("number")


def test_native_folder_becomes_runnable_metrics_with_scenarios(tmp_path: Path) -> None:
    report = imported(write(tmp_path / "own-choices", definition(), rows()))

    assert counts(report) == ("imported", 2, 0, 0)
    assert Benchmark.objects.get().slug == "own-choices"
    assert list(Metric.objects.values_list("slug", flat=True)) == ["own-choices/m01", "own-choices/m02"]
    first, second = MetricVersion.objects.order_by("metric__slug")
    assert (first.number, first.polarity, first.is_runnable, first.status) == (1, "positive", True, "draft")
    assert (first.examples_present, first.rationale) == (["What matters to you?"], "People decide better.")
    assert second.polarity == "negative"
    assert list(Placement.objects.values_list("metric__slug", "subarea__slug")) == [
        ("own-choices/m01", "agency-purpose")
    ]
    scenarios = Scenario.objects.order_by("source_id").values_list("source_id", "profile__slug", "attributes")
    assert list(scenarios) == [
        ("m01_s001_v01", "teen", {}),
        ("m01_s001_v02", "adult", {"gender": "female"}),
        ("m02_s001_v02", "adult", {}),
    ]
    assert BaseScenario.objects.get(metric_version=first).goal == "Decide."


def test_same_folder_again_changes_nothing(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)

    report = imported(folder)

    assert counts(report) == ("unchanged", 0, 0, 2)
    assert MetricVersion.objects.count() == 2
    assert AuditEvent.objects.filter(action="benchmark-imported").count() == 1


def test_edited_wording_makes_a_new_version_with_the_scenarios(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)
    stated = definition()
    stated["metrics"][0]["definition"] = "Asks what matters before anything else."

    report = imported(write(folder, stated, rows()))

    assert counts(report) == ("imported", 0, 1, 1)
    assert latest("m01").number == 2
    assert Scenario.objects.filter(base__metric_version=latest("m01")).count() == 2
    assert (
        Scenario.objects.filter(base__metric_version__number=1, base__metric_version__metric__local_id="m01").count()
        == 2
    )
    assert counts(imported(folder)) == ("unchanged", 0, 0, 2)


def test_edited_rationale_and_subareas_are_corrected_in_place(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)
    stated = definition()
    stated["metrics"][0] |= {"rationale": "Else.", "subareas": ["learning-skill-development"]}

    report = imported(write(folder, stated, rows()))

    assert counts(report) == ("imported", 0, 1, 1)
    assert (latest("m01").number, latest("m01").rationale) == (1, "Else.")
    assert Placement.objects.get().subarea.slug == "learning-skill-development"


def test_edited_scenario_of_an_unused_version_is_replaced(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)

    report = imported(write(folder, definition(), rows(persona="Somebody else.")))

    assert counts(report) == ("imported", 0, 1, 1)
    assert latest("m01").number == 1
    assert Scenario.objects.get(source_id="m01_s001_v01").persona == "Somebody else."


def test_edited_scenario_of_a_used_version_makes_a_new_version(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)
    use(latest("m01"))

    report = imported(write(folder, definition(), rows(persona="Somebody else.")))

    assert counts(report) == ("imported", 0, 1, 1)
    assert latest("m01").number == 2
    personas = Scenario.objects.filter(source_id="m01_s001_v01").order_by("pk").values_list("persona", flat=True)
    assert list(personas) == ["Somebody.", "Somebody else."]
    assert counts(imported(folder)) == ("unchanged", 0, 0, 2)


def test_edited_header_is_imported_without_touching_metrics(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)

    report = imported(write(folder, definition(licence="CC0"), rows()))

    assert counts(report) == ("imported", 0, 0, 2)
    assert Benchmark.objects.get().licence == "CC0"


def test_research_summary_is_taken_over_and_a_file_without_one_leaves_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(research_summary="Choices matter."), rows())
    imported(folder)

    silent = imported(write(folder, definition(), rows()))
    kept = Benchmark.objects.get().research_summary
    other = imported(write(folder, definition(research_summary="Choices matter less."), rows()))

    assert (counts(silent), kept) == (("unchanged", 0, 0, 2), "Choices matter.")
    assert (counts(other), Benchmark.objects.get().research_summary) == (("imported", 0, 0, 2), "Choices matter less.")


def test_metric_that_left_the_file_stays_and_is_flagged(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)
    stated = definition(metrics=definition()["metrics"][:1])

    report = imported(write(folder, stated, rows()[:2]))

    assert counts(report) == ("unchanged", 0, 0, 1)
    assert report.flags == [{"place": "metric m02", "flag": "is no longer in the file; it stays as it was"}]
    assert Metric.objects.count() == 2


def test_file_without_scenarios_leaves_those_there_are(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows())
    imported(folder)
    (folder / "scenarios.json").unlink()

    assert counts(imported(folder)) == ("unchanged", 0, 0, 2)
    assert Scenario.objects.count() == 3


def test_variants_with_other_goals_become_a_base_of_their_own(tmp_path: Path) -> None:
    folder = write(tmp_path / "own-choices", definition(), rows(user_goal="Choose a school."))

    report = imported(folder)

    bases = BaseScenario.objects.filter(metric_version=latest("m01")).order_by("number")
    assert list(bases.values_list("number", "goal")) == [(1, "Choose a school."), (2, "Decide.")]
    assert report.flags == [
        {
            "place": "scenario m01_s001_v02",
            "flag": "its goals differ from its base's, so it became base scenario 2",
        }
    ]
    assert counts(imported(folder)) == ("unchanged", 0, 0, 2)


def test_foreign_age_keeps_its_own_profile(tmp_path: Path) -> None:
    imported(write(tmp_path / "b", definition(), rows(demographic={"age": "Child or teenager (6-17)"})))

    scenario = Scenario.objects.get(source_id="m01_s001_v01")
    assert (scenario.profile.slug, scenario.profile.order) == ("child-6-17", 2)
    assert Profile.objects.get(slug="teen").name == "Teens 13–17"


def test_unknown_subarea_is_refused_with_its_place(tmp_path: Path) -> None:
    stated = definition()
    stated["metrics"][0]["subareas"] = ["agency-purpose", "agancy"]

    report = imported(write(tmp_path / "own-choices", stated, rows()))

    assert (report.status, report.line, report.column) == ("failed", 18, 5)
    assert report.reason is not None
    assert report.reason.startswith("metric m01 names the subarea 'agancy'; known are mental-emotional-health, agency-")
    assert not Benchmark.objects.exists()


def test_too_long_text_fails_in_one_line_and_writes_nothing(tmp_path: Path) -> None:
    stated = definition()
    stated["metrics"][1]["name"] = "x" * 301

    report = imported(write(tmp_path / "own-choices", stated, rows()))

    assert (report.status, report.reason) == (
        "failed",
        f"the name of a metric version is longer than 300 characters: '{'x' * 60}'...",
    )
    assert not Metric.objects.exists()


def test_failed_file_leaves_the_others_imported(tmp_path: Path) -> None:
    write(tmp_path / "a", {**definition(), "surprise": 1}, rows())
    write(tmp_path / "b", definition(), rows())

    first, second = import_benchmarks([tmp_path], actor=None)

    assert (first.status, first.reason) == ("failed", "unknown key 'surprise' in the benchmark")
    assert first.line is not None
    assert second.status == "imported"
    assert list(Benchmark.objects.values_list("slug", flat=True)) == ["b"]


def test_two_files_of_one_benchmark_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a", definition(slug="same"), rows())
    write(tmp_path / "b", definition(slug="same"), rows())

    first, second = import_benchmarks([tmp_path], actor=None)

    assert (first.status, second.status) == ("imported", "failed")
    assert second.reason == f"the benchmark 'same' was already read from {first.file}; give it a slug"


def test_file_without_metrics_is_skipped(tmp_path: Path) -> None:
    report = imported(write(tmp_path / "b", definition(metrics=[])))

    assert (report.status, report.reason) == ("skipped", "there is no metric in it")
    assert not Benchmark.objects.exists()


def test_dry_run_reports_the_same_and_writes_nothing(tmp_path: Path) -> None:
    report = imported(write(tmp_path / "b", definition(), rows()), is_dry_run=True)

    assert counts(report) == ("imported", 2, 0, 0)
    assert not Benchmark.objects.exists()
    assert not AuditEvent.objects.filter(action="benchmark-imported").exists()


def test_export_imports_as_unchanged_and_reads_back_equal(tmp_path: Path) -> None:
    stated = definition(content_notices=["self-harm"], research_summary="People want to choose.\n\nAlways: 3 of 3.")
    folder = write(tmp_path / "own-choices", stated, rows(title="A title", turns=8))
    imported(folder)

    export = exported_benchmark("own-choices")
    native.write(export.benchmark, tmp_path / "out")

    assert (export.n_metrics_left_out, export.n_scenarios_left_out) == (0, 0)
    assert native.read(tmp_path / "out").benchmark == native.read(folder).benchmark
    assert counts(imported(tmp_path / "out")) == ("unchanged", 0, 0, 2)


def test_export_leaves_out_what_an_imported_result_does_not_tell(tmp_path: Path) -> None:
    make_metric("m01", is_imported_result=True, subareas=())
    make_metric("m02", is_imported_result=True, definition="", subareas=())
    make_metric("m03", is_imported_result=True, polarity=None, subareas=())

    export = exported_benchmark("autonomy")
    native.write(export.benchmark, tmp_path)

    assert [metric.local_id for metric in export.benchmark.metrics] == ["m01"]
    assert export.n_metrics_left_out == 2


def test_export_of_nothing_complete_is_refused() -> None:
    make_metric("m02", is_imported_result=True, definition="", subareas=())

    with pytest.raises(DomainError, match="no metric of autonomy has both a polarity and a definition"):
        exported_benchmark("autonomy")
    with pytest.raises(UnusableInput, match="there is no benchmark 'nowhere'"):
        exported_benchmark("nowhere")


def test_drafts_of_other_formats_wait_until_accepted(tmp_path: Path) -> None:
    read = native.read(write(tmp_path / "own-choices", definition(), rows()))

    drafts = write_benchmark(read, actor=None, file=tmp_path, format_name="other", is_runnable=False)
    runnable = list(MetricVersion.objects.values_list("is_runnable", flat=True))
    accepted = write_benchmark(read, actor=None, file=tmp_path, format_name="other", is_runnable=True, is_accepted=True)

    assert (counts(drafts), runnable) == (("imported", 2, 0, 0), [False, False])
    assert counts(accepted) == ("imported", 0, 2, 0)
    assert list(MetricVersion.objects.values_list("number", "is_runnable")) == [(1, True), (1, True)]
    assert AuditEvent.objects.filter(action="benchmark-accepted").count() == 1
