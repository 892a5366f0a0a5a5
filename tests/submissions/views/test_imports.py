"""The import desk as an editor uses it: from the upload to the submissions, without scripts."""

import csv
import html
import io
import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db.models import Count
from django.test import Client

from evaluation.services import paper_taxonomy
from submissions.import_text import RowText
from submissions.models import SourceImport, Submission
from tests.submissions.access.people_and_states import client_of
from tests.support.portal import make_person
from tests.support.source_files import BLUEPRINT, make_import, upload

pytestmark = pytest.mark.django_db

HOSTILE = """\
title: "<b>Bold</b> {{ 7*7 }}"
description: "<script>alert(1)</script>"
---
- prompt: "<img src=x onerror=alert(1)> ${X} {% now %}"
  should:
    - "<svg onload=alert(1)> https://evil.example"
    - $js: "<i>r</i>"
"""


def words(response: Any) -> str:
    """The text of a page without its tags, blanks joined."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture
def editor() -> Any:
    paper_taxonomy.load()
    return make_person("Ed One", "editor")


@pytest.fixture
def desk(editor) -> Client:
    return client_of(editor)


def fields(source: SourceImport, number: int, **changes: Any) -> dict[str, Any]:
    """What the form of one row sends, with the examples and hard cases that a review needs."""
    row = source.rows.get(number=number)
    text = RowText.from_json(row.content)
    sent = {
        "name": text.name, "definition": text.definition, "polarity": text.polarity, "question": text.question,
        "scenario": text.scenario, "hard_cases": "A hint counts.", "present": ["One.", "Two."],
        "absent": ["Three.", "Four."], "version": str(row.version), "ok": "on", **changes,
    }  # fmt: skip
    return {"shown": str(row.pk), **{f"{name}-{row.pk}": value for name, value in sent.items() if value is not None}}


SHARED = {
    "shared": "1", "relevance": "Pupils learn by writing.", "reference": "Essays", "subareas": ["agency-purpose"],
    "licence": "CC0-1.0", "credit": "unnamed", "may_share": "on",
}  # fmt: skip


def test_a_file_goes_from_upload_to_review(desk, editor) -> None:
    read = desk.post("/review/imports/", {"file": upload()})
    source = SourceImport.objects.get()
    address = f"/review/imports/{source.pk}/"
    page = words(desk.get(address))

    sent = desk.post(address, {"a": "accept", **fields(source, 1), **SHARED}, follow=True)

    assert (read.status_code, read["Location"]) == (302, address)
    assert "Read as Weval blueprint (YAML or JSON). 3 metric drafts to work on, 0 of them checked. 1 part left" in page
    assert "Proposed: listed under 'should_not'" in page
    assert "line 10, prompt rewrite a check by the function $contains" in page
    assert "1 submission is in review, in your name." in words(sent)
    [submission] = Submission.objects.all()
    assert (submission.state, submission.owner, submission.title) == (
        "submitted", editor, "Asks what the pupil wants to argue",
    )  # fmt: skip
    assert submission.public_id in words(desk.get(f"{address}?view=sent"))


def test_the_same_file_leads_to_what_was_made_of_it(desk, editor) -> None:
    source = make_import(editor)

    again = desk.post("/review/imports/", {"file": upload()}, follow=True)

    assert again.redirect_chain == [(f"/review/imports/{source.pk}/", 302)]
    assert "These very files were read before." in words(again)


def test_a_file_that_cannot_be_read_is_explained(desk) -> None:
    answer = desk.post("/review/imports/", {"file": upload("<b>Only</b> words.", "a.txt")})

    assert answer.status_code == 422
    assert "a.txt: is in no known format; known are: ImpactBench spreadsheet" in words(answer)
    assert not SourceImport.objects.exists()


def test_hostile_words_stay_words(desk, editor) -> None:
    source = make_import(editor, HOSTILE, "hostile.yml")

    for address in ("", f"{source.pk}/", f"{source.pk}/?view=scenarios", f"{source.pk}/?view=%3Cb%3E&page=%27"):
        page = desk.get(f"/review/imports/{address}")
        assert page.status_code == 200
        assert not re.search(r"<(svg onload|img src=x|b>Bold|i>r)|alert\(1\)</script>", page.content.decode())
        assert "evil.example" not in re.findall(r'href="([^"]*)"', page.content.decode())
    assert "{{ 7*7 }}" in words(desk.get("/review/imports/"))


def test_rows_are_dropped_with_a_reason_and_undone(desk, editor) -> None:
    source = make_import(editor)
    address = f"/review/imports/{source.pk}/"
    keys = [str(row.pk) for row in source.rows.filter(kind="metric")]

    refused = desk.post(address, {"a": "drop", "row": keys}, follow=True)
    dropped = desk.post(address, {"a": "drop", "row": keys, "reason": "Too vague"}, follow=True)
    undone = desk.post(address, {"a": "undo"}, follow=True)

    assert "Say in a few words why they are dropped." in words(refused)
    assert "3 rows were dropped." in words(dropped)
    assert "Undone: 3 rows were dropped." in words(undone)
    assert source.rows.filter(state="dropped").count() == 0


def test_all_rows_that_were_found_are_dropped_at_once(desk, editor) -> None:
    points = "".join(f"    - Does thing {number} well and explains it.\n" for number in range(15))
    source = make_import(editor, f"title: A\n---\n- prompt: Hi\n  should:\n{points}    - Greets.\n", "many.yml")
    flag = source.rows.get(number=1).flags[0]
    found = {"view": "open", "q": "thing", "flag": flag}

    page = words(desk.get(f"/review/imports/{source.pk}/", found))
    address = f"/review/imports/{source.pk}/?{urlencode(found)}"
    desk.post(address, {"a": "confirm", "all": "on"})
    desk.post(address, {"a": "drop", "all": "on", "reason": "Too vague"})

    assert "Drop or bring back all 15 rows found" in page
    assert list(source.rows.filter(kind="metric").values_list("state").annotate(n=Count("pk")).order_by("state")) == [
        ("dropped", 15), ("proposed", 1),
    ]  # fmt: skip
    assert "No row fits." in words(desk.get(address))


def test_buttons_keep_what_was_written_and_words_of_others(desk, editor) -> None:
    source = make_import(editor)
    address = f"/review/imports/{source.pk}/"
    mine, pk = fields(source, 1, name="Mine", ok=None), source.rows.get(number=2).pk

    split = desk.post(address, {"a": f"split-{pk}", **fields(source, 1, name="First", ok=None)}, follow=True)
    stale = desk.post(address, {"a": "save", **mine})

    assert "Row 2 was split: row 2.1 says the same for now." in words(split)
    assert stale.status_code == 409
    assert "Somebody else changed 1 of these rows meanwhile" in words(stale)
    assert 'value="Mine"' in stale.content.decode()
    assert RowText.from_json(source.rows.get(number=1).content).name == "First"


def test_a_merged_row_shows_both_sources(desk, editor) -> None:
    source = make_import(editor)
    keys = [str(row.pk) for row in source.rows.filter(number__lte=2)]

    page = desk.post(f"/review/imports/{source.pk}/", {"a": "merge", "row": keys}, follow=True)

    assert "Row 2 went into row 1. Its source text came along." in words(page)
    assert "With row 2, line 9 Explains how to go on and leaves the writing to the pupil." in words(page)


def test_a_checked_row_is_written_on_as_a_draft(desk, editor) -> None:
    source = make_import(editor)
    pk = source.rows.get(number=3).pk

    answer = desk.post(f"/review/imports/{source.pk}/", {"a": f"draft-{pk}", **fields(source, 3)})

    submission = Submission.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/submissions/{submission.public_id}/edit/")


def test_the_table_of_drafts_is_a_file(desk, editor) -> None:
    source = make_import(editor)
    make_import(editor, BLUEPRINT.replace("essay", "poem"), "poems.yml")

    one, every = (
        list(
            csv.DictReader(
                io.StringIO(b"".join(desk.get(f"/review/imports/{address}").streaming_content).decode("utf-8-sig"))
            )
        )
        for address in (f"{source.pk}/drafts.csv", "drafts.csv")
    )

    assert (len(one), len(every)) == (4, 8)
    assert (one[0]["source_text"], one[0]["became"]) == ("Asks what the pupil wants to argue.", "not decided")


def test_the_lists_of_the_desk_are_files_of_every_kind(desk, editor) -> None:
    source = make_import(editor)

    def read(address: str) -> Any:
        return json.loads(b"".join(desk.get(f"/review/imports/{address}").streaming_content))["rows"]

    [listed] = read("imports.json")
    one, every = read(f"{source.pk}/drafts.json"), read("drafts.json")
    book = b"".join(desk.get("/review/imports/imports.xlsx").streaming_content)

    assert (listed["import"], listed["file"], listed["metrics"], listed["to_work_on"], listed["sent_on"]) == (
        source.pk, source.file_name, 3, 3, 0,
    )  # fmt: skip
    assert listed["read_by"] == f"account {editor.pk}"
    assert (len(one), one) == (4, every)
    assert book[:2] == b"PK"
    offered = re.findall(
        r'href="/review/imports/([a-z]+\.[a-z]+)">[CXJ]', desk.get("/review/imports/").content.decode()
    )
    assert offered == [f"{name}.{kind}" for name in ("imports", "drafts") for kind in ("csv", "xlsx", "json")]


def test_a_discarded_import_is_gone_from_the_list(desk, editor) -> None:
    source = make_import(editor)

    answer = desk.post(f"/review/imports/{source.pk}/", {"a": "discard"}, follow=True)

    assert "The import was discarded." in words(answer)
    assert "No file has been read yet." in words(answer)
    assert "This import was discarded on" in words(desk.get(f"/review/imports/{source.pk}/"))


def test_pages_ask_the_database_as_often_for_many_rows_as_for_few(desk, editor, django_assert_max_num_queries) -> None:
    points = "".join(f"    - Does thing {number} well.\n" for number in range(60))
    source = make_import(editor, f"title: A\n---\n- prompt: Hi\n  should:\n{points}", "many.yml")

    for address in ("/review/imports/", f"/review/imports/{source.pk}/"):
        with django_assert_max_num_queries(20):
            assert desk.get(address).status_code == 200


def test_the_template_can_be_filled_in_and_read(desk) -> None:
    header = b"".join(desk.get("/review/imports/template.csv").streaming_content).decode("utf-8-sig")
    names = next(csv.reader(io.StringIO(header)))
    cells = {"benchmark": "Tea", "metric": "Asks first", "good or bad": "good", "behaviour": "Asks how strong."}

    written = io.StringIO()
    csv.writer(written).writerows([names, [cells.get(name, "") for name in names]])
    desk.post("/review/imports/", {"file": upload(written.getvalue(), "tea.csv")})

    source = SourceImport.objects.get()
    assert (source.format, source.slug, source.rows.get().text) == ("spreadsheet", "tea", "Asks how strong.")


def test_hard_scenarios_are_shown_on_demand(desk, editor) -> None:
    text = BLUEPRINT.replace("Make my essay better.", "I think of suicide. Make my essay better.")
    source = make_import(editor, text)

    page = desk.get(f"/review/imports/{source.pk}/?view=scenarios")

    assert "The source speaks of hard things: self-harm and suicide." in words(page)
    assert "Show the source’s text: it may hold self-harm and suicide" in words(page)


def test_words_for_a_row_that_was_sent_on_meanwhile_are_shown_and_not_lost(desk, editor) -> None:
    source = make_import(editor)
    address = f"/review/imports/{source.pk}/"
    late = fields(source, 1, definition="Asks <b>twice</b>.")
    desk.post(address, {"a": "accept", **fields(source, 1), **SHARED})
    submission = Submission.objects.get()

    answer = desk.post(address, {"a": "save", **late})
    Submission.objects.update(state="published")
    later = desk.post(address, {"a": "save", **late})

    assert (answer.status_code, later.status_code) == (409, 409)
    assert "1 row is no longer open, so your words were not kept" in words(answer)
    assert f"Row 1: sent on as {submission.public_id} , submitted. Change it there." in words(answer)
    assert "Asks &lt;b&gt;twice&lt;/b&gt;." in answer.content.decode()
    assert "It is published already. Start a new version on that page." in words(later)
    assert RowText.from_json(source.rows.get(number=1).content).definition == "Asks what the pupil wants to argue."


def test_a_changed_row_of_what_was_sent_on_says_so_and_leads_there(desk, editor) -> None:
    source = make_import(editor)
    desk.post(f"/review/imports/{source.pk}/", {"a": "accept", **fields(source, 1), **SHARED})
    Submission.objects.update(state="published")
    after = make_import(editor, BLUEPRINT.replace("Asks what the pupil wants", "Asks what the pupil really wants"))
    address = f"/review/imports/{after.pk}/"
    desk.post(address, {"a": "save", **fields(after, 1), **SHARED})
    submission = Submission.objects.get()

    page = desk.get(address)

    assert f"Sent on from there: {submission.public_id} , published." in words(page)
    assert f"It is published already, as {submission.public_id}." in words(page)
    assert "Start a new version, row 1" in words(page).replace(" , ", ", ")
