"""Finished results of the first edition become a run, its conversations and a release."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.importers.formats import pipeline_results, published_results
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.result_types import ResultsFile
from evaluation.importers.writing.results import write_results
from evaluation.models import (
    Area,
    Benchmark,
    Conversation,
    Judgment,
    LabelRow,
    LanguageModel,
    Metric,
    MetricVersion,
    Placement,
    Profile,
    Release,
    Result,
    Run,
    Scenario,
    Subarea,
    Taxonomy,
    Turn,
    Verdict,
)
from evaluation.services.verification import verify
from impactbench.common.errors import DomainError, UnusableInput
from tests.support.builders import make_model, make_run
from tests.support.first_edition import (
    JUSTIFICATION,
    april_folder,
    index_row,
    july_folder,
    pipeline_folder,
    write_json,
)

pytestmark = pytest.mark.django_db

COUNTED: tuple[Any, ...] = (
    Area, Benchmark, Conversation, Judgment, LabelRow, LanguageModel, Metric, MetricVersion, Placement, Profile,
    Release, Result, Run, Scenario, Subarea, Taxonomy, Turn, Verdict,
)  # fmt: skip


def imported(results: ResultsFile, release: str = "r") -> dict[str, Any]:
    return write_results(actor=None, results=results, release=release, progress=lambda _: None)


def rows_of_everything() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in COUNTED}


def without_archives(folder: Path) -> Path:
    for archive in folder.glob("*.tar.xz"):
        archive.rename(archive.with_suffix(".away"))
    return folder


def with_archives(folder: Path) -> Path:
    for archive in folder.glob("*.away"):
        archive.rename(archive.with_suffix(".xz"))
    return folder


def test_july_report_counts_everything(tmp_path: Path) -> None:
    report = imported(published_results.read(july_folder(tmp_path)))

    assert report == {
        "release": "r",
        "status": "imported",
        "source": str(tmp_path),
        "layout": "published-results",
        "models": 3,
        "benchmarks": 2,
        "metrics": 3,
        "metrics_of_unknown_polarity": 0,
        "scenarios": 5,
        "conversations": 7,
        "verdicts": 6,
        "unjudged": {"unsure": 1},
        "extra_samples": 0,
        "partial_models": {"model-b": 1, "model-c": 1},
        "transcripts": 0,
        "transcripts_attached": 0,
        "transcripts_without_verdict": 0,
        "verdict_disagreements": 0,
    }


def test_july_becomes_a_release_with_its_own_taxonomy_rows_and_profiles(tmp_path: Path) -> None:
    imported(published_results.read(july_folder(tmp_path)), "2026-07")

    release = Release.objects.get()
    assert (release.slug, release.title, release.is_imported) == ("2026-07", "July 2026", True)
    assert (release.user_simulator, release.prompt_hashes, release.code_version) == (None, None, "")
    assert release.judge is not None
    assert release.judge.language_model is None
    run = release.runs.get()
    assert (run.slug, run.kind, run.state, run.turns, run.seed) == ("2026-07", "imported", "finished", None, None)
    assert release.groups == {
        "area": {"mind": ["clear-talk/m01", "kind-help/m01", "kind-help/m02"]},
        "subarea": {
            "agency": ["kind-help/m01", "kind-help/m02"],
            "study-work-money": ["clear-talk/m01", "kind-help/m01"],
        },
        "benchmark": {"clear-talk": ["clear-talk/m01"], "kind-help": ["kind-help/m01", "kind-help/m02"]},
        "label-row": {
            "negative agency": ["kind-help/m02"],
            "positive agency": ["kind-help/m01"],
            "positive clarity": ["clear-talk/m01"],
        },
    }
    assert list(release.profiles.values_list("slug", flat=True)) == ["child-6-17", "adult"]
    version = MetricVersion.objects.get(metric__slug="kind-help/m01")
    assert (version.definition, version.rationale, version.contributor) == (
        "Asks what matters to the user.",
        "You decide.",
        "Kind Help",
    )
    assert (version.is_imported_result, version.is_runnable, version.is_published) == (True, False, True)
    assert Benchmark.objects.get(slug="kind-help").name == "Kind Help"
    assert verify("2026-07") == []


def test_published_rates_are_reproduced(tmp_path: Path) -> None:
    """A slice of our own making in the shape of the published files: 3 conversations a cell, both polarities."""
    folder = july_folder(tmp_path)
    words = {
        "kind-help__m01": {"child": "yyn", "adult": "nnn"},
        "kind-help__m02": {"child": "yyn", "adult": "nnn"},
    }
    index = {
        metric: [
            index_row(
                f"{metric[-3:]}_s{number:03}_v0{order}",
                age,
                "kind-help",
                model_a={"y": "yes", "n": "no"}[mark],
                model_b="yes",
            )
            for order, (age, marks) in enumerate(ages.items(), start=1)
            for number, mark in enumerate(marks, start=1)
        ]
        for metric, ages in words.items()
    }
    write_json(folder / "scenario-index.json", index)
    published = {
        "model-a|child": {"kind-help__m01": 0.6667, "kind-help__m02": 0.3333},
        "model-a|adult": {"kind-help__m01": 0.0, "kind-help__m02": 1.0},
        "model-b|child": {"kind-help__m01": 1.0, "kind-help__m02": 0.0},
        "model-b|adult": {"kind-help__m01": 1.0, "kind-help__m02": 0.0},
    }

    imported(published_results.read(folder))

    rates: dict[str, dict[str, float | None]] = {}
    results = Result.objects.filter(group="metric", model__isnull=False).exclude(profile="all")
    for model, profile, key, rate in results.values_list("model__slug", "profile", "key", "pass_rate"):
        age = {"child-6-17": "child", "adult": "adult"}[profile]
        assert rate is not None
        rates.setdefault(f"{model}|{age}", {})[key.replace("/", "__")] = round(rate, 4)
    assert rates == published


def test_april_keeps_every_oddity_as_what_it_is(tmp_path: Path) -> None:
    report = imported(published_results.read(april_folder(tmp_path)))

    assert (report["metrics_of_unknown_polarity"], report["unjudged"], report["extra_samples"]) == (1, {"fail": 1}, 1)
    assert (report["transcripts"], report["transcripts_without_verdict"]) == (4, 1)
    assert (report["conversations"], report["verdicts"]) == (4, 3)
    unjudged = Verdict.objects.get(present=None)
    assert (unjudged.reason, unjudged.passed) == ("fail", None)
    unknown = Verdict.objects.get(metric_version__polarity=None)
    assert (unknown.present, unknown.passed) == (True, None)
    extra = Conversation.objects.get(state=Conversation.State.EXTRA)
    assert (extra.sample, extra.reason, extra.judgments.count(), extra.turns.count()) == (2, "no-verdict", 0, 2)
    assert Release.objects.get().n_conversations == 4


def test_april_conversation_has_turns_verdict_and_justification(tmp_path: Path) -> None:
    imported(published_results.read(april_folder(tmp_path)))

    conversation = Conversation.objects.get(scenario__source_id="scenario_001_m01_v01", sample=1)
    turns = conversation.turns.values_list("number", "user_message", "reply", "unedited_message", "plan")
    assert list(turns) == [(1, "u1", "a2", None, None), (2, "u3", "a4", None, None)]
    judgment = conversation.judgments.get()
    assert (judgment.present, judgment.passed, judgment.justification) == (True, True, JUSTIFICATION)
    scenario = conversation.scenario
    assert (scenario.persona, scenario.base.goal) == ("A careful person.", "Choose an offer")
    assert scenario.anchors == [{"turn": 1, "objective": "Ask which to take."}]
    assert scenario.attributes == {"gender": "female"}


@pytest.mark.parametrize(
    ("make_folder", "read"),
    [
        (july_folder, published_results.read),
        (april_folder, published_results.read),
        (pipeline_folder, pipeline_results.read),
    ],
)
def test_importing_twice_changes_nothing(
    tmp_path: Path, make_folder: Callable[[Path], Path], read: Callable[[Path], ResultsFile]
) -> None:
    folder = make_folder(tmp_path)
    first = imported(read(folder))
    before = rows_of_everything()

    second = imported(read(folder))

    assert second == first | {"status": "unchanged", "transcripts_attached": 0}
    assert rows_of_everything() == before


def test_archives_that_come_later_attach_their_transcripts(tmp_path: Path) -> None:
    folder = without_archives(april_folder(tmp_path))
    imported(published_results.read(folder))
    frozen = Release.objects.get().content_hash
    addresses = set(Conversation.objects.values_list("public_id", flat=True))

    report = imported(published_results.read(with_archives(folder)))

    assert (report["status"], report["transcripts_attached"]) == ("completed", 4)
    conversation = Conversation.objects.get(scenario__source_id="scenario_001_m01_v01", sample=1)
    assert conversation.public_id in addresses
    assert conversation.turns.count() == 2
    assert conversation.judgments.get().justification == JUSTIFICATION
    assert conversation.scenario.persona == "A careful person."
    assert Conversation.objects.filter(state=Conversation.State.EXTRA).count() == 1
    assert Release.objects.get().content_hash == frozen
    assert verify("r") == []
    assert imported(published_results.read(folder))["status"] == "unchanged"


def test_archives_that_go_away_again_change_nothing(tmp_path: Path) -> None:
    folder = april_folder(tmp_path)
    imported(published_results.read(folder))
    before = rows_of_everything()

    report = imported(published_results.read(without_archives(folder)))

    assert report["status"] == "unchanged"
    assert rows_of_everything() == before


def changed_verdict(index: dict[str, Any]) -> None:
    index["kind-help__m01"][0]["verdicts"]["model-a"] = "no"


def new_verdict(index: dict[str, Any]) -> None:
    index["kind-help__m01"][1]["verdicts"]["model-b"] = "no"


def missing_verdict(index: dict[str, Any]) -> None:
    del index["kind-help__m01"][0]["verdicts"]["model-b"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed_verdict, "the verdict on model-a in scenario m01_s001_v01 of kind-help/m01 is another"),
        (new_verdict, "the verdict on model-b in scenario m01_s001_v02 of kind-help/m01 is new"),
        (missing_verdict, "1 of its verdicts are missing here"),
    ],
)
def test_other_verdicts_under_the_same_name_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    folder = july_folder(tmp_path)
    imported(published_results.read(folder))
    before = rows_of_everything()
    index = json.loads((folder / "scenario-index.json").read_text())
    change(index)
    write_json(folder / "scenario-index.json", index)

    with pytest.raises(DomainError, match=f"release 'r' is frozen .*: {message}"):
        imported(published_results.read(folder))
    assert rows_of_everything() == before


def test_same_results_under_another_name_share_metrics_and_scenarios(tmp_path: Path) -> None:
    results = published_results.read(july_folder(tmp_path))
    imported(results, "first")
    before = rows_of_everything()

    imported(results, "second")

    after = rows_of_everything()
    same = ("Benchmark", "Metric", "MetricVersion", "Scenario", "LanguageModel", "Profile")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert (after["Conversation"], after["Taxonomy"]) == (2 * before["Conversation"], before["Taxonomy"] + 1)
    assert Release.objects.get(slug="first").groups == Release.objects.get(slug="second").groups


def test_other_wording_of_a_metric_makes_its_next_version(tmp_path: Path) -> None:
    folder = july_folder(tmp_path)
    imported(published_results.read(folder), "first")
    write_json(folder / "metric-criteria.json", {"kind-help__m01": "Asks two questions."})

    imported(published_results.read(folder), "second")

    versions = MetricVersion.objects.filter(metric__slug="kind-help/m01").order_by("number")
    assert list(versions.values_list("number", "definition")) == [
        (1, "Asks what matters to the user."),
        (2, "Asks two questions."),
    ]
    assert verify("first") == []


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("m01\x00", "the source id of a scenario contains a NUL character or half a character"),
        ("\ud800", "the source id of a scenario contains a NUL character or half a character"),
        ("x" * 151, "the source id of a scenario is longer than 150 characters"),
    ],
)
def test_texts_that_no_column_holds_are_refused_in_one_line(tmp_path: Path, word: str, message: str) -> None:
    results = published_results.read(july_folder(tmp_path))
    hostile = replace(results, scenarios=(replace(results.scenarios[0], source_id=word),))

    with pytest.raises(FileProblem, match=message):
        imported(hostile)
    assert not Run.objects.exists()


def test_known_model_keeps_its_row(tmp_path: Path) -> None:
    make_model("model-a", name="Our name", provider="Us")

    imported(published_results.read(july_folder(tmp_path)))

    assert LanguageModel.objects.get(slug="model-a").name == "Our name"


def test_pipeline_folder_brings_its_own_definitions(tmp_path: Path) -> None:
    report = imported(pipeline_results.read(pipeline_folder(tmp_path)))

    assert (report["conversations"], report["verdicts"], report["unjudged"]) == (2, 1, {"no-verdict": 1})
    release = Release.objects.get()
    assert release.taxonomy.slug == "impactbench-2026"
    version = MetricVersion.objects.get()
    assert (version.polarity, version.examples_present) == ("negative", ["You are brilliant"])
    assert Benchmark.objects.get().description == "How an assistant helps.\n".strip()
    assert verify("r") == []


def test_failure_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    results = published_results.read(july_folder(tmp_path))
    before = rows_of_everything()

    def broken() -> Any:
        yield next(iter(results.conversations()))
        raise FileProblem(tmp_path, "is damaged")

    with pytest.raises(FileProblem):
        imported(replace(results, conversations=broken))
    assert rows_of_everything() == before


@pytest.mark.parametrize(
    ("release", "message"),
    [
        ("impactbench-2026", "there is already a taxonomy 'impactbench-2026'"),
        ("taken", "the name 'taken' belongs to a run or release of its own"),
        ("two words", "'two words' cannot name a release"),
    ],
)
def test_unusable_names_are_refused(tmp_path: Path, release: str, message: str) -> None:
    make_run("taken")

    with pytest.raises(UnusableInput, match=message):
        imported(published_results.read(july_folder(tmp_path)), release)
    assert not Release.objects.exists()


def test_chats_about_hard_subjects_start_closed_until_an_editor_decides(tmp_path: Path) -> None:
    results = published_results.read(july_folder(tmp_path))
    explains = results.metrics[0]
    hard = replace(explains, definition="The model names ways to end your life.")
    others = results.metrics[1:]

    imported(replace(results, metrics=(hard, *others)))
    first = {version.metric.slug: version.content_notices for version in MetricVersion.objects.all()}
    # An editor says that it is not so; a later version keeps what the editor said.
    MetricVersion.objects.filter(metric__slug=hard.slug).update(content_notices=[])
    again = replace(hard, definition="The model names ways to end your life, and praises them.")
    imported(replace(results, metrics=(again, *others)), release="r2")

    assert first == {"clear-talk/m01": ["self-harm and suicide"], "kind-help/m01": [], "kind-help/m02": []}
    assert [version.content_notices for version in MetricVersion.objects.filter(metric__slug=hard.slug)] == [[], []]
