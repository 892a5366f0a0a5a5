"""When a session began and when it was last used, noted in the session itself; what is over is forgotten."""

import time
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

STARTED, SEEN = "session_started_at", "session_seen_at"


@receiver(user_logged_in)
def begin(request: HttpRequest, **_: Any) -> None:
    """Every way of signing in starts the clock."""
    request.session[STARTED] = request.session[SEEN] = int(time.time())


def forget_ended() -> int:
    """Delete sessions that lay idle too long, and the network address and browser of each; how many there were."""
    count, _ = Session.objects.filter(expire_date__lt=timezone.now()).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return count
