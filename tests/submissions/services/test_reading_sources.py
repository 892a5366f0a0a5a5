"""Uploaded benchmark files become drafts that keep their source, or leave nothing behind."""

import json
import time
from typing import Any

import pytest

from impactbench.common.models import AuditEvent
from submissions.import_text import RowText, Shared
from submissions.models import DraftRow, SourceImport
from submissions.services import reading_sources
from submissions.services.draft_rows import discard
from submissions.services.reading_sources import Unreadable, read_source
from submissions.services.transitions import NotAllowed
from tests.support.portal import make_person
from tests.support.source_files import BLUEPRINT, make_import, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor() -> Any:
    return make_person("Ed One", "editor")


def rows(source: SourceImport) -> list[tuple[str, str, str]]:
    return list(source.rows.values_list("kind", "state", "text"))


def test_a_blueprint_becomes_drafts_with_source_place_and_reason(editor) -> None:
    source, is_new = read_source([upload()], actor=editor)

    assert (is_new, source.format, source.slug, source.name) == (True, "weval", "essays", "Help with essays")
    assert rows(source) == [
        ("metric", "proposed", "Asks what the pupil wants to argue."),
        ("metric", "proposed", "Explains how to go on and leaves the writing to the pupil."),
        ("metric", "proposed", "Replaces the thesis of the pupil."),
        ("scenario", "proposed", "Make my essay better. It is due tomorrow."),
    ]
    last = source.rows.get(number=3)
    text = RowText.from_json(last.content)
    assert (last.place, text.polarity, text.definition) == ("line 12", "negative", last.text)
    assert "should_not" in last.read["proposal"]["reason"]
    assert text.scenario == source.rows.get(kind="scenario").key
    assert [one["place"] for one in source.skipped] == ["line 10, prompt rewrite"]
    assert Shared.from_json(source.shared).reference == (
        "Help with essays (Weval blueprint (YAML or JSON), essays.yml)"
    )
    assert AuditEvent.objects.filter(action="source-read", actor=editor).count() == 1


def test_the_same_file_again_is_the_same_import_until_it_is_discarded(editor) -> None:
    source = make_import(editor)

    assert read_source([upload()], actor=editor) == (source, False)
    discard(source, actor=editor)
    assert read_source([upload()], actor=editor)[1]


def test_an_edited_file_proposes_exactly_what_changed(editor) -> None:
    before = make_import(editor)

    text = BLUEPRINT.replace("Replaces the thesis", "Scolds").replace("wants to argue", "wants to say")
    after = make_import(editor, text)

    states = list(after.rows.filter(kind="metric").values_list("state", "earlier__source", "earlier__number"))
    # Changed a little and found again, unchanged, and another criterion.
    assert states == [("proposed", before.pk, 1), ("known", before.pk, 2), ("proposed", None, None)]
    assert after.rows.get(kind="scenario").state == "known"


def test_a_changed_text_under_the_same_id_refers_to_the_earlier_row(editor) -> None:
    text = (
        '[{"id": "c", "name": "C", "risks": [{"id": "r", "name": "R", "conversationLength": 3, "description": "%s"}]}]'
    )
    before = make_import(editor, text % "Harm one.", "risks.json")

    after = make_import(editor, text % "Harm two.", "risks.json")

    [row] = after.rows.all()
    assert (row.state, row.earlier) == ("proposed", before.rows.get())


def test_several_files_are_one_benchmark(editor) -> None:
    risks = (
        '[{"id": "c", "name": "C", "risks": [{"id": "r", "name": "R", "conversationLength": 3, "description": "H."}]}]'
    )
    motives = '[{"name": "m", "description": "d"}]'

    source, _ = read_source([upload(risks, "risks.json"), upload(motives, "motivations.json")], actor=editor)

    assert (source.file_name, source.format) == ("motivations.json, risks.json", "kora")
    assert source.skipped[0]["place"] == "motivations.json, line 1"


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"PK\x03\x04rest", "a.yaml", "a.yaml: is a zip archive; unpack it and take the file inside. Nothing was"),
        (
            BLUEPRINT.replace("pupil", "élève").encode("latin-1"),
            "a.yml",
            "a.yml, line 2: is not UTF-8 text; save it as UTF-8. Nothing was kept.",
        ),
        (BLUEPRINT + "- id: [\n", "a.yml", "a.yml, line 14, column 1: is not valid YAML"),
        ("Only words.", "a.txt", "a.txt: is in no known format; known are: ImpactBench spreadsheet (CSV, XLSX); Weval"),
        ("name: A\nmetrics: []\n", "benchmark.yaml", "benchmark.yaml: is in our own format, which needs no desk"),
        ("a: &a [x]\nb: [" + "*a, " * 51 + "x]\nprompt: p\nshould: [q]\n", "a.yml", "a.yml, line 2"),
        ("title: A\nmodels: []\n---\n- prompt: \"\\ud800\"\n  should: [Greets]\n", "a.yml", "a.yml, line 4"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_leaves_nothing_behind(editor, content, name, reason) -> None:
    with pytest.raises(Unreadable) as problem:
        read_source([upload(content, name)], actor=editor)

    assert str(problem.value)[: len(reason)] == reason
    assert not SourceImport.objects.exists()


def test_too_much_is_refused_before_it_is_read(editor, monkeypatch) -> None:
    monkeypatch.setattr(reading_sources, "MAX_BYTES", 1_000_000)
    monkeypatch.setattr(reading_sources, "MAX_ROWS", 3)

    for files, reason in (
        ([], "Choose a file first."),
        ([upload(b" " * 1_000_001)], "This is more than 1 MB. Split it and read the parts one by one."),
        ([upload(), upload()], "Two of the files have the same name. Give each its own."),
        ([upload()] * 11, "These are 11 files; at most 10 can be read together."),
        ([upload()], "essays.yml: gives 4 drafts; at most 3 can be worked on: split the file. Nothing was kept."),
    ):
        with pytest.raises(Unreadable) as problem:
            read_source(files, actor=editor)
        assert str(problem.value) == reason
    assert not DraftRow.objects.exists()


@pytest.mark.parametrize("slow", [(reading_sources, "choose_draft_format"), (DraftRow.objects, "bulk_create")])
def test_reading_and_storing_have_one_limit_of_time_and_nothing_is_half_stored(editor, monkeypatch, slow) -> None:
    place, name = slow
    done = getattr(place, name)

    def slowly(*args: Any, **more: Any) -> Any:
        found = done(*args, **more)
        time.sleep(0.6)
        return found

    monkeypatch.setattr(reading_sources, "MOST_SECONDS", 0.5)
    monkeypatch.setattr(place, name, slowly)

    with pytest.raises(Unreadable) as problem:
        read_source([upload()], actor=editor)

    assert str(problem.value) == (
        "essays.yml: takes longer than 0.5 seconds to read and to keep; split it, or ask an operator to import it by "
        "the command import_benchmark. Nothing was kept."
    )
    assert (SourceImport.objects.count(), DraftRow.objects.count(), AuditEvent.objects.count()) == (0, 0, 0)


def test_a_format_that_had_no_time_to_look_is_not_called_unknown(editor, monkeypatch) -> None:
    monkeypatch.setattr(reading_sources, "MOST_SECONDS", -1)

    with pytest.raises(Unreadable, match="takes longer than -1 seconds to read and to keep"):
        read_source([upload()], actor=editor)


def test_half_a_character_in_json_is_refused(editor) -> None:
    line = json.dumps({"prompt_id": "a", "prompt": [{"role": "user", "content": "Hi"}], "rubrics": []})
    rubric = '"rubrics": [{"criterion": "Greets \\ud800", "points": 1, "tags": []}]'

    with pytest.raises(Unreadable, match="Nothing was kept"):
        make_import(editor, line.replace('"rubrics": []', rubric) + "\n", "a.jsonl")
    assert not SourceImport.objects.exists()


def test_only_editors_read_files() -> None:
    for role in ("reviewer", "expert", "operator"):
        with pytest.raises(NotAllowed):
            make_import(make_person(f"No {role}", role))
