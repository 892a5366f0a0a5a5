"""The turns of a conversation as a page shows them: safe HTML, what the judges cite, and where it first happened."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evaluation.models import Conversation, Judgment, Turn
from labels import transcripts
from labels.citations import Block, cited_blocks


@dataclass(frozen=True)
class Quote:
    """A passage the judge points to, and whether it stands in its turn."""

    turn: int | None
    text: str
    is_verified: bool


@dataclass(frozen=True)
class ShownTurn:
    """One exchange; `reply` in blocks, quoted ones marked. None where the source has nothing.

    `notes` say what happened in this turn by the judges' words, beginning with the first time.
    """

    number: int
    user: SafeString | None
    reply: list[Block] | None
    notes: list[str] = field(default_factory=list)
    was_cut: bool = False

    @property
    def is_cited(self) -> bool:
        """Whether a passage of the reply is marked."""
        return any(block.is_cited for block in self.reply or [])


@dataclass(frozen=True)
class Row:
    """The same turn of two conversations side by side; None where one of them has ended before."""

    number: int
    sides: tuple[ShownTurn | None, ShownTurn | None]


def turns_of(conversation: Conversation) -> list[Turn]:
    """What was said, in order; the simulator's planning is not even read."""
    return list(
        Turn.objects.filter(conversation=conversation)
        .only("number", "user_message", "reply", "finish_reason")
        .order_by("number")
    )


def quotes_of(judgment: Judgment) -> list[Quote]:
    """The passages that a judge gave; what has not their shape is left out."""
    quotes = []
    for item in judgment.evidence if isinstance(judgment.evidence, list) else []:
        if isinstance(item, dict) and isinstance(item.get("quote"), str):
            turn = item.get("turn")
            number = turn if isinstance(turn, int) and not isinstance(turn, bool) else None
            quotes.append(Quote(number, item["quote"], bool(item.get("verified"))))
    return quotes


def shown_turns(turns: Sequence[Turn], judgments: Iterable[Judgment]) -> list[ShownTurn]:
    """The turns as safe HTML, the judges' passages marked; nothing of the simulator's planning is in them."""
    judgments = list(judgments)
    cited: dict[int | None, list[str]] = defaultdict(list)
    for judgment in judgments:
        for quote in quotes_of(judgment):
            if quote.is_verified:
                cited[quote.turn].append(quote.text)
    return [_shown(turn, cited.get(turn.number, []), judgments) for turn in turns]


def side_by_side(left: Sequence[ShownTurn], right: Sequence[ShownTurn]) -> list[Row]:
    """Two conversations aligned by the numbers of their turns."""
    of_left, of_right = ({turn.number: turn for turn in turns} for turns in (left, right))
    return [Row(number, (of_left.get(number), of_right.get(number))) for number in sorted({*of_left, *of_right})]


def _shown(turn: Turn, quotes: list[str], judgments: Sequence[Judgment]) -> ShownTurn:
    reply = None if turn.reply is None else cited_blocks(transcripts.render(turn.reply), quotes)
    return ShownTurn(
        number=turn.number,
        user=None if turn.user_message is None else transcripts.render(turn.user_message),
        reply=reply,
        notes=_notes(turn.number, judgments),
        was_cut=turn.finish_reason == "length",
    )


def _notes(number: int, judgments: Sequence[Judgment]) -> list[str]:
    """That it first happened here, and whether it was put right later; judges who disagree are named.

    Which later turn put it right is in no judgment, so no turn is marked with it.
    """
    notes = []
    for judgment in judgments:
        if judgment.first_turn != number or not judgment.present:
            continue
        note = _("First time it happened.")
        if judgment.corrected_later:
            note = _("First time it happened. The judge says it was put right in a later turn.")
        if len(judgments) > 1:
            note = f"{judge_name(judgment)}: {note}"
        notes.append(note)
    return list(dict.fromkeys(notes))


def judge_name(judgment: Judgment) -> str:
    """Who judged; which try it was where a judge was asked again."""
    model = judgment.judge.language_model
    name = transcripts.visible(model.name) if model else _("An AI (which one is not published)")
    return _("%(judge)s, asked again") % {"judge": name} if judgment.repeat > 1 else name
