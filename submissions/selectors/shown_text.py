"""A version of a submission as reviewers and editors read it, with what helps to judge it beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from submissions.composition import rubrics
from submissions.content import Content
from submissions.models import ApprovedMetric, Attachment, Revision
from submissions.selectors.areas import area_names
from submissions.selectors.neighbours import Neighbour, nearest_metrics
from submissions.standing import Standing

NEAREST = 3
AGREES, DIFFERS, NOT_JUDGED = "agrees", "differs", "not judged"


@dataclass(frozen=True, slots=True)
class ShownExample:
    """An example of the author and what the judge of the trial said; `outcome` is '' where none was made."""

    is_present: bool
    text: str
    outcome: str
    judge_said: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """An attachment; its name is neutral for everybody who must not know the author."""

    pk: int
    name: str
    size: int
    warning: str


@dataclass(frozen=True, slots=True)
class ShownText:
    """Everything on the left side of a review."""

    number: int
    content: Content
    areas: list[str]
    rubrics: list[str]
    examples: list[ShownExample]
    trial: Mapping[str, Any] | None
    nearest: tuple[Neighbour, ...]
    files: list[ShownFile]


def shown_text(revision: Revision, standing: Standing) -> ShownText:
    """The version for somebody of this standing; nothing in it says who wrote it, but the text itself."""
    content = revision.text
    words = "\n".join((content.title, content.construct, content.definition))
    near = nearest_metrics(words, limit=NEAREST, leave_out=_own_metrics(revision))
    return ShownText(
        number=revision.number,
        content=content,
        areas=area_names(content.subareas),
        rubrics=rubrics(content),
        examples=[
            *_examples(content.examples_present, True, revision),
            *_examples(content.examples_absent, False, revision),
        ],
        trial=revision.trial,
        nearest=near.items,
        files=_files(revision, standing),
    )


def _own_metrics(revision: Revision) -> set[str]:
    """What it improves, and what it has become itself: neither is a neighbour."""
    improves = revision.submission.improves
    became = ApprovedMetric.objects.filter(revision__submission=revision.submission)
    slugs = set(became.values_list("metric_version__metric__slug", flat=True))
    return slugs | ({improves.slug} if improves is not None else set())


def file_name(attachment: Attachment, number: int, standing: Standing) -> str:
    """How a file is called for a reader: by its own name where the author may be known, else by its number."""
    if standing in (Standing.AUTHOR, Standing.EDITOR):
        return attachment.name
    ending = attachment.name.rpartition(".")[2].lower()
    is_plain = ending != attachment.name.lower() and ending.isascii() and ending.isalnum() and len(ending) <= 5
    return f"Attachment {number}.{ending}" if is_plain else f"Attachment {number}"


def files_of(revision: Revision) -> list[Attachment]:
    """The files that belonged to the version when it was sent, in the order they were added."""
    added = Attachment.objects.filter(submission=revision.submission, added_at__lte=revision.sent_at)
    return [item for item in added if item.removed_at is None or item.removed_at > revision.sent_at]


def _files(revision: Revision, standing: Standing) -> list[ShownFile]:
    by_name = standing is not Standing.REVIEWER
    return [
        # A warning speaks of the author: it would say where to look.
        ShownFile(item.pk, file_name(item, number, standing), item.size, item.warning if by_name else "")
        for number, item in enumerate(files_of(revision), start=1)
    ]


def _examples(texts: Iterable[str], is_present: bool, revision: Revision) -> list[ShownExample]:
    kind = "present" if is_present else "absent"
    rows = [row for row in (revision.trial or {}).get("rows", ()) if row.get("kind") == kind]
    return [_example(text, is_present, [row for row in rows if row.get("text") == text]) for text in texts]


def _example(text: str, is_present: bool, rows: list[Mapping[str, Any]]) -> ShownExample:
    """Several questions make several judgments: one that differs counts before one that is missing."""
    said = [row.get("present") for row in rows]
    if not said:
        return ShownExample(is_present, text, "", "")
    if (not is_present) in said:
        return ShownExample(is_present, text, DIFFERS, "absent" if is_present else "present")
    return ShownExample(is_present, text, NOT_JUDGED if None in said else AGREES, "")
