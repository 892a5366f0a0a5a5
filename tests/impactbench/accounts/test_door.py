"""Deny by default: who is signed out is led to sign in, and loses not a word."""

import re

import pytest
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, path

from impactbench import urls as site
from tests.impactbench.accounts.people import make_person

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>\r\nsecond line & </textarea>"

received: list[dict[str, list[str]]] = []


def save(request: HttpRequest, public_id: str) -> HttpResponse:
    received.append({name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"})
    return HttpResponse("saved")


@login_not_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    return HttpResponse("shown")


handler404 = site.handler404
urlpatterns = [
    path("submissions/<str:public_id>/", save),
    path("review/<str:public_id>/", save),
    path("elsewhere/<str:public_id>/", save),
    path("open/<str:public_id>/", show),
    *site.urlpatterns,
]


@pytest.fixture
def _pages() -> object:
    received.clear()
    with override_settings(ROOT_URLCONF=__name__):
        yield


def _open_names(patterns: list[URLPattern | URLResolver]) -> list[str]:
    """Names of all views of accounts and of the site itself that need no account."""
    found = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace in (None, "accounts"):
                found += _open_names(pattern.url_patterns)
        elif not getattr(pattern.callback, "login_required", True):
            found.append(pattern.name or str(pattern.pattern))
    return found


def test_only_these_views_are_open_to_everybody() -> None:
    assert sorted(_open_names(get_resolver().url_patterns)) == sorted(
        [
            "healthz",
            "readyz",
            "monitoring",
            "^api/",
            "sign-in",
            "account_login",
            "account_logout",
            "account_inactive",
            "account_signup",
            "account_email_verification_sent",
            "account_reset_password",
            "account_reset_password_done",
            "account_reset_password_from_key",
            "account_reset_password_from_key_done",
            "account_confirm_login_code",
            "mfa_authenticate",
            "mfa_login_webauthn",
            "openid_connect_login",
            "openid_connect_callback",
            "socialaccount_login_cancelled",
            "socialaccount_signup",
        ]
    )


def test_private_page_leads_to_sign_in_and_back(client: Client) -> None:
    response = client.get("/accounts/data/?a=1&b=2")

    assert response["Location"] == "/accounts/login/?next=/accounts/data/%3Fa%3D1%26b%3D2"


def test_script_gets_401_and_no_page(client: Client) -> None:
    fragment = client.get("/accounts/data/", headers={"HX-Request": "true"})
    data = client.get("/accounts/data/", headers={"Accept": "application/json"})

    assert (fragment.status_code, data.status_code) == (401, 401)
    assert "You have been signed out" in fragment.content.decode()
    assert "<html" not in fragment.content.decode()
    assert "password" not in fragment.content.decode()
    assert data.json() == {"error": "signed-out", "message": "You have been signed out"}


def _fields(page: str) -> dict[str, list[str]]:
    """What a browser would send from the form of the page."""
    import html

    fields: dict[str, list[str]] = {}
    for name, text in re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL):
        fields.setdefault(html.unescape(name), []).append(html.unescape(text))
    return fields


@pytest.mark.parametrize("address", ["/submissions/x/?part=2", "/review/x/"])
@pytest.mark.usefixtures("_pages")
def test_old_token_gives_every_word_back(address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_person())
    sent = {"definition": HOSTILE, "message": ["one", "two\nlines", ""], "password": "secret 123456"}

    refused = client.post(address, {**sent, "csrfmiddlewaretoken": "a" * 64}, headers={"Origin": "http://testserver"})
    page = refused.content.decode()
    fields = _fields(page)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page).group(1)  # type: ignore[union-attr]
    again = client.post(address, {**fields, "csrfmiddlewaretoken": token}, headers={"Origin": "http://testserver"})

    assert refused.status_code == 403
    assert f'action="{address}"' in page
    assert "secret 123456" not in page
    assert "<script>alert" not in page
    assert again.content == b"saved"
    assert received == [{"definition": [HOSTILE], "message": ["one", "two\nlines", ""]}]


@pytest.mark.usefixtures("_pages")
def test_form_sent_while_signed_out_comes_back_with_its_words(client: Client) -> None:
    response = client.post("/submissions/x/", {"definition": HOSTILE})
    page = response.content.decode()

    assert response.status_code == 403
    assert _fields(page) == {"definition": [HOSTILE]}
    assert "You have been signed out" in page
    assert received == []


@pytest.mark.usefixtures("_pages")
def test_form_elsewhere_says_what_happened(client: Client) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_person())

    response = client.post("/elsewhere/x/", {"definition": "my words"})

    assert response.status_code == 403
    assert "This page was too old" in response.content.decode()
    assert "my words" not in response.content.decode()


@pytest.mark.usefixtures("_pages")
def test_form_of_another_site_is_not_offered_to_be_sent() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_person())

    response = client.post("/submissions/x/", {"definition": "evil"}, headers={"Origin": "https://evil.example"})

    assert response.status_code == 403
    assert "evil" not in response.content.decode()


@pytest.mark.usefixtures("_pages")
def test_marked_view_is_open(client: Client) -> None:
    assert client.get("/open/x/").content == b"shown"
