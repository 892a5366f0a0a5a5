"""Which answers are kept."""

import time

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import RequestFactory

from impactbench.page_cache.kept import LARGEST, OLDEST_SECONDS, KeptPage, kept_page

GET = RequestFactory().get("/labels/luna/")


def _with_cookie() -> HttpResponse:
    response = HttpResponse("a form with a token")
    response.set_cookie("csrftoken", "x")
    return response


def test_answer_is_kept_with_its_bytes_and_all_headers() -> None:
    response = HttpResponse(b"x", headers={"ETag": '"1"', "Content-Security-Policy": "p", "Vary": "Cookie, HX-Request"})

    page = kept_page(GET, response)

    assert page is not None
    again = page.response()
    assert (again.content, dict(again.headers)) == (response.content, dict(response.headers))


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse("x", status=404),
        HttpResponse("x", status=304),
        HttpResponse("x", headers={"Cache-Control": "private"}),
        HttpResponse("x", headers={"Cache-Control": "No-Store"}),
        HttpResponse("x", headers={"Vary": "Accept-Encoding, Accept-Language"}),
        HttpResponse("x", headers={"Vary": "*"}),
        HttpResponse(b"x" * (LARGEST + 1)),
        StreamingHttpResponse(["x"]),
        _with_cookie(),
    ],
)
def test_answer_is_not_kept(response: HttpResponseBase) -> None:
    assert kept_page(GET, response) is None


@pytest.mark.parametrize("request_", [RequestFactory().head("/"), RequestFactory().post("/")])
def test_answer_to_another_method_is_not_kept(request_: HttpRequest) -> None:
    assert kept_page(request_, HttpResponse("x")) is None


def test_page_grows_old() -> None:
    assert KeptPage({}, b"").is_fresh
    assert not KeptPage({}, b"", made_at=time.time() - OLDEST_SECONDS).is_fresh
