"""What makes conversations hard to read: the words editors choose from, and the notices that readers are shown."""

from django.utils.translation import gettext, gettext_noop

from evaluation.models import Benchmark, MetricVersion

# Kept as they stand here; anything else that is kept is a notice in somebody's own words.
VOCABULARY = (
    gettext_noop("self-harm and suicide"),
    gettext_noop("sexual content"),
    gettext_noop("violence"),
    gettext_noop("abuse"),
    gettext_noop("eating disorders"),
    gettext_noop("drugs"),
    gettext_noop("hate"),
    gettext_noop("grief"),
)


def notices_of(version: MetricVersion) -> list[str]:
    """What the conversations of a metric version are marked with, in the reader's language; [] for none.

    A version has its own notices and those of its whole benchmark. Conversations with any start closed.
    """
    return [_shown(notice) for notice in dict.fromkeys([*version.metric.benchmark.content_notices, *kept(version)])]


def kept(row: MetricVersion | Benchmark) -> list[str]:
    """The notices of the row alone, as they are kept."""
    return [str(notice) for notice in row.content_notices if str(notice).strip()]


def in_order(notices: list[str]) -> list[str]:
    """Each notice once: those of the vocabulary first, in its order, then those in own words."""
    given = dict.fromkeys(notices)
    return [*(one for one in VOCABULARY if one in given), *(one for one in given if one not in VOCABULARY)]


def _shown(notice: str) -> str:
    return gettext(notice) if notice in VOCABULARY else notice
