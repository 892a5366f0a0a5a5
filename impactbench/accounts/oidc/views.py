"""The way to the provider and the way back; whatever goes wrong there ends on a page that says so."""

from __future__ import annotations

from allauth.account.internal.decorators import login_not_required
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView, OAuth2View
from django.http import Http404, HttpRequest, HttpResponse
from requests import RequestException

from impactbench.accounts.oidc.adapter import CheckedAdapter


@login_not_required
def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Leave for the provider."""
    return _answer(OAuth2LoginView, request, provider_id)


@login_not_required
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Come back from it."""
    return _answer(OAuth2CallbackView, request, provider_id)


def _answer(view: type[OAuth2View], request: HttpRequest, provider_id: str) -> HttpResponse:
    adapter = CheckedAdapter(request, provider_id)
    try:
        response: HttpResponse = view.adapter_view(adapter)(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    except (OAuth2Error, RequestException) as error:
        return render_authentication_error(request, adapter.get_provider(), exception=error)
    return response
