"""Letters are kept for as long as somebody may ask about them; after that nothing remains but that there was one."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils import timezone

from impactbench.common.models import OutgoingMail

_OPEN = (OutgoingMail.State.WAITING, OutgoingMail.State.HELD)


def forget_old_letters() -> int:
    """Empty the letters older than LETTER_DAYS, with addresses that belong to no account; how many there were.

    The rows stay, so that nothing that was told once is told again. With 0 days, letters stay for good.
    """
    if not settings.LETTER_DAYS:
        return 0
    limit = timezone.now() - timedelta(days=settings.LETTER_DAYS)
    old = (
        OutgoingMail.objects.annotate(ended=Coalesce("sent_at", "created_at"))
        .filter(ended__lte=limit)
        .exclude(state__in=_OPEN)
        .exclude(text="")
    )
    nobody = Concat(Value("forgotten-"), Cast("pk", CharField()), Value("@erased.invalid"))
    old.filter(recipient=None).update(address=nobody)
    return old.update(subject="", text="")
