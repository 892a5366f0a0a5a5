"""Writes, publishes and retires case studies: every save is a version, and another editor publishes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from evaluation.models import Metric, Release, Verdict
from evaluation.selectors.conversation_evidence import words_of
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions import turn_notes
from submissions.content import text_of
from submissions.models import CaseStudy, CaseVersion
from submissions.selectors.handled_metrics import may_handle
from submissions.services.transitions import NotAllowed
from submissions.turn_notes import Annotation

LONGEST_TITLE = 200
LONGEST_SUMMARY = 3_000
LONGEST_REASON = 2_000
# Words of addresses below /review/cases/.
_TAKEN = {"new"}


class Unusable(DomainError):
    """A case study cannot be saved as it is; `problems` are sentences that say what to do."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = list(problems)


class ChangedMeanwhile(DomainError):
    """Somebody else saved or published a version since the page was opened; nothing was written."""


@dataclass(frozen=True, slots=True)
class CaseText:
    """What an editor writes."""

    title: str = ""
    summary: str = ""
    annotations: Sequence[Annotation] = field(default=())


@transaction.atomic
def begin(verdict: Verdict, text: CaseText, *, actor: Any) -> CaseStudy:
    """The first version of a case study of a judged conversation. Raises NotAllowed or Unusable."""
    metric = verdict.conversation.scenario.base.metric_version.metric
    _need(actor, metric)
    if verdict.present is None or verdict.release.status != Release.Status.PUBLISHED:
        raise Unusable(["Choose a conversation that has a verdict in a published release."])
    turns = {turn.number for turn in words_of(verdict.conversation)}
    if not turns:
        raise Unusable(["The words of this conversation were not published. Choose another one."])
    _check(text, turns)
    # One at a time, so that two of one title do not choose the same address.
    Release.objects.select_for_update(no_key=True).only("pk").get(pk=verdict.release_id)
    case = CaseStudy.objects.create(
        slug=_free_slug(text.title), conversation=verdict.conversation, release=verdict.release
    )
    _write(case, 1, text, actor)
    record(actor=actor, action="case-begun", target=case, details={"conversation": verdict.conversation.public_id})
    return case


@transaction.atomic
def save(case: CaseStudy, text: CaseText, *, based_on: int, actor: Any) -> CaseVersion:
    """The next version; the same words again make none. `based_on` is the number of the version that was edited.

    Raises NotAllowed, Unusable or ChangedMeanwhile.
    """
    fresh = _held(case, actor)
    newest = newest_version(fresh)
    _check(text, {turn.number for turn in words_of(fresh.conversation)})
    if newest.number != based_on:
        raise ChangedMeanwhile(
            f"Version {newest.number} was saved meanwhile. Read it, then save yours over it or take your words along."
        )
    kept = CaseText(newest.title, newest.summary, turn_notes.from_json(newest.annotations))
    if _stored(text) == _stored(kept):
        return newest
    version = _write(fresh, newest.number + 1, text, actor)
    record(actor=actor, action="case-saved", target=fresh, details={"version": version.number})
    return version


@transaction.atomic
def publish(case: CaseStudy, *, number: int, actor: Any) -> CaseVersion:
    """Show the newest version to everybody, by another editor than the one who wrote it; a retired case comes back.

    `number` is the version that the editor read. Raises NotAllowed, Unusable or ChangedMeanwhile.
    """
    fresh = _held(case, actor)
    newest = newest_version(fresh)
    if newest.number != number:
        raise ChangedMeanwhile(f"Version {newest.number} was saved meanwhile. Read it before you publish.")
    if newest.written_by_id == actor.pk:
        raise NotAllowed("You wrote this version; another editor publishes it.")
    _check_complete(newest, fresh)
    if newest.published_at is None:
        newest.published_by, newest.published_at = actor, timezone.now()
        newest.save(update_fields=["published_by", "published_at"])
    fresh.retired_at, fresh.retirement_reason, fresh.retired_by = None, "", None
    fresh.save(update_fields=["retired_at", "retirement_reason", "retired_by"])
    record(actor=actor, action="case-published", target=fresh, details={"version": newest.number})
    return newest


@transaction.atomic
def retire(case: CaseStudy, *, reason: str, actor: Any) -> CaseStudy:
    """Take a published case study away; its address stays, with the reason. Raises NotAllowed or DomainError."""
    fresh = _held(case, actor)
    words = text_of(reason).strip()
    if not words:
        raise DomainError("Say why it is retired; readers of its address see the reason.")
    if len(words) > LONGEST_REASON:
        raise DomainError(f"Shorten the reason to {LONGEST_REASON:,} characters.")
    if fresh.retired_at is not None or published_version(fresh) is None:
        raise DomainError("Only a case study that is shown can be retired.")
    fresh.retired_at, fresh.retirement_reason, fresh.retired_by = timezone.now(), words, actor
    fresh.save(update_fields=["retired_at", "retirement_reason", "retired_by"])
    record(actor=actor, action="case-retired", target=fresh, details={"reason": words})
    return fresh


def newest_version(case: CaseStudy) -> CaseVersion:
    """What was saved last."""
    return case.versions.order_by("-number")[0]


def published_version(case: CaseStudy) -> CaseVersion | None:
    """What readers see, unless the case is retired."""
    return case.versions.filter(published_at__isnull=False).order_by("-number").first()


def _need(actor: Any, metric: Metric) -> None:
    if not may_handle(actor, metric):
        raise NotAllowed("Case studies are written by editors who did not write the metric.")


def _held(case: CaseStudy, actor: Any) -> CaseStudy:
    fresh = CaseStudy.objects.select_for_update().get(pk=case.pk)
    _need(actor, fresh.conversation.scenario.base.metric_version.metric)
    return fresh


def _check(text: CaseText, turns: set[int]) -> None:
    """Raises Unusable."""
    found = []
    if not text.title.strip():
        found.append("Give it a title.")
    if len(text.title.strip()) > LONGEST_TITLE:
        found.append(f"Shorten the title to {LONGEST_TITLE} characters.")
    if len(text.summary) > LONGEST_SUMMARY:
        found.append(f"Shorten the summary to {LONGEST_SUMMARY:,} characters.")
    found += turn_notes.problems(text.annotations, turns)
    if found:
        raise Unusable(found)


def _check_complete(version: CaseVersion, case: CaseStudy) -> None:
    missing = [
        sentence
        for sentence, is_missing in (
            ("Write a summary before it is published.", not version.summary.strip()),
            ("Annotate at least one turn before it is published.", not version.annotations),
            ("Its release was retracted; choose a conversation of another one.",
             case.release.status != Release.Status.PUBLISHED),
        )
        if is_missing
    ]  # fmt: skip
    if missing:
        raise Unusable(missing)


def _stored(text: CaseText) -> dict[str, Any]:
    return {
        "title": " ".join(text_of(text.title).split()),
        "summary": text_of(text.summary).strip(),
        "annotations": turn_notes.to_json(text.annotations),
    }


def _write(case: CaseStudy, number: int, text: CaseText, actor: Any) -> CaseVersion:
    return CaseVersion.objects.create(case=case, number=number, written_by=actor, **_stored(text))


def _free_slug(title: str) -> str:
    """An address after the title, which stays when the title changes."""
    stem = slugify(title)[:80].strip("-") or "case"
    slug, number = stem, 1
    while slug in _TAKEN or CaseStudy.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{stem}-{number}"
    return slug
