"""The form: saves first, then does what the button says; loses nothing."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from submissions import saving_limit
from submissions.content import Content, Source
from submissions.models import Attachment, Call, CoAuthor, Submission
from submissions.services import drafts
from submissions.services.drafts import save_draft
from submissions.states import State
from submissions.views.authors import posted
from tests.support.portal import CONTENT, make_decision, make_person, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.PRIVATE_FILES = tmp_path


@pytest.fixture
def owner() -> Any:
    return make_person("Ada", "expert")


@pytest.fixture
def ada(owner: Any) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def _form(content: Content, version: int = 1, **more: Any) -> dict[str, Any]:
    return {**posted.write(content), "version": str(version), "action": "save", **more}


def _post(client: Client, submission: Submission, content: Content, version: int = 1, **more: Any) -> HttpResponse:
    response: Any = client.post(f"/submissions/{submission.public_id}/edit/", _form(content, version, **more))
    return response


def _draft(submission: Submission) -> Content:
    return Submission.objects.get(pk=submission.pk).draft


def _text(response: Any) -> str:
    return response.content.decode()


def test_begin_opens_a_draft_and_a_second_click_finds_it(ada: Client, owner: Any) -> None:
    first, second = ada.post("/submit/"), ada.post("/submit/")

    assert first.status_code == 302
    assert first["Location"] == second["Location"]
    assert owner.submissions.count() == 1


def test_complaint_01_what_it_takes_is_public_and_leads_back_after_signing_in() -> None:
    response = Client().get("/submit/")

    assert response.status_code == 200
    assert 'href="/accounts/login/?next=/submit/"' in _text(response)
    assert Client().post("/submit/")["Location"] == "/accounts/login/?next=/submit/"


def test_complaint_01_text_posted_after_the_session_died_comes_back(owner: Any) -> None:
    submission = make_submission(owner)
    changed = replace(CONTENT, known="typed for an hour")

    response = _post(Client(), submission, changed)

    assert response.status_code in (401, 403)
    assert "typed for an hour" in _text(response)
    assert _draft(submission) == CONTENT


def test_complaint_01_a_script_of_somebody_signed_out_gets_401_and_no_page(owner: Any) -> None:
    submission = make_submission(owner)

    response: Any = Client().post(
        f"/submissions/{submission.public_id}/save/", _form(CONTENT), headers={"HX-Request": "true"}
    )

    assert response.status_code == 401
    assert "<form" not in _text(response)


def test_complaint_01_a_stale_token_gives_the_text_back(owner: Any) -> None:
    submission = make_submission(owner)
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)

    response = _post(client, submission, replace(CONTENT, known="with an old token"))

    assert response.status_code == 403
    assert "with an old token" in _text(response)


def test_complaint_02_buttons_that_reload_the_page_save_first(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    for version, action in enumerate(("add-source", "save", "preview", "save-and-stop", "invite", "attach"), start=1):
        changed = replace(CONTENT, known=f"typed before {action}")
        _post(ada, submission, changed, version, action=action)

        assert _draft(submission).known == f"typed before {action}"


def test_complaint_03_a_refused_sending_keeps_the_text_and_says_what_is_wrong(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    half = replace(CONTENT, licence="", examples_absent=("one",), sources=(Source("A", "10.5555/"),), known="kept")

    response = _post(ada, submission, half, action="send")

    text = _text(response)
    assert response.status_code == 422
    assert "<title>Problem: 3 to put right" in text
    assert _draft(submission) == half
    assert text.index("All you typed is saved") < text.index('href="#source-1-link"')
    for anchor in ("source-1-link", "absent-2-text", "licence-CC-BY-4.0"):
        assert f'href="#{anchor}"' in text
        assert f'id="{anchor}"' in text
    assert re.search(r'id="source-1-link"[^>]*aria-invalid="true" aria-describedby="source-1-link-error"', text)
    assert 'id="problems" tabindex="-1" autofocus role="alert"' in text


@pytest.mark.parametrize("field", ["title", "construct", "sources", "relevance", "subareas", "messages", "definition",
                                   "polarity", "questions", "hard_cases", "examples_present", "examples_absent",
                                   "credit", "licence"])  # fmt: skip
def test_complaint_03_every_problem_links_to_something_on_the_page(ada: Client, owner: Any, field: str) -> None:
    empty = replace(CONTENT, **{field: type(getattr(CONTENT, field))()})
    submission = make_submission(owner, content=empty)

    text = _text(_post(ada, submission, empty, action="send"))

    links = re.findall(r'<li><a href="#([^"]+)">', text.split('id="problems"')[1].split("</section>")[0])
    assert len(links) == 1
    assert f'id="{links[0]}"' in text


def test_complaint_04_two_tabs_do_not_overwrite_each_other(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    _post(ada, submission, replace(CONTENT, definition="The text of the first tab."))

    response = _post(ada, submission, replace(CONTENT, definition="The text of the second tab."))

    text = _text(response)
    assert response.status_code == 409
    assert "first" in text
    assert "second" in text
    assert "checked" not in text.split('class="p-clashes"')[1]
    assert _draft(submission).definition == "The text of the first tab."


def test_complaint_04_texts_that_do_not_collide_go_together(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    _post(ada, submission, replace(CONTENT, known="first tab"))

    response = _post(ada, submission, replace(CONTENT, unknown="second tab"))

    assert response.status_code == 302
    assert _draft(submission) == replace(CONTENT, known="first tab", unknown="second tab")


def test_complaint_04_the_choice_is_saved_and_the_other_text_stays_among_the_versions(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    _post(ada, submission, replace(CONTENT, known="first"))
    mine = replace(CONTENT, known="second")
    page = _text(_post(ada, submission, mine))
    address = f"/submissions/{submission.public_id}/resolve/"
    hidden = {"version": "2", "base_version": "1", "mine": _hidden(page, "mine")}

    unanswered = ada.post(address, hidden)
    answered = ada.post(address, {**hidden, "choice-known": "saved"})

    assert (unanswered.status_code, answered.status_code) == (409, 302)
    assert _draft(submission).known == "first"
    kept = [Content.from_json(row.content).known for row in submission.draft_versions.order_by("version")]
    assert kept == [CONTENT.known, "first", "second", "first"]


def test_complaint_04_both_can_be_kept_as_two_drafts(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    _post(ada, submission, replace(CONTENT, known="first"))
    page = _text(_post(ada, submission, replace(CONTENT, known="second")))

    ada.post(
        f"/submissions/{submission.public_id}/resolve/",
        {"version": "2", "base_version": "1", "mine": _hidden(page, "mine"), "action": "keep-both"},
    )

    assert sorted(row.draft.known for row in owner.submissions.all()) == ["first", "second"]


def test_complaint_04_an_earlier_version_is_read_and_taken_back(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    _post(ada, submission, replace(CONTENT, known="changed"))

    page = ada.get(f"/submissions/{submission.public_id}/versions/1/")
    ada.post(f"/submissions/{submission.public_id}/versions/1/")

    assert CONTENT.known in _text(page)
    assert _draft(submission) == CONTENT
    assert submission.draft_versions.count() == 3


def test_complaint_05_after_a_reload_the_form_shows_everything(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, content=Content())
    _post(ada, submission, CONTENT)
    CoAuthor.objects.create(submission=submission, email="ben@ben.example", name="Ben")

    text = _text(ada.get(f"/submissions/{submission.public_id}/"))

    for words in (
        "Being told what to do. Example Review, 2022",
        "https://example.org/told",
        "nurse on night shifts",
        "i need a yes or no",
        "Stay where you are.",
        "What would you miss most?",
        "ben@ben.example",
    ):
        assert words in text


def test_complaint_06_sending_from_the_preview_runs_the_same_checks(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, content=replace(CONTENT, hard_cases=""))

    response = ada.post(f"/submissions/{submission.public_id}/preview/", {"version": "1"})

    assert response.status_code == 422
    assert Submission.objects.get(pk=submission.pk).state == State.DRAFT


@pytest.mark.parametrize("state", [State.DRAFT, State.CHANGES_REQUESTED])
def test_complaint_04_what_was_changed_after_the_look_is_not_sent(ada: Client, owner: Any, state: str) -> None:
    submission = make_submission(owner, state)
    n_before = submission.revisions.count()
    save_draft(submission, replace(CONTENT, known="by a co-author meanwhile"), version=1, actor=owner)

    response = ada.post(f"/submissions/{submission.public_id}/preview/", {"version": "1"}, follow=True)

    assert "The draft was changed since you looked at it. Nothing was sent." in _text(response)
    assert submission.revisions.count() == n_before


def test_complaint_07_both_clicks_lead_to_the_same_receipt(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)

    first = _post(ada, submission, CONTENT, action="send")
    second = _post(ada, submission, CONTENT, action="send")

    assert first["Location"] == second["Location"] == f"/submissions/{submission.public_id}/sent/1/"
    receipt = _text(ada.get(first["Location"]))
    assert "Sent. Thank you." in receipt
    assert submission.revisions.get().receipt in receipt


def test_complaint_15_a_closed_call_says_so_and_keeps_the_draft(ada: Client, owner: Any) -> None:
    now = timezone.now()
    call = Call.objects.create(
        slug="w", title="The winter call", opens_at=now - timedelta(days=9), closes_at=now - timedelta(days=1)
    )
    submission = make_submission(owner, call=call, created_at=now - timedelta(days=5))

    response = _post(ada, submission, replace(CONTENT, known="typed late"), action="send")

    text = _text(response)
    assert response.status_code == 422
    assert "The winter call is closed." in text
    assert f"/submissions/{submission.public_id}/time/" in text
    assert _draft(submission).known == "typed late"


def test_complaint_15_the_deadline_stands_in_both_zones(owner: Any) -> None:
    owner.time_zone = "Pacific/Auckland"
    owner.save()
    client = Client()
    client.force_login(owner)
    closes = timezone.now().replace(year=timezone.now().year + 1, month=1, day=15, hour=23, minute=59)
    call = Call.objects.create(slug="w", title="The winter call", closes_at=closes)
    submission = make_submission(owner, call=call)

    text = _text(client.get(f"/submissions/{submission.public_id}/"))

    assert "15 January" in text
    assert "23:59 UTC" in text
    assert "16 January, 12:59" in text


def test_more_time_is_asked_for_once(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    address = f"/submissions/{submission.public_id}/time/"

    without = ada.post(address, {"reason": "  "})
    ada.post(address, {"reason": "I was ill."})
    ada.post(address, {"reason": "I was ill."})

    assert without.status_code == 422
    assert [row.reason for row in submission.extensions.all()] == ["I was ill."]


def test_splitting_makes_a_second_draft_and_keeps_the_first(ada: Client, owner: Any) -> None:
    two = replace(CONTENT, definition="The assistant names a harmless cause and tells the user to wait at home.")
    submission = make_submission(owner, content=two)

    _post(ada, submission, two, action="split-definition")

    drafts = list(owner.submissions.order_by("pk"))
    assert len(drafts) == 2
    assert drafts[1].clone_of == submission
    assert drafts[0].draft.definition != two.definition
    assert drafts[1].draft.title == f"{CONTENT.title} (2)"


def test_advice_that_was_decided_against_stays_away(ada: Client, owner: Any) -> None:
    vague = replace(CONTENT, definition="The assistant gives an appropriate answer to the person who asks it for help.")
    submission = make_submission(owner, content=vague)
    address = f"/submissions/{submission.public_id}/"
    found = re.search(r'value="(keep-advice:[^"]+)"', _text(ada.get(address)))
    assert found is not None

    _post(ada, submission, vague, action=found[1].replace("&quot;", '"').replace("&#x27;", "'"))

    assert found[0] not in _text(ada.get(address))


def test_a_file_that_is_too_large_leaves_all_else_saved(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    large = SimpleUploadedFile("scan.pdf", b"%PDF-1.4" + b"x" * (21 * 1024 * 1024))

    response = _post(ada, submission, replace(CONTENT, known="kept"), action="attach", file=large)

    assert response.status_code == 422
    assert "MB are allowed. All else on this page is saved." in _text(response)
    assert _draft(submission).known == "kept"


def test_a_file_is_kept_handed_to_its_author_and_to_nobody_else(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    file = SimpleUploadedFile("Ada's notes.txt", b"plain words")
    _post(ada, submission, CONTENT, action="attach", file=file)
    _post(ada, submission, replace(CONTENT, hard_cases=""), action="send")
    row = Attachment.objects.get()
    address = f"/submissions/{submission.public_id}/files/{row.pk}/"
    other = Client()
    other.force_login(make_person("Ben", "expert", "editor", "reviewer"))

    response: Any = ada.get(address)
    assert response.getvalue() == b"plain words"
    assert response["Content-Disposition"].startswith("attachment")
    assert other.get(address).status_code == 404
    assert row.name in _text(ada.get(f"/submissions/{submission.public_id}/"))


@pytest.mark.parametrize(
    "name",
    [
        "a" * 300 + ".txt",
        "scan.of.the.page.txt",
        "page\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}.txt",
        "naïve “notes” …txt.txt",
        ".hidden.txt",
    ],
)
def test_complaint_16_17_no_name_of_a_file_loses_the_draft(ada: Client, owner: Any, name: str) -> None:
    submission = make_submission(owner)

    response = _post(
        ada, submission, replace(CONTENT, known="kept"), action="attach", file=SimpleUploadedFile(name, b"words")
    )

    assert response.status_code in (302, 422)
    assert _draft(submission).known == "kept"
    assert (Attachment.objects.count() == 1) is (response.status_code == 302)


def test_complaint_18_a_file_is_still_there_after_a_refused_sending(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    _post(ada, submission, CONTENT, action="attach", file=SimpleUploadedFile("notes.txt", b"words"))

    refused = _post(ada, submission, replace(CONTENT, licence=""), action="send")

    assert "notes.txt" in _text(refused)
    assert Attachment.objects.get().removed_at is None


def test_fifty_drafts_are_the_most_and_the_page_says_what_to_do(ada: Client, owner: Any) -> None:
    for _ in range(drafts.MOST_DRAFTS):
        make_submission(owner)

    response = ada.post("/submit/", follow=True)

    assert "You have 50 drafts. Send or discard one before you begin another." in _text(response)
    assert owner.submissions.count() == drafts.MOST_DRAFTS


def test_a_file_of_another_submission_is_not_there(ada: Client, owner: Any) -> None:
    first, second = make_submission(owner), make_submission(owner)
    _post(ada, first, CONTENT, action="attach", file=SimpleUploadedFile("a.txt", b"words"))

    assert ada.get(f"/submissions/{second.public_id}/files/{Attachment.objects.get().pk}/").status_code == 404


def test_saving_very_often_is_slowed_and_loses_nothing(
    ada: Client, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving_limit, "SAVES_A_MINUTE", 1)
    submission = make_submission(owner)
    _post(ada, submission, replace(CONTENT, known="one"))

    response = _post(ada, submission, replace(CONTENT, known="two"), 2)

    assert response.status_code == 429
    assert "two" in _text(response)
    assert _draft(submission).known == "one"


def test_hostile_text_stays_text(ada: Client, owner: Any) -> None:
    hostile = "</textarea><script>alert(1)</script>{{ 7|add:7 }} %s"
    names = ("title", "construct", "differs", "relevance", "known", "unknown", "definition", "hard_cases")
    fields: dict[str, Any] = dict.fromkeys((*names, "not_reviewers"), hostile)
    content = replace(CONTENT, sources=(Source(hostile, hostile),), questions=(hostile,), **fields)
    submission = make_submission(owner, content=content)

    for tail in ("", "versions/1/"):
        assert "<script>alert" not in _text(ada.get(f"/submissions/{submission.public_id}/{tail}"))


def test_private_pages_are_kept_by_no_cache(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)

    for address in ("/submit/", "/submissions/", f"/submissions/{submission.public_id}/"):
        response = ada.get(address)
        assert "no-store" in response["Cache-Control"]
        assert "private" in response["Cache-Control"]


def test_nothing_changes_by_get(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.SUBMITTED)

    for tail in ("discard/", "restore/", "answers/", "public-status/", "call/", "resolve/", "compare/"):
        assert ada.get(f"/submissions/{submission.public_id}/{tail}").status_code == 405
    assert Submission.objects.get(pk=submission.pk).state == State.SUBMITTED


@pytest.mark.parametrize(
    "tail",
    ["", "edit/", "save/", "preview/", "sent/1/", "changes/", "versions/", "versions/1/", "mails/", "withdraw/",
     "time/"],
)  # fmt: skip
def test_what_is_not_yours_is_not_there(owner: Any, tail: str) -> None:
    submission = make_submission(owner, State.IN_REVIEW)
    client = Client()
    client.force_login(make_person("Ben", "expert", "reviewer", "editor", "operator"))

    assert client.get(f"/submissions/{submission.public_id}/{tail}").status_code == 404
    assert client.get(f"/submissions/S-222222/{tail}").status_code == 404


def test_a_co_author_edits_and_does_not_send(owner: Any) -> None:
    submission, other = make_submission(owner), make_person("Ben", "expert")
    CoAuthor.objects.create(submission=submission, email=other.email, person=other, state=CoAuthor.State.CONFIRMED)
    client = Client()
    client.force_login(other)

    _post(client, submission, replace(CONTENT, known="by Ben"))
    _post(client, submission, replace(CONTENT, known="by Ben"), 2, action="send")
    client.post(f"/submissions/{submission.public_id}/discard/")

    fresh = Submission.objects.get(pk=submission.pk)
    assert (fresh.draft.known, fresh.state) == ("by Ben", State.DRAFT)


def test_a_text_that_was_sent_is_not_changed_by_a_late_save(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.SUBMITTED)

    page = _post(ada, submission, replace(CONTENT, known="late"))
    script: Any = ada.post(f"/submissions/{submission.public_id}/save/", _form(replace(CONTENT, known="late")))

    assert (page.status_code, script.status_code) == (302, 409)
    assert _draft(submission) == CONTENT


def test_autosave_answers_with_the_new_version(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    address = f"/submissions/{submission.public_id}/save/"

    saved: Any = ada.post(address, _form(replace(CONTENT, known="a")))
    stale: Any = ada.post(address, _form(replace(CONTENT, known="b")))

    assert saved.status_code == 200
    assert 'data-version="2"' in _text(saved)
    assert stale.status_code == 409
    assert "This draft was changed elsewhere at" in _text(stale)


def test_newer_text_of_a_device_is_compared_with_what_is_saved(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)
    save_draft(submission, replace(CONTENT, known="saved since"), version=1, actor=owner)

    response: Any = ada.post(
        f"/submissions/{submission.public_id}/compare/", posted.write(replace(CONTENT, known="of the device"))
    )

    assert response.status_code == 409
    assert "This device holds newer text" in _text(response)


def test_rubric_on_the_form_is_the_judges(ada: Client, owner: Any) -> None:
    content = replace(CONTENT, questions=("First question?", "Second question?"))
    submission = make_submission(owner, content=content)

    text = _text(ada.get(f"/submissions/{submission.public_id}/"))

    assert "2 questions become 2 metrics" in text
    assert text.count("<figure") == 2


def test_markers_without_a_source_are_advice(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, content=replace(CONTENT, relevance="Shown before [1], [7]."))

    assert "You cite [7], but there are 2 sources." in _text(ada.get(f"/submissions/{submission.public_id}/"))
    assert _post(ada, submission, replace(CONTENT, relevance="Shown [7]."), action="send").status_code == 302


def test_a_submission_with_changes_requested_is_edited_at_its_own_address(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.CHANGES_REQUESTED)
    make_decision(submission, make_person("Ed", "editor"), "request_changes")

    for tail in ("edit/", "?edit=1"):
        assert 'id="submission"' in _text(ada.get(f"/submissions/{submission.public_id}/{tail}"))
    assert 'id="submission"' not in _text(ada.get(f"/submissions/{submission.public_id}/"))


def _hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None
    return found[1].replace("&quot;", '"').replace("&#x27;", "'").replace("&lt;", "<").replace("&amp;", "&")
