"""Advice beside the fields: the linter, near metrics, markers without a source. It never stops anybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from submissions.advice.citations import unknown_markers
from submissions.advice.linter import USUAL_WORDS, Advice, advise, n_words, praise
from submissions.content import Content
from submissions.models import Submission
from submissions.selectors.neighbours import Neighbours, nearest_metrics

_KEPT = "advice_kept"
# Only what was written last matters; a session is no archive.
_MOST_KEPT = 50


@dataclass(frozen=True)
class Reading:
    """What the linter says: `first` stands in the margin of the behaviour, `others` beside their own fields."""

    items: tuple[Advice, ...]
    praise: tuple[str, ...]
    n_words: int
    usual: tuple[int, int]

    @property
    def shown(self) -> list[tuple[Advice, list[str]]]:
        """The advice with its text in paragraphs; two at a time, so that it is never a wall."""
        return [(item, item.text.split("\n\n")) for item in self.items[:2]]

    @property
    def n_more(self) -> int:
        return max(0, len(self.items) - 2)


def reading_of(content: Content, kept: list[str]) -> Reading:
    """The linter's advice on a content, without what its author decided against."""
    items = advise(
        content.definition,
        polarity=content.polarity,
        title=content.title,
        questions=content.questions,
        examples_present=content.examples_present,
        examples_absent=content.examples_absent,
        kept=kept,
    )
    low, high = USUAL_WORDS[0], USUAL_WORDS[-1]
    words = praise(content.definition, polarity=content.polarity)
    return Reading(items, words, n_words(content.definition), (low, high))


def neighbours_of(submission: Submission, content: Content) -> Neighbours:
    """The public metrics nearest to a content; the one that it improves is left out."""
    text = "\n".join(part for part in (content.title, content.construct, content.definition) if part.strip())
    own = [submission.improves.slug] if submission.improves is not None else []
    return nearest_metrics(text, limit=3, leave_out=own)


def marker_advice(content: Content) -> str:
    """A sentence on markers such as [3] that no source has; '' when all have one."""
    filled = [source for source in content.sources if not source.is_empty]
    unknown = unknown_markers("\n".join((content.relevance, content.construct, content.differs)), len(filled))
    if not unknown:
        return ""
    named = ", ".join(f"[{number}]" for number in unknown)
    n_sources = f"{len(filled)} source{'' if len(filled) == 1 else 's'}"
    return f"You cite {named}, but there {'is' if len(filled) == 1 else 'are'} {n_sources}."


def kept_advice(request: HttpRequest, submission: Submission) -> list[str]:
    """The keys of advice that this person decided against, for this draft."""
    kept: dict[str, list[str]] = request.session.get(_KEPT, {})
    return kept.get(submission.public_id, [])


def keep(request: HttpRequest, submission: Submission, key: str) -> None:
    """Remember that this advice is not wanted."""
    kept: dict[str, Any] = request.session.get(_KEPT, {})
    kept[submission.public_id] = [*kept.get(submission.public_id, []), key][-_MOST_KEPT:]
    request.session[_KEPT] = dict(list(kept.items())[-_MOST_KEPT:])
