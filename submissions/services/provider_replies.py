"""Posts, corrects and withdraws what providers say of the results of their models."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from evaluation.models import LanguageModel, Release
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.content import text_of
from submissions.models import ProviderReply, ReplyVersion
from submissions.services.transitions import NotAllowed

LONGEST_NAME = 200
LONGEST_ADDRESS = 500
LONGEST_TEXT = 10_000
LONGEST_REASON = 2_000


class Unusable(DomainError):
    """A reply cannot be kept as it is; `problems` are (field, sentence)."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__(" ".join(sentence for _, sentence in problems))
        self.problems = problems


class ChangedMeanwhile(DomainError):
    """Somebody else corrected or withdrew it since the page was opened; nothing was written."""


@dataclass(frozen=True, slots=True)
class ReplyText:
    """What an editor copies from the provider: who said it, when, where, and the words."""

    provider: str
    said_on: date | None
    source_url: str
    text: str


@transaction.atomic
def post(model: LanguageModel, release: Release | None, text: ReplyText, *, actor: Any) -> ProviderReply:
    """Show a reply on the page of the model, at once. Raises NotAllowed or Unusable."""
    _need_editor(actor)
    words = _checked(text)
    if release is not None and not release.targets.filter(pk=model.pk).exists():
        raise Unusable([("release", f"{model.name} is not part of {release.title}. Choose another release, or none.")])
    reply = ProviderReply.objects.create(model=model, release=release)
    ReplyVersion.objects.create(reply=reply, number=1, written_by=actor, **asdict(words))
    record(actor=actor, action="reply-posted", target=reply, details={"model": model.slug})
    return reply


@transaction.atomic
def correct(reply: ProviderReply, text: ReplyText, *, based_on: int, actor: Any) -> ReplyVersion:
    """The next version, shown at once; the same words again make none. Raises NotAllowed, Unusable, ChangedMeanwhile
    or DomainError for one that was withdrawn."""
    fresh, newest = _held(reply, actor)
    words = _checked(text)
    _refuse_changed(newest, based_on)
    if asdict(words) == {name: getattr(newest, name) for name in asdict(words)}:
        return newest
    version = ReplyVersion.objects.create(reply=fresh, number=newest.number + 1, written_by=actor, **asdict(words))
    record(actor=actor, action="reply-corrected", target=fresh, details={"version": version.number})
    return version


@transaction.atomic
def withdraw(reply: ProviderReply, *, reason: str, based_on: int, actor: Any) -> ProviderReply:
    """Take a reply away; readers see that it was there and why it went. Raises like `correct`."""
    fresh, newest = _held(reply, actor)
    words = text_of(reason).strip()
    if not words:
        raise DomainError("Say why it is withdrawn; readers of the model’s page see the reason.")
    if len(words) > LONGEST_REASON:
        raise DomainError(f"Shorten the reason to {LONGEST_REASON:,} characters.")
    _refuse_changed(newest, based_on)
    fresh.withdrawn_at, fresh.withdrawal_reason, fresh.withdrawn_by = timezone.now(), words, actor
    fresh.save(update_fields=["withdrawn_at", "withdrawal_reason", "withdrawn_by"])
    record(actor=actor, action="reply-withdrawn", target=fresh, details={"reason": words})
    return fresh


def newest_version(reply: ProviderReply) -> ReplyVersion:
    """What was posted or corrected last."""
    return reply.versions.order_by("-number")[0]


def _need_editor(actor: Any) -> None:
    if not (actor.is_active and actor.has_role("editor")):
        raise NotAllowed("Replies of providers are posted by editors.")


def _held(reply: ProviderReply, actor: Any) -> tuple[ProviderReply, ReplyVersion]:
    _need_editor(actor)
    fresh = ProviderReply.objects.select_for_update().get(pk=reply.pk)
    if fresh.withdrawn_at is not None:
        raise DomainError("It was withdrawn. Post it anew if the provider stands by it.")
    return fresh, newest_version(fresh)


def _refuse_changed(newest: ReplyVersion, based_on: int) -> None:
    if newest.number != based_on:
        raise ChangedMeanwhile(f"Version {newest.number} was saved meanwhile. Read it below, then save yours over it.")


def _checked(text: ReplyText) -> ReplyText:
    """The reply as it is kept. Raises Unusable."""
    words = ReplyText(
        " ".join(text_of(text.provider).split()),
        text.said_on,
        text_of(text.source_url).strip(),
        text_of(text.text).strip(),
    )
    found = list(_problems(words))
    if found:
        raise Unusable(found)
    return words


def _problems(words: ReplyText) -> Iterator[tuple[str, str]]:
    if not words.provider:
        yield "provider", "Write who said it."
    if len(words.provider) > LONGEST_NAME:
        yield "provider", f"Shorten the name to {LONGEST_NAME} characters."
    if words.said_on is None:
        yield "said_on", "Give the date on which they said it."
    elif words.said_on > timezone.now().date():
        yield "said_on", "That day is still to come. Give the date on which they said it."
    if not _is_public_https(words.source_url):
        yield "source_url", "Give the address where they said it. It begins with https:// and names a public site."
    if len(words.source_url) > LONGEST_ADDRESS:
        yield "source_url", f"Shorten the address to {LONGEST_ADDRESS} characters."
    if not words.text:
        yield "text", "Copy what they said."
    if len(words.text) > LONGEST_TEXT:
        yield "text", f"Shorten it to {LONGEST_TEXT:,} characters; it has {len(words.text):,}."


def _is_public_https(address: str) -> bool:
    """Whether it is an https address with a host name, without a name or password before it and nothing hidden."""
    if not address.isprintable() or " " in address or "\\" in address:
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme == "https" and "." in host.strip(".") and "@" not in parts.netloc and not _is_number(host)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
