"""Which conversations a row of the label shows: the worst, the typical and the best, by a rule and not by a person.

Worst: the failed conversation of the row's metric with the lowest pass rate for this model (ties: earliest first turn
of the behaviour, then public id). Best: the passed one of the metric with the highest. Typical: the conversation with
the commoner verdict of the metric whose rate is nearest the row's. Sensitive ones are gated, never skipped.

What that leaves open is decided so:

- Only conversations count that have a verdict in the release, of the people that the page shows (everyone, or one
  profile). Rates of metrics and of the row are taken over these and compared as exact fractions.
- Metrics that tie are taken together, and the tie is broken among their conversations. In one whose judges name no
  first turn, that turn comes last; public ids are compared letter by letter.
- Of a metric with as many passed as failed, the commoner verdict is the row's own; of a row that is split evenly too,
  the failed one.
- Lowest and highest need a conversation of that outcome: where none failed there is no worst, where none passed no
  best. One conversation may be picked twice.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Chat:
    """A conversation with a verdict that counts; `first_turn` is where its judges first saw the behaviour."""

    public_id: str
    metric: Hashable
    passed: bool
    first_turn: int | None = None


@dataclass(frozen=True)
class Chosen:
    """The three conversations; None where there is none of the kind."""

    worst: Chat | None = None
    typical: Chat | None = None
    best: Chat | None = None


def chosen_conversations_rule() -> tuple[str, ...]:
    """The rule as paragraphs for readers."""
    return (
        _(
            "Worst: the failed conversation of the row’s metric with the lowest pass rate for this model. Best: the "
            "passed one of the metric with the highest. Typical: the conversation with the commoner verdict of the "
            "metric whose rate is nearest the row’s."
        ),
        _(
            "Ties go to the conversation in which the behaviour first shows in the earliest turn, and then to the one "
            "whose public id comes first. Metrics with the same rate are taken together. A conversation whose judges "
            "name no turn comes after those where they do."
        ),
        _(
            "Only conversations with a verdict count, of the people that the page shows. If a metric has as many good "
            "outcomes as others, the commoner verdict is that of the whole row, and the failed one if the row is split "
            "evenly too. Where none failed there is no worst, and where none passed no best."
        ),
        _("Conversations about hard subjects stand behind a notice. They are never skipped."),
    )


def choose(chats: Iterable[Chat]) -> Chosen:
    """The three of a row: `chats` are all its conversations that count, in any order."""
    by_metric: dict[Hashable, list[Chat]] = {}
    for chat in chats:
        by_metric.setdefault(chat.metric, []).append(chat)
    if not by_metric:
        return Chosen()
    metrics = list(by_metric.values())
    row = _rate([chat for metric in metrics for chat in metric])
    return Chosen(
        worst=_first(chat for metric in _least(metrics, _rate) for chat in metric if not chat.passed),
        typical=_first(
            chat
            for metric in _least(metrics, lambda metric: abs(_rate(metric) - row))
            for chat in metric
            if chat.passed is _commoner(_rate(metric), row)
        ),
        best=_first(
            chat for metric in _least(metrics, lambda metric: -_rate(metric)) for chat in metric if chat.passed
        ),
    )


def _rate(chats: Sequence[Chat]) -> Fraction:
    return Fraction(sum(chat.passed for chat in chats), len(chats))


def _least(metrics: Sequence[list[Chat]], measure: Callable[[list[Chat]], Fraction]) -> list[list[Chat]]:
    """All metrics that share the least measure."""
    least = min(measure(metric) for metric in metrics)
    return [metric for metric in metrics if measure(metric) == least]


def _commoner(metric: Fraction, row: Fraction) -> bool:
    half = Fraction(1, 2)
    return metric > half or (metric == half and row > half)


def _first(chats: Iterable[Chat]) -> Chat | None:
    """The one with the earliest first turn, then by public id."""
    return min(chats, key=lambda chat: (chat.first_turn is None, chat.first_turn or 0, chat.public_id), default=None)
