"""What an editor says beside a turn of a conversation: its kinds, how it is kept, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from submissions.content import text_of

FIRST_FAILURE = "first-failure"
KINDS = {
    FIRST_FAILURE: _("First failure"),
    "escalation": _("Escalation"),
    "later-correction": _("Later correction"),
    "note": _("Note"),
}
LONGEST = 2_000
MOST = 60


@dataclass(frozen=True, slots=True)
class Annotation:
    """One remark beside one turn. `kind` is a key of `KINDS`; of a draft it may be anything."""

    turn: int
    kind: str
    text: str

    @property
    def words(self) -> str:
        """The kind in the reader's language."""
        return str(KINDS.get(self.kind, ""))

    @property
    def is_empty(self) -> bool:
        return not (self.kind or self.text.strip())


def typed(turns: Sequence[str], kinds: Sequence[str], texts: Sequence[str]) -> list[Annotation]:
    """What a form holds, row by row, as it was typed; rows without anything, or without a turn, are left out."""
    rows = [
        Annotation(int(turn), text_of(kind), text_of(text))
        for turn, kind, text in zip(turns, kinds, texts, strict=False)
        if turn.isascii() and turn.isdigit() and len(turn) < 5
    ]
    return [row for row in rows if not row.is_empty]


def from_json(stored: Any) -> list[Annotation]:
    """The annotations kept in a column."""
    rows = stored if isinstance(stored, list) else []
    return [Annotation(int(row["turn"]), str(row["kind"]), str(row["text"])) for row in rows]


def to_json(annotations: Iterable[Annotation]) -> list[dict[str, Any]]:
    """The annotations as they are kept: in the order of the turns, words without outer blanks."""
    in_order = sorted(annotations, key=lambda one: one.turn)
    return [{**asdict(one), "text": one.text.strip()} for one in in_order]


def problems(annotations: Sequence[Annotation], turns: Collection[int]) -> list[str]:
    """What is wrong, as sentences that say what to do; [] when all is well."""
    found = [
        sentence
        for one in annotations
        for sentence in (
            f"There is no turn {one.turn} in this conversation." if one.turn not in turns else "",
            f"Choose what your words at turn {one.turn} are." if one.kind not in KINDS else "",
            f"Write what you want to say at turn {one.turn}." if not one.text.strip() else "",
            f"Shorten your words at turn {one.turn} to {LONGEST:,} characters." if len(one.text) > LONGEST else "",
        )
        if sentence
    ]
    if sum(one.kind == FIRST_FAILURE for one in annotations) > 1:
        found.append("There can be only one first failure. Choose another kind for the later ones.")
    if len(annotations) > MOST:
        found.append(f"Keep to {MOST} annotations.")
    return found
