"""Replies of providers: for readers of a model's page, and for editors."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from evaluation.models import LanguageModel
from submissions.models import ProviderReply, ReplyVersion


@dataclass(frozen=True, slots=True)
class ShownReply:
    """A reply with its newest words and, where it was corrected, when it was posted first."""

    reply: ProviderReply
    newest: ReplyVersion
    n_versions: int

    @property
    def is_corrected(self) -> bool:
        return self.n_versions > 1


def replies_about(model: LanguageModel) -> list[ShownReply]:
    """All replies about a model, the newest words first; withdrawn ones too."""
    return sorted(
        shown(ProviderReply.objects.filter(model=model)),
        key=lambda one: (one.newest.said_on, one.reply.pk),
        reverse=True,
    )


def shown(replies: QuerySet[ProviderReply]) -> list[ShownReply]:
    """Each with its newest version, in two queries."""
    found = replies.select_related("model", "release").prefetch_related("versions")
    rows = [(reply, sorted(reply.versions.all(), key=lambda one: one.number)) for reply in found]
    return [ShownReply(reply, versions[-1], len(versions)) for reply, versions in rows if versions]
