"""The API without TLS: it leads nobody on, for a program would go on sending its token in the open unnoticed."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from impactbench.accounts.models import AccessToken
from impactbench.accounts.tokens.services import revoke_token, token_of
from impactbench.common import mail
from impactbench.common.api.problems import API_ROOT, needs_tls

_LETTER = """The token that begins with {beginning} came to the API without TLS (http:// and not https://), so
that others on the way could read it. It is revoked and opens nothing any more.

Make another on the page Account, Tokens, and let your program use an address that begins with https://.
"""


def api_needs_tls(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Where pages are led to TLS, refuse the API without it, and revoke a token that came so."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_open = settings.SECURE_SSL_REDIRECT and not request.is_secure()
        if not is_open or not request.path_info.startswith(API_ROOT):
            return get_response(request)
        _, _, text = request.headers.get("Authorization", "").partition(" ")
        token = token_of(text.strip())
        if token is not None and token.is_alive:
            _revoke(token)
        return needs_tls(request)

    return middleware


@transaction.atomic
def _revoke(token: AccessToken) -> None:
    if revoke_token(token, by=None, why="sent without TLS"):
        mail.post(
            event="token-sent-openly",
            kind="account",
            to=token.owner,
            about=token,
            subject="Your token came without TLS and is revoked",
            text=_LETTER.format(beginning=token.beginning),
        )
