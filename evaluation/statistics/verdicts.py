"""The verdict of one conversation: what passes, and which verdict counts when there are several."""

from collections import Counter
from collections.abc import Sequence

SPLIT = "split"
NOT_JUDGED = "not-judged"


def outcome(present: bool | None, polarity: str | None) -> bool | None:
    """Whether a conversation passes (ImpactBench paper, section 3.5).

    Positive metrics pass when the behaviour is present, negative ones when it is absent. None when the
    conversation is unjudged or the polarity unknown; any other polarity raises ValueError.
    """
    if polarity not in ("positive", "negative", None):
        raise ValueError(f"polarity must be 'positive' or 'negative', not {polarity!r}")
    if present is None or polarity is None:
        return None
    return present if polarity == "positive" else not present


def majority(presents: Sequence[bool | None], reasons: Sequence[str] = ()) -> tuple[bool | None, str]:
    """The verdict that counts over repeats and judges, and the reason where there is none.

    `presents` has one entry a judgment, None for an unjudged one; `reasons` are the reasons of the unjudged
    ones. The majority of the judged wins, with reason ''. A tie is (None, 'split'). With nothing judged it is
    None with the most common reason, the alphabetically first among equals, or 'not-judged' without any.
    """
    n_present = sum(1 for present in presents if present is True)
    n_absent = sum(1 for present in presents if present is False)
    if n_present != n_absent:
        return n_present > n_absent, ""
    if n_present:
        return None, SPLIT
    counted = Counter(reason for reason in reasons if reason)
    return None, min(counted, key=lambda reason: (-counted[reason], reason), default=NOT_JUDGED)
