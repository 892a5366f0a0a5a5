"""What readers say about published metrics: taken from anybody, shown after an editor has read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Metric, MetricVersion
from evaluation.services.studies.statuses import refresh_statuses
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.tally import tally
from submissions.content import text_of
from submissions.models import Submission, Suggestion
from submissions.services.transitions import NotAllowed
from submissions.standing import Standing, standing_of

LONGEST = 5_000
LONGEST_NAME = 100
# Of one address in an hour, and of everybody about one metric in a day.
MOST_AN_HOUR = 5
MOST_A_DAY = 200
_HOUR, _DAY = 3600, 86400
_TOO_MANY = gettext_lazy(
    "We have had several comments from your network within an hour. Keep your text and send it later."
)
_FULL = gettext_lazy("This metric has had many comments today. Keep your text and send it tomorrow.")

State = Suggestion.State


class Unusable(DomainError):
    """A suggestion cannot be taken as it is; `field` is where to look."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@transaction.atomic
def suggest(metric: Metric, *, kind: str, text: str, signed_as: str, person: Any = None, address: str) -> Suggestion:
    """Keep a suggestion; nobody but editors sees it yet. `address` is the network address, of which nothing is kept.

    Raises Unusable, or DomainError when there were too many; then nothing is kept.
    """
    words, name = text_of(text).strip(), " ".join(text_of(signed_as).split())
    if kind not in Suggestion.Kind.values:
        raise Unusable("kind", _("Choose what you are writing."))
    if not words:
        raise Unusable("text", _("Write what you want to say."))
    if len(words) > LONGEST:
        raise Unusable(
            "text",
            _("Shorten it to %(most)s characters; it has %(n)s.") % {"most": f"{LONGEST:,}", "n": f"{len(words):,}"},
        )
    if len(name) > LONGEST_NAME:
        raise Unusable("signed_as", _("Shorten the name to %(most)s characters.") % {"most": LONGEST_NAME})
    _count(f"metric-{metric.pk}", MOST_A_DAY, _DAY, _FULL)
    _count(f"address-{_disguised(address)}", MOST_AN_HOUR, _HOUR, _TOO_MANY)
    known = person if person is not None and person.is_authenticated else None
    made = Suggestion.objects.create(metric=metric, kind=kind, text=words, signed_as=name, person=known)
    record(actor=known, action="suggestion-made", target=metric, details={"suggestion": made.pk})
    return made


@transaction.atomic
def decide(suggestion: Suggestion, *, state: str, reply: str, actor: Any) -> Suggestion:
    """Show or decline a suggestion, with a reply for everybody; a later decision stands for an earlier one.

    Raises NotAllowed, or DomainError for another state or a reply that is too long.
    """
    fresh = Suggestion.objects.select_for_update().get(pk=suggestion.pk)
    if not may_moderate(actor, fresh.metric):
        raise NotAllowed("Only editors who did not write the metric decide what is shown.")
    if state not in (State.SHOWN, State.DECLINED):
        raise DomainError("Choose whether to show it.")
    words = text_of(reply).strip()
    if len(words) > LONGEST:
        raise DomainError(f"Shorten the reply to {LONGEST:,} characters.")
    before, fresh.state, fresh.reply = fresh.state, state, words
    fresh.moderated_by, fresh.moderated_at = actor, timezone.now()
    fresh.save(update_fields=["state", "reply", "moderated_by", "moderated_at"])
    details = {"suggestion": fresh.pk, "from": before, "to": state, "has_reply": bool(words)}
    record(actor=actor, action="suggestion-decided", target=fresh.metric, details=details)
    if fresh.kind == Suggestion.Kind.DISPUTE:
        refresh_statuses(MetricVersion.objects.filter(metric=fresh.metric, is_published=True), actor=actor)
    return fresh


def open_disputes(metrics: Iterable[int]) -> dict[int, int]:
    """How many shown disputes nobody has replied to yet, by the keys of these metrics; a reply settles one."""
    waiting = Suggestion.objects.filter(metric__in=list(metrics), kind=Suggestion.Kind.DISPUTE, state=State.SHOWN)
    counted = waiting.filter(reply="").order_by().values("metric").annotate(n=Count("pk"))
    return dict(counted.values_list("metric", "n"))


def may_moderate(person: Any, metric: Metric) -> bool:
    """Whether this person decides what is shown about the metric: an editor who is neither author nor in conflict."""
    if not (person.is_authenticated and person.is_active and person.has_role("editor")):
        return False
    sources = Submission.objects.filter(revisions__approved_metrics__metric_version__metric=metric).distinct()
    return all(standing_of(person, one) not in (Standing.AUTHOR, Standing.CONFLICTED) for one in sources)


def _disguised(address: str) -> str:
    return salted_hmac("submissions.suggestions", address).hexdigest()


def _count(name: str, most: int, seconds: int, refusal: Any) -> None:
    if tally(f"suggestions:{name}", seconds) > most:
        raise DomainError(str(refusal))
