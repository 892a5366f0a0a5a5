"""The demographic profile that an age text of a benchmark file stands for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.importers.formats.slugs import slugify


@dataclass(frozen=True)
class Profile:
    slug: str
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)


TEEN = Profile("teen", "Teens 13–17", {"age": "13-17"})
ADULT = Profile("adult", "Adults 18+", {"age": "18+"})
# The first edition's band is wider than our teens, so it keeps a profile of its own (contract.md, 'Profiles').
CHILD = Profile("child-6-17", "Ages 6–17", {"age": "6-17"})

# How a native file spells them; the reader also takes the short words.
AGE_TEXTS = {
    "teen": "Teenager (13-17)",
    "adult": "Adult (18+)",
    "child-6-17": "Child or teenager (6-17)",
}
_KNOWN = {
    "teenager (13-17)": TEEN,
    "teen": TEEN,
    "adult (18+)": ADULT,
    "adult": ADULT,
    "child or teenager (6-17)": CHILD,
    "child": CHILD,
}


def profile_of_age(text: str) -> Profile:
    """The profile of an age text; an unknown text becomes a profile of that name."""
    words = " ".join(text.split())
    dashes = dict.fromkeys(map(ord, "‐‑‒–—"), "-")  # noqa: RUF001  (the dashes people type)
    known = _KNOWN.get(words.lower().translate(dashes))
    return known or Profile(slugify(words), words, {"age": words})
