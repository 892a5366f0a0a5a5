"""What may be answered with a kept page, and what tells two kept pages apart."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpRequest
from django.test import RequestFactory

from impactbench.page_cache.keys import PARAMETERS, page_key

ASK = RequestFactory()
PLAIN = "http://testserver /labels/luna/   "


def _with_cookie(name: str) -> HttpRequest:
    request = ASK.get("/labels/luna/")
    request.COOKIES[name] = "x"
    return request


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (ASK.get("/labels/luna/"), PLAIN),
        (ASK.head("/labels/luna/"), PLAIN),
        (ASK.get("/labels/luna/?profile=teen"), "http://testserver /labels/luna/?profile=teen   "),
        (ASK.get("/labels/luna/", secure=True), "https://testserver /labels/luna/   "),
        (ASK.get("/labels/luna/", headers={"Host": "localhost"}), "http://localhost /labels/luna/   "),
        (ASK.get("/labels/luna/", headers={"Accept-Encoding": "br, gzip"}), "http://testserver /labels/luna/ gzip  "),
        (ASK.get("/labels/luna/", headers={"HX-Request": "true"}), "http://testserver /labels/luna/  part "),
        (
            ASK.get("/labels/luna/", headers={"HX-History-Restore-Request": "true"}),
            "http://testserver /labels/luna/   restored",
        ),
        (ASK.get("/api/v1/x/?any=1", headers={"Accept": "application/*"}), "http://testserver /api/v1/x/?any=1   "),
        # Headers that nothing on a page may depend on.
        (ASK.get("/labels/luna/", headers={"X-Forwarded-Host": "evil.example", "Accept-Language": "de"}), PLAIN),
        (_with_cookie("of-somebody-else"), PLAIN),
    ],
)
def test_page_is_known_by_all_that_it_depends_on(request_: HttpRequest, key: str) -> None:
    assert page_key(request_) == key


@pytest.mark.parametrize(
    "request_",
    [
        ASK.post("/labels/luna/"),
        ASK.get("/labels/luna/", headers={"Host": "evil.example"}),
        ASK.get("/labels/luna/", headers={"Authorization": "Bearer x"}),
        ASK.get("/labels/luna/?utm_source=x"),
        ASK.get("/search/?q=anything"),
        ASK.get("/api/v1/releases/", headers={"Accept": "text/html"}),
        ASK.get(f"/labels/luna/?release={'x' * 500}"),
        _with_cookie(settings.SESSION_COOKIE_NAME),
        _with_cookie("messages"),
    ],
)
def test_the_whole_site_answers(request_: HttpRequest) -> None:
    assert page_key(request_) is None


def test_every_parameter_that_a_page_reads_is_known() -> None:
    sources = [path for path in Path(settings.BASE_DIR / "labels").rglob("*.py") if "api" not in path.parts]
    read = {name for path in sources for name in re.findall(r'GET\.get(?:list)?\("(\w+)"', path.read_text())}

    assert len(read) > 10
    # A search text, another site's address and the checksum of a file have no end of values.
    assert read - PARAMETERS == {"format", "q", "sha256", "url"}
