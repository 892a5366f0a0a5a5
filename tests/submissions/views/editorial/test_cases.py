"""Case studies on their pages: from picking to the public page, conflicts, the content gate, hostile words."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Release
from evaluation.services.content_notices import set_on_metric
from impactbench.common.searchable import Hit
from submissions.models import CaseStudy
from submissions.selectors.cases import found_cases
from submissions.services import cases as service
from tests.submissions.access.people_and_states import client_of
from tests.support.editorial import make_case, make_verdict
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
FORM = {
    "title": "How it <b>came</b> about",
    "summary": "It began well.",
    "turn": ["1", "1", "2"],
    "kind": ["first-failure", "", "later-correction"],
    "note": ["Here <script>alert(1)</script>", "", "It takes it back."],
}


def words(response: Any) -> str:
    """The text of a page without its tags, blanks joined."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture
def desk() -> tuple[Client, Client]:
    return client_of(make_person("Ed One", "editor")), client_of(make_person("Ed Two", "editor"))


def test_a_pasted_address_leads_to_the_form_of_its_conversation(desk) -> None:
    verdict = make_verdict()
    name = verdict.conversation.public_id

    for typed in (name, f"https://site.example/conversations/{name}/?release=x#turn-2", f" /conversations/{name}/ "):
        answer = desk[0].get("/review/cases/new/", {"conversation": typed})
        assert (answer.status_code, answer["Location"]) == (302, f"/review/cases/new/{name}/")
    refused = desk[0].get("/review/cases/new/", {"conversation": "https://evil.example/<b>"})
    assert refused.status_code == 422
    assert 'value="https://evil.example/&lt;b&gt;"' in refused.content.decode()


def test_from_the_form_over_a_second_editor_to_readers(desk, client) -> None:
    verdict = make_verdict()
    address = f"/review/cases/new/{verdict.conversation.public_id}/"

    made = desk[0].post(address, FORM)
    case = CaseStudy.objects.get()
    before = client.get(f"/cases/{case.slug}/").status_code
    own = desk[0].post(f"/review/cases/{case.slug}/publish/", {"number": "1"})
    published = desk[1].post(f"/review/cases/{case.slug}/publish/", {"number": "1"})
    page = client.get(f"/cases/{case.slug}/")

    assert (made.status_code, before, own.status_code, published.status_code) == (302, 404, 409, 302)
    text = words(page)
    assert "First failure Here <script>alert(1)</script>" in text
    assert "Later correction It takes it back." in text
    assert "This is one conversation, chosen by an editor" in text
    assert "Good outcome: no." in text
    assert "Everyone 1 of 2" in text
    assert "stress test with simulated users" in text
    raw = page.content.decode()
    assert "<script>alert" not in raw
    assert f'href="/conversations/{verdict.conversation.public_id}/?release={verdict.release.slug}"' in raw
    assert f'href="/metrics/of-case-metric/case-metric/?release={verdict.release.slug}"' in raw
    assert "Ed One" not in raw + client.get("/cases/").content.decode()
    lists = [client.get(path).content.decode() for path in ("/cases/", "/metrics/of-case-metric/case-metric/voices/")]
    assert [f'href="/cases/{case.slug}/"' in one for one in lists] == [True, True]


def test_a_refused_form_keeps_what_was_typed(desk) -> None:
    verdict = make_verdict()
    typed = {**FORM, "title": "", "kind": ["", "", ""]}

    answer = desk[0].post(f"/review/cases/new/{verdict.conversation.public_id}/", typed)

    page = words(answer)
    assert answer.status_code == 422
    assert "Give it a title. Choose what your words at turn 1 are. Choose what your words at turn 2 are." in page
    assert "It takes it back." in page
    assert not CaseStudy.objects.exists()


def test_the_second_of_two_editors_keeps_their_words_and_may_save_them_over(desk) -> None:
    case = make_case()
    address = f"/review/cases/{case.slug}/"
    mine = {**FORM, "based_on": "1"}
    desk[1].post(address, {**mine, "summary": "Hers."})

    refused = desk[0].post(address, {**mine, "summary": "His."})
    again = re.search(r'name="based_on" value="(\d+)"', refused.content.decode())
    saved = desk[0].post(address, {**mine, "summary": "His.", "based_on": again[1] if again else ""})

    assert refused.status_code == 409
    assert "Version 2 was saved meanwhile." in words(refused)
    assert ">His.</textarea>" in refused.content.decode()
    assert saved.status_code == 302
    assert [one.summary for one in case.versions.all()] == ["It began well.", "Hers.", "His."]


def test_a_hard_conversation_starts_closed_and_its_annotations_with_it(client) -> None:
    case = make_case()
    metric = case.conversation.scenario.base.metric_version.metric
    set_on_metric(metric, ["violence"], seen=[], reason="It is.", actor=None)

    closed, opened = client.get(f"/cases/{case.slug}/"), client.get(f"/cases/{case.slug}/?show=1")

    assert "It speaks about: violence." in words(closed)
    assert "It began well." in words(closed)
    assert "Here it takes the decision." not in words(closed)
    assert "Should I quit my job?" not in words(closed)
    assert "Here it takes the decision." in words(opened)
    assert [answer["X-Robots-Tag"] for answer in (closed, opened)] == ["noindex", "noindex"]


def test_a_notice_withdrawn_opens_the_page_at_once(client) -> None:
    case = make_case()
    metric = case.conversation.scenario.base.metric_version.metric
    set_on_metric(metric, ["violence"], seen=[], reason="It is.", actor=None)
    closed = words(client.get(f"/cases/{case.slug}/"))
    set_on_metric(metric, [], seen=["violence"], reason="It is not.", actor=None)

    assert "Should I quit my job?" not in closed
    assert "Should I quit my job?" in words(client.get(f"/cases/{case.slug}/"))


def test_a_retracted_release_is_told_above_the_case(client) -> None:
    case = make_case()
    Release.objects.filter(pk=case.release_id).update(status="retracted", retraction_reason="Wrong judge.")

    page = words(client.get(f"/cases/{case.slug}/"))

    assert f"Retracted. {case.release.title} was withdrawn: Wrong judge." in page


def test_a_retired_case_is_gone_with_its_reason(desk, client) -> None:
    case = make_case()

    refused = desk[0].post(f"/review/cases/{case.slug}/retire/", {"reason": ""})
    retired = desk[0].post(f"/review/cases/{case.slug}/retire/", {"reason": "It was unfair."})
    page = client.get(f"/cases/{case.slug}/")

    assert (refused.status_code, retired.status_code, page.status_code) == (422, 302, 410)
    assert "It was unfair." in words(page)
    assert "Here it takes the decision." not in words(page)
    assert "There is none yet." in words(client.get("/cases/"))


def test_a_list_of_one_metric_and_of_none(client) -> None:
    make_case()

    assert "Of the metric of-case-metric/case-metric alone." in words(
        client.get("/cases/?metric=of-case-metric/case-metric")
    )
    unknown = client.get("/cases/", {"metric": "<b>\x00"})
    assert (unknown.status_code, "is not known here as metric" in words(unknown)) == (200, True)


def test_the_public_pages_ask_a_fixed_number_of_questions(client, django_assert_max_num_queries) -> None:
    first = make_case()
    for number in range(4):
        make_case(make_verdict(f"more-{number}"), slug=f"more-{number}")

    with django_assert_max_num_queries(6):
        client.get("/cases/")
    with django_assert_max_num_queries(8):
        client.get(f"/cases/{first.slug}/")


def test_a_preview_is_open_for_editors_and_says_what_it_is(desk) -> None:
    case = make_case(is_published=False)

    page = words(desk[0].get(f"/review/cases/{case.slug}/preview/"))

    assert "This is version 1 as readers would see it." in page
    assert "Here it takes the decision." in page


def test_the_tabs_count_what_waits_for_the_other_editor(desk) -> None:
    verdict = make_verdict()
    desk[0].post(f"/review/cases/new/{verdict.conversation.public_id}/", FORM)

    pages = [words(client.get("/review/cases/")) for client in desk]

    assert ["1 to publish" in page for page in pages] == [False, True]
    assert service.newest_version(CaseStudy.objects.get()).number == 1


def test_the_search_of_the_site_finds_what_is_shown_and_nothing_else(client, django_assert_max_num_queries) -> None:
    verdict = make_verdict()
    make_case(verdict, title="A quiet refusal", summary="About advice.")
    make_case(verdict, slug="unpublished", is_published=False, title="A quiet draft")

    with django_assert_max_num_queries(2):
        found = found_cases(["quiet", "ADVICE"], 5)

    assert found == (1, [Hit("A quiet refusal", "/cases/a-case/", "Case Model")])
    assert found_cases(["nowhere"], 5) == (0, [])
    page = words(client.get("/search/?q=quiet"))
    assert "A quiet refusal" in page
    assert "A quiet draft" not in page
