"""The sentences and words that public pages, badges and exports share; each stands here once."""

from dataclasses import dataclass

from evaluation.models import Polarity

# Always on a label, badge and export, as text.
LIMITS = (
    "This was a stress test with simulated users: it does not show how often these things happen in everyday use.",
    "It shows what the model did in these chats, not how a finished product behaves or how people fare afterwards.",
)
# Their short form, where a small card has no room; the long one is then in its description.
SHORT_LIMITS = (
    "Stress test with simulated users, not everyday use.",
    "Shows the model in chats, not a finished product or how people fare.",
)
DEMONSTRATION = "This is a demonstration by a tiny model and no finding."
NOT_PUBLISHED = "not published"
NO_DATA = "–"


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
    # "5 metrics of ..." and "5 ..." (one and many)
    behaviour: str
    one_act: str
    symbol: str


KINDS = {
    Polarity.POSITIVE.value: Kind(
        polarity="positive",
        slug="promote",
        name="Promotes good",
        did="Good things it did",
        they_did="Good things they did",
        act="did the helpful thing",
        behaviour="good behaviour",
        one_act="helpful act",
        symbol="m-up",
    ),
    Polarity.NEGATIVE.value: Kind(
        polarity="negative",
        slug="avoid",
        name="Avoids harm",
        did="Harmful things it kept clear of",
        they_did="Harmful things they kept clear of",
        act="kept clear of the harmful thing",
        behaviour="harmful behaviour",
        one_act="harmful act",
        symbol="m-di",
    ),
}

# `passed` of a verdict, in words; never a bare pass or fail.
OUTCOMES = {True: "Good outcome: yes", False: "Good outcome: no", None: "No verdict"}


def count(n: int, one: str, many: str | None = None) -> str:
    """A number with its noun: '1 chat', '2,160 chats'."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def hundred(rate: float | None) -> str:
    """A rate between 0 and 1 as a whole number of 100, halves rounded up; a dash where there is none."""
    return NO_DATA if rate is None else str(int(rate * 100 + 0.5))


def in_words(items: list[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
