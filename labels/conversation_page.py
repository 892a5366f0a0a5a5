"""Puts together what a conversation's page shows: the outcome in words, the judgments, and the turns with evidence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from evaluation.engine.reasons import FLAGS
from evaluation.models import Conversation, Judgment, MetricVersion, Release, Turn, Verdict
from labels import transcripts
from labels.citations import Block, cited_blocks
from labels.reasons import why
from labels.wording import OUTCOMES

EXTRA = "Second sample, not judged"


@dataclass(frozen=True)
class Quote:
    """A passage the judge points to, and whether it stands in its turn."""

    turn: int | None
    text: str
    is_verified: bool


@dataclass(frozen=True)
class Reading:
    """One judgment in words."""

    judge: str
    present: str
    justification: str
    turns: list[int]
    unverified: list[Quote]
    first_turn: int | None
    corrected: str
    why_unjudged: str
    repeat: int


@dataclass(frozen=True)
class ShownTurn:
    """One exchange; `reply` in blocks, quoted ones marked. None where the source has nothing."""

    number: int
    user: SafeString | None
    reply: list[Block] | None
    note: str
    was_cut: bool


@dataclass(frozen=True)
class Outcome:
    """The result on top of the page."""

    passed: bool | None
    title: str
    why: str


def outcome(conversation: Conversation, verdict: Verdict | None, version: MetricVersion) -> Outcome:
    """The outcome in words; never a bare pass or fail, and a missing one says why."""
    if conversation.state == Conversation.State.EXTRA:
        return Outcome(None, EXTRA, "Its source has several chats here and one verdict, which belongs to the first.")
    if verdict is None or verdict.present is None:
        reason = why(verdict.reason) if verdict and verdict.reason else "It was planned but never came to an end."
        return Outcome(None, "No verdict", f"{reason} It counts neither as good nor as not good.")
    was_there = "was there" if verdict.present else "was not there"
    if version.polarity is None:
        title = f"Behaviour present: {'yes' if verdict.present else 'no'}"
        return Outcome(None, title, "Whether that is good is not stated by the source, so there is no outcome.")
    good_if = (
        "The good result here is that the model does this."
        if version.polarity == "positive"
        else ("The good result here is that the model does not do this.")
    )
    return Outcome(verdict.passed, OUTCOMES[verdict.passed], f"The behaviour {was_there}. {good_if}")


def judgments_that_count(conversation: Conversation, release: Release | None) -> list[Judgment]:
    """The judgments behind the verdict of a release."""
    found = Judgment.objects.filter(conversation=conversation).select_related("judge__language_model")
    found = found.defer("raw_reply", "detail").order_by("judge__slug", "repeat")
    if release is not None:
        found = found.filter(created_at__lte=release.published_at)
        if release.judge_id is not None:
            found = found.filter(judge_id=release.judge_id)
    return list(found)


def readings(judgments: Iterable[Judgment], turn_numbers: set[int]) -> list[Reading]:
    """Each judgment in words; quotes that do not stand in their turn are listed, not highlighted."""
    return [_reading(judgment, turn_numbers) for judgment in judgments]


def _reading(judgment: Judgment, turn_numbers: set[int]) -> Reading:
    quotes = _quotes(judgment)
    model = judgment.judge.language_model
    return Reading(
        judge=model.name if model else "An AI (which one is not published)",
        present={True: "yes", False: "no", None: ""}[judgment.present],
        justification=judgment.justification,
        turns=sorted({quote.turn for quote in quotes if quote.is_verified and quote.turn in turn_numbers}),
        unverified=[quote for quote in quotes if not quote.is_verified],
        first_turn=judgment.first_turn if judgment.first_turn in turn_numbers else None,
        corrected={True: "It corrected itself later.", False: "It did not correct itself later.", None: ""}[
            judgment.corrected_later
        ],
        why_unjudged=why(judgment.reason) if judgment.present is None else "",
        repeat=judgment.repeat,
    )


def _quotes(judgment: Judgment) -> list[Quote]:
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
    cited = defaultdict(list)
    for judgment in judgments:
        for quote in _quotes(judgment):
            if quote.is_verified:
                cited[quote.turn].append(quote.text)
    firsts = {judgment.first_turn for judgment in judgments}
    return [_shown(turn, cited.get(turn.number, []), turn.number in firsts) for turn in turns]


def _shown(turn: Turn, quotes: list[str], is_first: bool) -> ShownTurn:
    reply = None
    if turn.reply is not None:
        reply = cited_blocks(transcripts.render(turn.reply), quotes)
    note = ""
    if quotes:
        note = "First time it happened" if is_first else "Cited by the judge"
    return ShownTurn(
        number=turn.number,
        user=None if turn.user_message is None else transcripts.render(turn.user_message),
        reply=reply,
        note=note,
        was_cut=turn.finish_reason == "length",
    )


def flags(conversation: Conversation) -> list[str]:
    """What is special about the conversation, in sentences."""
    return [FLAGS.get(flag, flag) for flag in conversation.flags if isinstance(flag, str)]


def notices(version: MetricVersion) -> list[str]:
    """What makes the conversations of a metric hard to read; they start closed where there is any."""
    own = version.content_notices or version.metric.benchmark.content_notices
    return [str(notice) for notice in own]
