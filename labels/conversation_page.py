"""Puts together what a conversation's page shows above and beside the turns: outcome, judgments, circumstances."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.engine.reasons import FLAGS
from evaluation.models import Conversation, Judgment, MetricVersion, Release, Verdict
from labels.conversation_turns import Quote, judge_name, quotes_of
from labels.reasons import why
from labels.transcripts import visible
from labels.wording import NOT_PUBLISHED, OUTCOMES


@dataclass(frozen=True)
class Reading:
    """One judgment in words."""

    judge: str
    present: bool | None
    justification: str
    turns: list[int]
    unverified: list[Quote]
    first_turn: int | None
    corrected: str
    why_unjudged: str

    @property
    def answer(self) -> str:
        """What the judge found, in a word."""
        return {True: _("yes"), False: _("no"), None: _("no verdict")}[self.present]


@dataclass(frozen=True)
class Outcome:
    """The result on top of the page."""

    passed: bool | None
    title: str
    why: str


def outcome(conversation: Conversation, verdict: Verdict | None, version: MetricVersion) -> Outcome:
    """The outcome in words; never a bare pass or fail, and a missing one says why."""
    if conversation.state == Conversation.State.EXTRA:
        title = _("Second sample, not judged")
        return Outcome(None, title, _("Its source has several chats here and one verdict, which belongs to the first."))
    if verdict is None or verdict.present is None:
        return Outcome(None, _("No verdict"), _why_none(verdict))
    if version.polarity is None:
        title = _("Behaviour present: yes") if verdict.present else _("Behaviour present: no")
        return Outcome(None, title, _("Whether that is good is not stated by the source, so there is no outcome."))
    there = _("The behaviour was there.") if verdict.present else _("The behaviour was not there.")
    good = _("The good result here is that the model does this.")
    if version.polarity == "negative":
        good = _("The good result here is that the model does not do this.")
    return Outcome(verdict.passed, str(OUTCOMES[verdict.passed]), f"{there} {good}")


def _why_none(verdict: Verdict | None) -> str:
    reason = why(verdict.reason) if verdict and verdict.reason else _("It was planned but never came to an end.")
    return _("%(reason)s It counts neither as good nor as not good.") % {"reason": reason}


def judgments_that_count(conversation: Conversation, release: Release | None) -> list[Judgment]:
    """The judgments behind the verdict of a release; none for a sample that stands outside every count."""
    if conversation.state == Conversation.State.EXTRA:
        return []
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
    quotes = quotes_of(judgment)
    corrected = {
        True: _("It says the model put it right in a later turn."),
        False: _("It says the model did not put it right later."),
        None: "",
    }
    return Reading(
        judge=judge_name(judgment),
        present=judgment.present,
        justification=judgment.justification,
        turns=sorted({quote.turn for quote in quotes if quote.is_verified and quote.turn in turn_numbers}),
        unverified=[quote for quote in quotes if not quote.is_verified],
        first_turn=judgment.first_turn if judgment.first_turn in turn_numbers else None,
        corrected=corrected[judgment.corrected_later] if judgment.present else "",
        why_unjudged=why(judgment.reason) if judgment.present is None else "",
    )


def majority(made: Sequence[Reading], verdict: Verdict | None) -> str:
    """Which verdict counts where there are several judgments: that of the majority."""
    if len(made) < 2 or verdict is None:
        return ""
    judged = [reading for reading in made if reading.present is not None]
    if verdict.present is None:
        return _("%(n)s judgments were made and none of the answers has a majority, so no verdict counts.") % {
            "n": len(made)
        }
    agree = sum(reading.present == verdict.present for reading in judged)
    words = {"agree": agree, "judged": len(judged), "unread": len(made) - len(judged)}
    said = _("The verdict that counts is that of the majority: %(agree)s of %(judged)s judgments gave it.") % words
    if words["unread"]:
        said += (
            " "
            + ngettext("%(unread)s more gave no verdict.", "%(unread)s more gave no verdict.", words["unread"]) % words
        )
    return said


def flags(conversation: Conversation) -> list[str]:
    """What is special about the conversation, in sentences."""
    return [_(FLAGS[flag]) if flag in FLAGS else flag for flag in conversation.flags if isinstance(flag, str)]


def circumstances(conversation: Conversation, release: Release | None, judges: Sequence[str]) -> list[tuple[str, str]]:
    """How the conversation came about: (name, words), 'not published' where a source does not tell."""
    run, target = conversation.run, conversation.target
    simulator = run.user_simulator
    at = conversation.finished_at
    parameters = ", ".join(f"{name} {value}" for name, value in sorted(target.parameters.items()))
    return [
        (_("Sample"), str(conversation.sample)),
        (_("Date"), date_format(at, "j F Y") if at else str(NOT_PUBLISHED)),
        (_("Model version"), visible(target.version) or str(NOT_PUBLISHED)),
        (_("Settings of the model"), visible(parameters) or str(NOT_PUBLISHED)),
        (_("Who played the user"), visible(simulator.name) if simulator else str(NOT_PUBLISHED)),
        (_("Judge"), ", ".join(judges) or str(NOT_PUBLISHED)),
        (_("Turns at most"), str(run.turns) if run.turns else str(NOT_PUBLISHED)),
        (_("Release"), release.title if release else ""),
        (_("Number of this chat"), conversation.public_id),
    ]
