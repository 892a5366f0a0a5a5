"""A program writes, sends and withdraws a submission by the rules of the form, in the words of the form."""

from dataclasses import fields
from typing import Any

import pytest

from submissions.api.content import ContentSerializer
from submissions.api.shapes import WholeSubmissionSerializer
from submissions.content import LONGEST_TEXT, Content
from submissions.models import Call, RequestedChange, Revision, Submission
from submissions.saving_limit import SAVES_A_MINUTE, saves_too_often
from submissions.services.sending import problems_of
from submissions.states import State
from tests.support.api_tokens import Program
from tests.support.portal import CONTENT, make_decision, make_person, make_submission

pytestmark = pytest.mark.django_db
LIST = "/api/v1/submissions/"


@pytest.fixture
def ada() -> Any:
    return make_person("Ada Author", "expert")


@pytest.fixture
def program(ada: Any) -> Program:
    return Program(ada)


def test_shape_has_every_field_of_the_form() -> None:
    assert list(ContentSerializer().fields) == [item.name for item in fields(Content)]


def test_from_the_first_word_to_the_receipt_and_back(program: Program) -> None:
    made = program.post("submissions/", {"content": {"title": "Avoid deciding"}})
    path = made.headers["Location"].removeprefix("/api/v1/")
    changed = program.patch(path, {"version": 1, "content": CONTENT.to_json()}).json()
    sent = program.post(f"{path}submit/", {"version": changed["version"]})
    again = program.post(f"{path}submit/", {"version": changed["version"]})
    withdrawn = program.post(f"{path}withdraw/", {"reason": "A better one comes."})

    stored = Submission.objects.get()
    assert [made.status_code, sent.status_code, again.status_code, withdrawn.status_code] == [201, 200, 200, 200]
    assert (made.json()["state"], made.json()["content"]["title"]) == ("draft", "Avoid deciding")
    assert (changed["version"], changed["missing"], changed["content"]) == (2, [], jsonable(CONTENT))
    assert (sent.json()["state"], [row["number"] for row in sent.json()["revisions"]]) == ("submitted", [1])
    assert again.json() == sent.json()
    assert (withdrawn.json()["state"], stored.state, stored.draft) == ("withdrawn", "withdrawn", CONTENT)
    assert set(sent.json()) == set(WholeSubmissionSerializer().fields)


def jsonable(content: Content) -> Any:
    return ContentSerializer(content).data


def test_list_holds_ones_own_in_pages(program: Program, ada: Any) -> None:
    mine = [make_submission(ada).public_id for _ in range(3)]
    make_submission(make_person("Bob Other", "expert"))

    first = program.get("submissions/?page_size=2").json()
    second = program.client.get(first["next"], headers=program.headers).json()

    assert [row["id"] for row in [*first["results"], *second["results"]]] == mine[::-1]
    assert (second["next"], first["results"][0]["is_owner"]) == (None, True)


@pytest.mark.parametrize("n_rows", [1, 4])
def test_list_asks_the_database_as_often_for_many(
    program: Program, ada: Any, n_rows: int, django_assert_num_queries: Any
) -> None:
    for _ in range(n_rows):
        make_submission(ada)
    program.get("submissions/")

    with django_assert_num_queries(2):  # the token with its owner, the page
        program.get("submissions/")


def test_change_of_an_old_version_gets_both_texts(program: Program, ada: Any) -> None:
    draft = make_submission(ada)
    path = f"submissions/{draft.public_id}/"
    program.patch(path, {"version": 1, "content": {"title": "Theirs", "known": "New"}})

    refused = program.patch(path, {"version": 1, "content": {"title": "Mine"}})
    repeated = program.patch(path, {"version": 1, "content": {"title": "Theirs"}})

    problem = refused.json()
    assert (refused.status_code, problem["version"], problem["clashes"]) == (409, 2, ["title"])
    assert (problem["saved"]["title"], problem["yours"]["title"]) == ("Theirs", "Mine")
    assert (problem["saved"]["known"], problem["yours"]["known"]) == ("New", CONTENT.known)
    assert repeated.status_code == 200
    assert Submission.objects.get().title == "Theirs"


def test_incomplete_draft_is_refused_in_the_words_of_the_form(program: Program, ada: Any) -> None:
    draft = make_submission(ada, content=Content(title="Only a name"))

    refused = program.post(f"submissions/{draft.public_id}/submit/", {"version": 1})

    found = problems_of(draft.draft)
    assert (refused.status_code, refused.json()["detail"]) == (422, f"Not sent yet: {len(found)} things to put right.")
    assert [(row["field"], row["detail"]) for row in refused.json()["errors"]] == [
        (one.field, one.message) for one in found
    ]
    assert refused.json()["errors"] == program.get(f"submissions/{draft.public_id}/").json()["missing"]


@pytest.mark.parametrize(
    ("content", "field", "detail"),
    [
        ({"titel": "x"}, "titel", "This is not known here; known are: "),
        ({"title": 5}, "title", "This must be text."),
        ({"title": None}, "title", "This field may not be null."),
        ({"title": "x" * (LONGEST_TEXT + 1)}, "title", "This text is longer than 20,000 characters. Shorten it."),
        ({"known": "a\x00b"}, "known", "Null characters are not allowed."),
        ({"questions": ["q"] * 21}, "questions", "These are more than 20 lines. Leave some out."),
        ({"sources": [{}, {"url": "u"}]}, "sources", "url: This is not known here; known are: reference, link."),
        ({"demographics": [{"told": "yes"}]}, "demographics", "told: This must be true or false."),
        ({"questions": {"a": "b"}}, "questions", "Expected a list of items but got type \"dict\"."),
        ([], "content", "Invalid data. Expected a dictionary, but got list."),
    ],
)  # fmt: skip
def test_bad_text_is_refused_and_nothing_is_cut(program: Program, content: Any, field: str, detail: str) -> None:
    refused = program.post("submissions/", {"content": content})

    error = refused.json()["errors"][0]
    assert (refused.status_code, error["field"], error["detail"][: len(detail)]) == (422, field, detail)
    assert Submission.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("{", "application/json", 400),
        ("[" * 100_000, "application/json", 400),
        ('{"version": NaN}', "application/json", 400),
        ('{"version": 1' + "0" * 5000 + "}", "application/json", 400),
        (b"\xff", "application/json", 400),
        ('"' + "x" * 5_300_000 + '"', "application/json", 413),
        ("{}", "application/xml", 415),
        ("[]", "application/json", 422),
        ('{"content": {"title": "\\ud800"}}', "application/json", 422),
    ],
)
def test_body_that_cannot_be_read_is_no_fault_of_ours(program: Program, body: Any, kind: str, status: int) -> None:
    response = program.client.post(LIST, body, content_type=kind, headers=program.headers)

    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")


@pytest.mark.parametrize(
    "body",
    [
        '{"content": {"questions": [' + "1," * 300_000 + "1]}}",
        '{"content": {"sources": [' + "1," * 300_000 + "1]}}",
        "{" + ",".join(f'"a{n}":1' for n in range(100_000)) + "}",
    ],
)
def test_many_mistakes_are_told_in_few_words(program: Program, body: str) -> None:
    refused = program.client.post(LIST, body, content_type="application/json", headers=program.headers)

    assert (refused.status_code, len(refused.content) < 5_000) == (422, True)


def test_who_saves_very_often_is_told_when_to_go_on(program: Program, ada: Any) -> None:
    for _ in range(SAVES_A_MINUTE):
        saves_too_often(ada)

    refused = program.post("submissions/")

    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert Submission.objects.count() == 0


def test_call_is_chosen_as_on_the_page(program: Program) -> None:
    Call.objects.create(slug="winter", title="Winter")

    found = [program.post("submissions/", body) for body in ({"call": "winter"}, {"call": "summer"})]

    assert [response.status_code for response in found] == [201, 422]
    assert found[1].json()["errors"][0]["field"] == "call"


def test_answers_and_the_next_version(program: Program, ada: Any) -> None:
    submission = make_submission(ada, State.CHANGES_REQUESTED)
    decision = make_decision(submission, make_person("Ed Editor", "editor"), "request_changes")
    RequestedChange.objects.create(decision=decision, number=1, field="known", text="Say more.")
    path, answered = f"submissions/{submission.public_id}/", {"number": 1, "answer": "Done.", "done": "changed"}

    early = program.post(f"{path}submit/", {"version": 1}).json()
    wrong = program.post(f"{path}answers/", {"answers": [answered, {**answered, "number": 7}]})
    kept = program.post(f"{path}answers/", {"answers": [answered]}).json()
    sent = program.post(f"{path}submit/", {"version": 1}).json()
    again = program.post(f"{path}submit/", {"version": 1}).json()

    assert early["errors"] == [{"field": "requests", "number": 1, "detail": "Request 1 has no answer yet."}]
    assert (wrong.status_code, wrong.json()["errors"][0]["number"]) == (422, 2)
    assert kept["requests"] == [
        {"number": 1, "field": "known", "text": "Say more.", "answer": "Done.", "done": "changed"}
    ]
    assert (sent["state"], again) == ("in_review", sent)
    assert Revision.objects.count() == 2


def test_what_was_sent_changes_no_more(program: Program, ada: Any) -> None:
    path = f"submissions/{make_submission(ada, State.APPROVED).public_id}/"

    changed = program.patch(path, {"version": 1, "content": {"title": "Other"}})
    withdrawn = program.post(f"{path}withdraw/", {"reason": "x"})

    assert [changed.status_code, withdrawn.status_code] == [409, 409]
    assert changed.json()["detail"] == "This submission has been sent; its text cannot be changed now."


def test_withdrawing_needs_a_reason(program: Program, ada: Any) -> None:
    path = f"submissions/{make_submission(ada, State.IN_REVIEW).public_id}/"

    refused = program.post(f"{path}withdraw/", {"reason": "  "})

    assert refused.status_code == 422
    assert refused.json()["detail"] == "Say in a sentence why you withdraw it. The editors read it, nobody else."
