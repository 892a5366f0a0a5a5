"""Which status a metric has by the evidence of published studies, and what is missing for more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluation.studies.forms import YES
from evaluation.studies.kinds import CONVERSATION

if TYPE_CHECKING:
    # Every process has this module, and few compute with tables.
    import pandas as pd

DISPUTES, CONTESTED = "disputes", "contested"
RATERS, CONVERSATIONS, RELEVANCE, EXAMPLES = "raters", "conversations", "relevance", "examples"
_NAMES = {
    DISPUTES: "Open disputes",
    CONTESTED: "Conversations that stay contested",
    RATERS: "Raters",
    CONVERSATIONS: "Rated conversations",
    RELEVANCE: "Mean relevance",
    EXAMPLES: "Share that finds the examples adequate",
}
MACHINE_JUDGED, EXPERT_REVIEWED, DISPUTED = "machine-judged", "expert-reviewed", "disputed"


@dataclass(frozen=True)
class StatusRules:
    """What a metric needs to be called expert-reviewed, and what makes it disputed (0: never)."""

    least_raters: int = 3
    least_conversations: int = 9
    least_relevance: float = 3.0
    least_adequate: float = 0.6
    disputes_to_be_disputed: int = 1
    contested_to_be_disputed: int = 1


@dataclass(frozen=True)
class Evidence:
    """What published expert reviews hold on one metric version. Raters are told apart by study and pseudonym.

    `relevance` and `examples` are the answers of the metric form. `n_disputes` are open disputes from the public,
    `n_contested` the conversations that adjudication left contested.
    """

    raters: frozenset[str] = frozenset()
    conversations: frozenset[str] = frozenset()
    relevance: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()
    n_disputes: int = 0
    n_contested: int = 0

    @property
    def mean_relevance(self) -> float | None:
        """The mean of all marks of relevance, None without one."""
        return sum(self.relevance) / len(self.relevance) if self.relevance else None

    @property
    def share_adequate(self) -> float | None:
        """The share of all answers that find the examples adequate; unsure ones count in the denominator."""
        return self.examples.count(YES) / len(self.examples) if self.examples else None

    def as_data(self) -> dict[str, object]:
        """The same as JSON can hold it; `evidence_from` reads it back."""
        return {
            name: sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
        }


@dataclass(frozen=True)
class Reason:
    """What was found beside what is needed, by a stable code, so that pages can say it in their own words.

    `found` is None where nobody has answered; shares and means are not rounded.
    """

    code: str
    found: float | None
    needed: float

    @property
    def words(self) -> str:
        """The same as a sentence."""
        found = "none" if self.found is None else f"{self.found:.3g}"
        if self.code in (DISPUTES, CONTESTED):
            return f"{_NAMES[self.code]}: {found}."
        return f"{_NAMES[self.code]}: {found}, needed {self.needed:g}."


@dataclass(frozen=True)
class Status:
    """A status with its grounds: what made it disputed, or what is missing for the next."""

    status: str
    grounds: tuple[Reason, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """The grounds as sentences."""
        return tuple(reason.words for reason in self.grounds)


def evidence_of(ratings: pd.DataFrame, items: pd.DataFrame, *, study: str) -> dict[str, Evidence]:
    """By metric, what the submitted ratings of one expert review hold (tables as for `analysis.analyse`)."""
    facts = ratings.merge(items[["item", "metric", "conversation"]], on="item", how="inner")
    return {str(metric): _evidence(rows, study) for metric, rows in facts.groupby("metric", sort=True)}


def evidence_from(data: Mapping[str, Any]) -> Evidence:
    """The evidence that `Evidence.as_data` wrote."""
    return Evidence(
        raters=frozenset(data["raters"]),
        conversations=frozenset(data["conversations"]),
        relevance=tuple(data["relevance"]),
        examples=tuple(data["examples"]),
        n_disputes=data["n_disputes"],
        n_contested=data["n_contested"],
    )


def merged(evidence: Iterable[Evidence]) -> Evidence:
    """The evidence of several studies on one metric; a conversation rated in two of them counts once."""
    listed = list(evidence)
    return Evidence(
        raters=frozenset().union(*(one.raters for one in listed)),
        conversations=frozenset().union(*(one.conversations for one in listed)),
        relevance=tuple(mark for one in listed for mark in one.relevance),
        examples=tuple(answer for one in listed for answer in one.examples),
        n_disputes=sum(one.n_disputes for one in listed),
        n_contested=sum(one.n_contested for one in listed),
    )


def status_of(evidence: Evidence, rules: StatusRules) -> Status:
    """Disputed before all else; expert-reviewed when nothing is missing; else machine-judged with what is missing."""
    unsettled = _unsettled(evidence, rules)
    if unsettled:
        return Status(DISPUTED, unsettled)
    missing = _missing(evidence, rules)
    return Status(MACHINE_JUDGED, missing) if missing else Status(EXPERT_REVIEWED)


def _evidence(rows: pd.DataFrame, study: str) -> Evidence:
    def answers(question: str) -> list[object]:
        return list(rows.loc[rows["question"] == question, "value"])

    rated = rows[rows["unit"] == CONVERSATION]
    return Evidence(
        raters=frozenset(f"{study}: {rater}" for rater in rated["rater"]),
        conversations=frozenset(map(str, rated["conversation"])),
        relevance=tuple(int(str(mark)) for mark in answers("relevance")),
        examples=tuple(map(str, answers("examples"))),
    )


def _unsettled(evidence: Evidence, rules: StatusRules) -> tuple[Reason, ...]:
    counted = (
        Reason(DISPUTES, evidence.n_disputes, rules.disputes_to_be_disputed),
        Reason(CONTESTED, evidence.n_contested, rules.contested_to_be_disputed),
    )
    return tuple(reason for reason in counted if reason.found and 0 < reason.needed <= reason.found)


def _missing(evidence: Evidence, rules: StatusRules) -> tuple[Reason, ...]:
    wanted = (
        Reason(RATERS, len(evidence.raters), rules.least_raters),
        Reason(CONVERSATIONS, len(evidence.conversations), rules.least_conversations),
        Reason(RELEVANCE, evidence.mean_relevance, rules.least_relevance),
        Reason(EXAMPLES, evidence.share_adequate, rules.least_adequate),
    )
    return tuple(reason for reason in wanted if reason.found is None or reason.found < reason.needed)
