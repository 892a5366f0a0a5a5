"""Content notices on their pages: lists, one metric, a whole benchmark, two editors, authors kept out."""

import pytest
from django.test import Client

from evaluation.models import MetricVersion
from evaluation.services.content_notices import set_on_metric
from tests.submissions.access.people_and_states import client_of
from tests.submissions.services.test_publishing import approved
from tests.submissions.views.editorial.test_cases import words
from tests.support.builders import make_metric
from tests.support.editorial import make_verdict
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
METRIC = "/review/notices/metrics/autonomy/m01/"


@pytest.fixture
def desk() -> Client:
    return client_of(make_person("Ed One", "editor"))


def test_a_notice_is_set_and_readers_see_it_at_once(desk, client) -> None:
    verdict = make_verdict()
    conversation = f"/conversations/{verdict.conversation.public_id}/"
    opened = words(client.get(conversation))

    answer = desk.post(
        "/review/notices/metrics/of-case-metric/case-metric/",
        {"notice": ["hate", "violence"], "own": "a tight room\n\n", "reason": "Scenario 1."},
    )

    assert answer.status_code == 302
    assert "Should I quit my job?" in opened
    closed = words(client.get(conversation))
    assert "It speaks about: violence, hate, a tight room." in closed
    assert "Should I quit my job?" not in closed
    history = words(desk.get(answer["Location"]))
    assert "From none to violence, hate, a tight room" in history
    assert "by Ed One Scenario 1." in history


def test_a_refused_form_keeps_what_was_chosen(desk) -> None:
    make_metric(is_published=True)

    answer = desk.post(METRIC, {"notice": ["grief"], "own": "a tight room", "reason": " "})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Say why; other editors read it in the history." in page
    assert 'value="grief" checked' in page
    assert ">a tight room</textarea>" in page


def test_the_second_of_two_editors_is_told_and_keeps_their_choice(desk) -> None:
    metric = make_metric(is_published=True).metric
    set_on_metric(metric, ["hate"], seen=[], reason="Hers.", actor=None)

    answer = desk.post(METRIC, {"notice": ["grief"], "reason": "His."})
    page = answer.content.decode()

    assert answer.status_code == 409
    assert "They are now: hate." in page
    assert 'name="seen" value="hate"' in page
    assert 'value="grief" checked' in page
    assert desk.post(METRIC, {"notice": ["grief"], "seen": "hate", "reason": "His."}).status_code == 302
    assert MetricVersion.objects.get(metric=metric).content_notices == ["grief"]


def test_a_whole_benchmark_is_marked_at_once(desk, client) -> None:
    version = make_metric(is_published=True)
    make_metric("m02", is_published=True)

    page = words(desk.get("/review/notices/benchmarks/autonomy/"))
    desk.post("/review/notices/benchmarks/autonomy/", {"notice": ["drugs"], "reason": "All of it."})

    assert "all its 2 public metrics, and for those to come" in page
    version.metric.benchmark.refresh_from_db()
    assert version.metric.benchmark.content_notices == ["drugs"]
    assert "Hard content: drugs" in words(client.get("/metrics/autonomy/m02/"))
    assert "Its benchmark is marked with: drugs" in words(desk.get(METRIC))


def test_lists_are_filtered_and_say_when_there_is_simply_nothing(desk) -> None:
    empty = words(desk.get("/review/notices/"))
    make_metric(is_published=True, content_notices=["hate"])
    make_metric("m02", is_published=True, plain_name="Asks first")
    make_metric("m03")

    def shown(**query: str) -> list[str]:
        page = words(desk.get("/review/notices/", query))
        return [name for name in ("autonomy/m01", "autonomy/m02", "autonomy/m03") if name in page]

    assert "No metric has a public page yet." in empty
    assert shown() == ["autonomy/m01", "autonomy/m02"]
    assert shown(only="with") == ["autonomy/m01"]
    assert shown(only="without") == ["autonomy/m02"]
    assert shown(q="asks FIRST") == ["autonomy/m02"]
    assert shown(bench="nope\x00") == []
    assert "Nothing fits these filters." in words(desk.get("/review/notices/", {"q": "zzz"}))


def test_who_wrote_a_metric_does_not_find_it_here() -> None:
    author = make_person("Ada Both", "editor", "expert")
    other = make_person("Ed One", "editor")
    submission = approved(other, author=author)
    version = submission.revisions.get().approved_metrics.get().metric_version
    MetricVersion.objects.filter(pk=version.pk).update(is_published=True)
    address = f"/review/notices/metrics/{version.metric.slug}/"
    whole = f"/review/notices/benchmarks/{version.metric.benchmark.slug}/"

    assert [client_of(person).get(path).status_code for person in (author, other) for path in (address, whole)] == [
        404, 404, 200, 200,
    ]  # fmt: skip
    assert version.metric.slug not in client_of(author).get("/review/notices/").content.decode()
