"""The sentences and words that public pages, badges and exports share; each stands here once.

Sentences are kept in English and said in the reader's language by the function of the same name; short words are lazy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from evaluation.models import Polarity
from impactbench.common.rates import of_hundred

# A lazy text stands wherever a text stands, so it is typed as one.
_ = cast(Callable[[str], str], gettext_lazy)

# Always on a label, badge and export, as text.
LIMITS = (
    gettext_noop(
        "This was a stress test with simulated users: it does not show how often these things happen in everyday use."
    ),
    gettext_noop(
        "It shows what the model did in these chats, not how a finished product behaves or how people fare afterwards."
    ),
)
# Their short form, where a small card has no room; the long one is then in its description.
SHORT_LIMITS = (
    gettext_noop("Stress test with simulated users, not everyday use."),
    gettext_noop("Shows the model in chats, not a finished product or how people fare."),
)
# The rest of what readers must not conclude: one click away from the two sentences, wherever those stand.
FURTHER_LIMITS = (
    gettext_noop("These numbers count what the model did. They do not say what came of it for anybody."),
    gettext_noop(
        "The model was reached through its maker's interface for programs. An app built on it may add its own rules "
        "and act otherwise."
    ),
    gettext_noop(
        "A range covers the choice of metrics: where the number would usually land with other metrics like these. It "
        "does not cover what a second run of the simulated users, or of the judge, would change."
    ),
    gettext_noop(
        "Where a page says that two numbers differ, it has allowed for how many pairs were compared. Wherever that "
        "was not done, the word “unadjusted” stands beside it."
    ),
    gettext_noop("A judge that is itself an AI gave the verdicts. Where no person has checked it, the page says so."),
    gettext_noop("A dash means that there is nothing to show. It never means zero."),
    gettext_noop("This is no certificate of safety, and a newer version of the model needs a new label."),
)
DEMONSTRATION = gettext_noop("This is a demonstration by a tiny model and no finding.")
NOT_PUBLISHED = _("not published")
NOT_CHECKED = _("Not checked yet")
NO_DATA = "–"


def limits() -> tuple[str, ...]:
    """The two sentences that stand beside every result."""
    return tuple(gettext(sentence) for sentence in LIMITS)


def short_limits() -> tuple[str, ...]:
    """The two sentences where a small card has no room for them in full."""
    return tuple(gettext(sentence) for sentence in SHORT_LIMITS)


def further_limits() -> tuple[str, ...]:
    """What else readers must not conclude: behaviour and outcomes, what ranges cover, what was not adjusted."""
    return tuple(gettext(sentence) for sentence in FURTHER_LIMITS)


def demonstration() -> str:
    """What is said of every number that the bundled tiny model made."""
    return gettext(DEMONSTRATION)


@dataclass(frozen=True)
class Kind:
    """How pages speak of one polarity; `slug` is its style class, its word in addresses and its mark."""

    polarity: str
    slug: str
    name: str
    # The blocks of the label, of one model and of several.
    did: str
    they_did: str
    # "In 62 of 100 test chats it ..."
    act: str
    # "5 metrics of ..."
    behaviour: str
    symbol: str


KINDS = {
    Polarity.POSITIVE.value: Kind(
        polarity="positive",
        slug="promote",
        name=_("Promotes good"),
        did=_("Good things it did"),
        they_did=_("Good things they did"),
        act=_("did the helpful thing"),
        behaviour=_("good behaviour"),
        symbol="m-up",
    ),
    Polarity.NEGATIVE.value: Kind(
        polarity="negative",
        slug="avoid",
        name=_("Avoids harm"),
        did=_("Harmful things it kept clear of"),
        they_did=_("Harmful things they kept clear of"),
        act=_("kept clear of the harmful thing"),
        behaviour=_("harmful behaviour"),
        symbol="m-di",
    ),
}

# `passed` of a verdict, in words; never a bare pass or fail.
OUTCOMES = {True: _("Good outcome: yes"), False: _("Good outcome: no"), None: _("No verdict")}


def chats(n: int) -> str:
    """'1 chat', '2,160 chats'."""
    return ngettext("%(n)s chat", "%(n)s chats", n) % {"n": f"{n:,}"}


def metrics(n: int) -> str:
    """'1 metric', '360 metrics'."""
    return ngettext("%(n)s metric", "%(n)s metrics", n) % {"n": f"{n:,}"}


def part_of(part: int, total: int) -> str:
    """'43 of 48', where no noun stands behind it."""
    return gettext("%(part)s of %(total)s") % {"part": f"{part:,}", "total": f"{total:,}"}


def hundred(rate: float | None) -> str:
    """A rate between 0 and 1 as a whole number of 100, halves rounded up; a dash where there is none."""
    return NO_DATA if rate is None else of_hundred(rate)


def in_words(items: list[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    texts = [str(item) for item in items]
    if len(texts) < 2:
        return "".join(texts)
    return gettext("%(all_but_last)s and %(last)s") % {"all_but_last": ", ".join(texts[:-1]), "last": texts[-1]}
