"""What a licence, as a source names it, says about showing the source's words to others."""

import re
from dataclasses import dataclass

from evaluation.importers.formats.draft_types import Sharing


@dataclass(frozen=True)
class Licence:
    """A licence under its usual name (else as stated), and whether sharing follows from it, with the reason."""

    name: str | None
    sharing: Sharing
    reason: str


_FREE = "lets everybody share the text"
# The first that fits counts, so what forbids stands before what allows.
_KNOWN: tuple[tuple[str, str, Sharing, str], ...] = (
    (r"impact\b.*(licen|low|medium|high)|ai2.*impact", "AI2 ImpACT", "no", "passes duties on to everybody who gets it"),
    (r"\bnc\b|non-?\s?commercial", "", "no", "allows sharing for non-commercial use only"),
    (r"\bnd\b|no-?\s?deriv", "", "no", "allows no changed copies"),
    (r"all rights reserved|proprietary|no licen[cs]e|unlicensed", "", "no", "gives no right to share"),
    (r"\bcc0\b|public domain|creative commons zero", "CC0-1.0", "yes", _FREE),
    (r"\bapache\b", "Apache-2.0", "yes", _FREE),
    (r"\bbsd\b", "", "yes", _FREE),
    (r"\bmit\b", "MIT", "yes", _FREE),
    (r"\bcc[\s-]*by\b|creative commons attribution", "", "yes", _FREE),
    (r"\b(odc-by|odbl|cdla)\b", "", "yes", _FREE),
)


def licence_of(stated: str | None) -> Licence:
    """The licence of a stated name such as 'CC BY-NC 4.0'; 'unknown' where none is stated or it is not known here."""
    name = " ".join((stated or "").split())
    if not name:
        return Licence(None, "unknown", "the source states no licence")
    for words, usual, sharing, reason in _KNOWN:
        # An underscore would join the letters of CC_BY_NC into one word.
        if re.search(words, name.replace("_", "-"), re.IGNORECASE):
            return Licence(usual or name, sharing, f"{usual or name} {reason}")
    return Licence(name, "unknown", f"{name} is not a licence that is known here")


# How the text of a licence begins or what it holds, against its name; the first that fits counts.
_TEXTS: tuple[tuple[str, str], ...] = (
    (r"the disclaimer shall also be included", "MIT-style, its disclaimer kept with every copy"),
    (r"permission is hereby granted, free of charge", "MIT"),
    (r"apache license\s+version 2\.0", "Apache-2.0"),
    (r"\bcc0 1\.0 universal", "CC0-1.0"),
    (r"attribution-noncommercial", "CC BY-NC"),
    (r"attribution 4\.0 international", "CC BY 4.0"),
)


def licence_in(text: str) -> Licence:
    """The licence whose whole text this is; 'unknown' where it is none that is known here."""
    words = " ".join(text.split()).lower()
    name = next((name for pattern, name in _TEXTS if re.search(pattern, words)), None)
    known = licence_of(name)
    return Licence(name, known.sharing, known.reason)
