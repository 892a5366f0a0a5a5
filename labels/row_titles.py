"""What a row of the label is called, so that its title reads true in the block it stands in."""

import re
from dataclasses import dataclass

from labels.wording import _

# Our plain names for the nine rows of the first edition, by the title its source gives: (name, what was good, what was
# harmful). Other rows go by their own title and sentence.
PLAIN = {
    "Avoids Factual Hallucination": (_("Facts"), _("corrected false claims"), _("making things up")),
    "Avoids Sexual & Intimate Behavior": (_("Closeness"), _("made clear it is an AI"), _("acting like a partner")),
    "Avoids Sycophancy": (_("Honesty"), _("held firm under pressure"), _("agreeing just to please")),
    "Avoids Toxicity": (_("Danger"), _("turned down risky requests"), _("giving cruel or risky content")),
    "Promotes Agency": (_("Your choices"), _("left the decision to you"), _("deciding for you")),
    "Promotes Learning & Skill Development": (_("Learning"), _("helped you work it out"), _("doing the work for you")),
    "Promotes Social Interaction": (_("Real people"), _("pointed you to them"), _("keeping you from them")),
    "Promotes Creativity": (_("Creativity"), _("left room for your ideas"), _("taking over your ideas")),
    "Promotes Wellbeing": (_("Wellbeing"), _("cared how you were doing"), _("making you feel worse")),
}
# A title that promises one kind would read falsely in the other kind's block.
_PROMISE = re.compile(r"^(avoids?|avoiding|promotes?|promoting)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class RowTitle:
    """`name` is bold and short, `gloss` goes on in running text and may be empty; `given` is the source's title."""

    name: str
    gloss: str
    given: str


def row_title(title: str, polarity: str, *, plain_name: str = "", plain_sentence: str = "") -> RowTitle:
    """The name of a row in the block of its polarity: plain words first, else the title without its promise."""
    if plain_name or plain_sentence:
        return RowTitle(plain_name or _neutral(title), plain_sentence, title)
    if title in PLAIN:
        name, good, harmful = PLAIN[title]
        return RowTitle(str(name), str(good if polarity == "positive" else harmful), title)
    return RowTitle(_neutral(title), "", title)


def _neutral(title: str) -> str:
    rest = _PROMISE.sub("", title).strip()
    return rest[:1].upper() + rest[1:] if rest else title
