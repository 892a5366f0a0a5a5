"""A process that begins visits the site itself, and serves whatever comes of that."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler

from impactbench import rehearsal
from impactbench.page_cache import levels
from tests.support.builders import make_conversation, make_judgment, make_metric, make_model, make_release, make_run
from tests.support.builders import make_scenarios as scenarios_of

pytestmark = pytest.mark.django_db(transaction=True)


class Site:
    """The application, with what it was asked and how it answered."""

    def __init__(self) -> None:
        self.answered: list[tuple[str, str]] = []
        self._application = WSGIHandler()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        def noted(status: str, headers: Any, error: Any = None, /) -> Any:
            query = environ["QUERY_STRING"]
            self.answered.append((environ["PATH_INFO"] + (f"?{query}" if query else ""), status[:3]))
            return start_response(status, headers, error)

        return self._application(environ, noted)


@pytest.fixture
def site(settings: Any) -> Iterator[Site]:
    settings.PAGE_CACHE = True
    levels.in_process.clear()
    yield Site()
    levels.in_process.clear()


def test_process_visits_what_is_asked_for_most(site: Site) -> None:
    version, luna = make_metric("m01"), make_model("luna")
    run = make_run(versions=[version], targets=[luna])
    conversations = [make_conversation(run, scenario, luna) for scenario in scenarios_of(version)]
    for conversation in conversations:
        make_judgment(conversation, present=True)
    make_release("small", run=run, resamples=50)

    rehearsal.rehearse(site)

    assert {status for _, status in site.answered} == {"200"}
    assert [address for address, _ in site.answered][:11] == [
        "/",
        "/explore/",
        "/api/v1/releases/",
        "/api/v1/metrics/?page_size=1",
        "/api/v1/conversations/?page_size=1",
        "/labels/luna/",
        "/api/v1/labels/luna/",
        "/api/v1/metrics/autonomy/m01/",
        "/api/v1/metrics/?benchmark=autonomy",
        f"/api/v1/conversations/{conversations[0].public_id}/",
        "/api/v1/conversations/?metric=autonomy%2Fm01&model=luna",
    ]
    assert len(site.answered) == 23


def test_no_page_of_a_rehearsal_is_kept_or_taken_from_another_process(site: Site) -> None:
    make_release("small")

    rehearsal.rehearse(site)
    first = site.answered.copy()
    rehearsal.rehearse(site)

    assert site.answered == first * 2
    assert not levels.in_process._pages


def test_site_without_results_is_visited_as_far_as_it_goes(site: Site) -> None:
    rehearsal.rehearse(site)

    assert [address for address, _ in site.answered][:3] == ["/", "/explore/", "/api/v1/releases/"]
    assert {status for _, status in site.answered} == {"200"}


@pytest.mark.parametrize("host", ["impact.example", "*"])
def test_site_that_leads_to_tls_is_visited_as_its_proxy_does(site: Site, settings: Any, host: str) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.ALLOWED_HOSTS = [host]

    rehearsal.rehearse(site)

    assert {status for _, status in site.answered} == {"200"}


def test_failure_is_logged_and_keeps_no_process_from_serving(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_environ: Any, _start_response: Any) -> Any:
        raise OSError("no database")

    rehearsal.rehearse(broken)

    assert [record.message for record in caplog.records] == ["the rehearsal was broken off"]
