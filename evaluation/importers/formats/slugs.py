"""Slugs for what sources bring: plain ASCII letters, digits and hyphens."""

import re
import unicodedata

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def is_slug(text: str) -> bool:
    return SLUG.fullmatch(text) is not None


def slugify(text: str) -> str:
    """'Education, Career & Finance' -> 'education-career-finance'; '' when nothing is left."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text.lower()).strip("-")


# Pages beside the rows of a label, at /labels/<model>/<row>/: no row, and no subarea that is one, may have their names.
TAKEN_BY_PAGES = frozenset({"embed"})


def metric_local_id(text: str) -> str:
    """The first edition's two spellings of a metric's id: 'm01' stays, 'metric_001' becomes 'm001'."""
    return re.sub(r"^metric_(\d+)$", r"m\1", text)


def is_local_id(text: str) -> bool:
    """Whether a metric's id can stand in an address."""
    return re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", text) is not None
