"""Every kind of answer, as production sends it, graded by what header observatories ask for: full marks, or a list."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path

from impactbench import urls as our_urls
from submissions.services import attachments
from tests.support.api_tokens import Program
from tests.support.editorial import make_verdict
from tests.support.header_grades import faults
from tests.support.portal import PASSWORD, make_person, make_submission

pytestmark = pytest.mark.django_db
HOST, TOKEN = "impactbench.example", "a-token-of-monitoring"
handler404 = our_urls.handler404


def _fails(_request: HttpRequest) -> HttpResponse:
    raise ValueError("a fault")


urlpatterns = [path("fails", _fails), *our_urls.urlpatterns]


@pytest.fixture
def site(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Client:
    """A client of the site under production's own settings of safety, over TLS, that sees faults as visitors do."""
    monkeypatch.setenv("SECRET_KEY", "k3Zr0tFq8hXyW2bNs7LmPv5cJd9GeTaU4iRoQ1lKxYwBnH6fVjM")
    monkeypatch.setenv("ALLOWED_HOSTS", HOST)
    production = importlib.import_module("impactbench.settings.production")
    for name in dir(production):
        if name.startswith(("SECURE_", "SESSION_COOKIE_", "CSRF_COOKIE_")) or name == "ALLOWED_HOSTS":
            setattr(settings, name, getattr(production, name))
    settings.ROOT_URLCONF = __name__
    settings.MONITORING_TOKEN = TOKEN
    settings.PRIVATE_FILES = tmp_path
    return Client(raise_request_exception=False, SERVER_NAME=HOST)


def _get(site: Client, address: str, **extra: Any) -> Any:
    answer: Any = site.get(address, secure=True, **extra)
    if answer.streaming:
        b"".join(answer.streaming_content)
        for closer in answer._resource_closers:
            closer()
    return answer


def test_what_everybody_sees_gets_full_marks(site: Client) -> None:
    make_verdict()
    label = "/labels/case-model"
    answers = {
        "front page": (_get(site, "/"), 200),
        "page": (_get(site, "/methodology/"), 200),
        "picture": (_get(site, f"{label}.svg"), 200),
        "table": (_get(site, f"{label}.csv"), 200),
        "API": (_get(site, "/api/v1/releases/"), 200),
        "API, not found": (_get(site, "/api/v1/releases/none/"), 404),
        "API, bad value": (_get(site, "/api/v1/metrics/?page_size=x"), 400),
        "static file": (_get(site, "/static/css/components.css"), 200),
        "not found": (_get(site, "/no/such/page/"), 404),
        "bad host": (_get(site, "/", headers={"Host": "evil.example"}), 400),
        "other method": (site.post("/methodology/", secure=True), 405),
        "to TLS": (site.get("/"), 301),
        "health": (_get(site, "/healthz"), 200),
    }
    framed = _get(site, f"{label}/embed/")

    assert _graded(answers, is_private=False) == {}
    assert (framed.status_code, faults(framed, is_private=False, may_be_framed=True)) == (200, [])
    shared = {kind: answer.headers["Cross-Origin-Resource-Policy"] for kind, (answer, _status) in answers.items()}
    assert {kind for kind, value in shared.items() if value == "cross-origin"} == {
        *("picture", "table", "API", "API, not found", "API, bad value"),
    }


def test_what_one_person_sees_gets_full_marks(site: Client) -> None:
    author = make_person("Ada Expert", "expert")
    submission = make_submission(author)
    upload = SimpleUploadedFile("notes.txt", b"Some notes.", "text/plain")
    file = attachments.attach(submission, upload, actor=author)
    page = f"/submissions/{submission.public_id}/"
    guarded = Client(enforce_csrf_checks=True, SERVER_NAME=HOST)

    answers = {
        "form to sign in": (_get(site, "/accounts/login/"), 200),
        "to the form": (_get(site, "/submissions/"), 302),
        "no token of the page": (guarded.post("/accounts/login/", {}, secure=True), 403),
        "signed in": (
            site.post("/accounts/login/", {"login": author.email, "password": PASSWORD}, secure=True), 302,
        ),
        "own page": (_get(site, "/accounts/profile/"), 200),
        "submission": (_get(site, page), 200),
        "download": (_get(site, f"{page}files/{file.pk}/"), 200),
        "own data": (_get(site, "/accounts/data/export/"), 200),
        "of another role": (_get(site, "/accounts/people/"), 404),
        "API with a token": (_get(site, "/api/v1/submissions/", headers=Program(author).headers), 200),
        "API without one": (_get(site, "/api/v1/submissions/"), 401),
        "fault": (_get(site, "/fails"), 500),
        "numbers": (_get(site, "/monitoring", headers={"Authorization": f"Bearer {TOKEN}"}), 200),
    }  # fmt: skip

    assert _graded(answers, is_private=True) == {}
    assert set(answers["signed in"][0].cookies) >= {"__Host-sessionid", "__Host-csrftoken"}


def test_trace_tells_nothing(site: Client) -> None:
    answer = site.trace("/", secure=True, headers={"Authorization": "Bearer of-somebody"})

    assert answer.status_code == 405
    assert b"of-somebody" not in answer.content


def test_grades_see_what_is_wrong(rf: RequestFactory) -> None:
    answer: Any = HttpResponse(
        "x", content_type="image/svg+xml", headers={"Server": "gunicorn 23.0.0", "Access-Control-Allow-Origin": "*"}
    )
    answer.headers["Content-Security-Policy"] = "default-src *; script-src 'self' 'unsafe-inline' data:"
    answer.set_cookie("sessionid", "x")
    answer.wsgi_request = rf.get("/", secure=True)

    assert faults(answer, is_private=True) == [
        *("X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy"),
        *("CSP: 'unsafe-inline'", "CSP: data:", "CSP: * in default-src", "CSP: default-src", "CSP: frame-ancestors"),
        *("HSTS", "CORP", "Cache-Control", "CORS", "Server", "Content-Type"),
        *(f"cookie sessionid: {what}" for what in ("__Host- prefix", "Secure", "HttpOnly", "SameSite")),
    ]


def _graded(answers: dict[str, tuple[Any, int]], *, is_private: bool) -> dict[str, list[str]]:
    """What is wrong with each kind of answer, its status first; what has full marks is left out."""
    found = {}
    for kind, (answer, status) in answers.items():
        found[kind] = faults(answer, is_private=is_private)
        if answer.status_code != status:
            found[kind].insert(0, f"status {answer.status_code}")
    return {kind: wrong for kind, wrong in found.items() if wrong}
