"""When a session began and when it was last used, noted in the session itself."""

import time
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

STARTED, SEEN = "session_started_at", "session_seen_at"


@receiver(user_logged_in)
def begin(request: HttpRequest, **_: Any) -> None:
    """Every way of signing in starts the clock."""
    request.session[STARTED] = request.session[SEEN] = int(time.time())
