"""Why there is no verdict, in words; a source's own word is quoted as what it is."""

from django.utils.translation import gettext as _

from evaluation.engine.reasons import SENTENCES


def why(code: str) -> str:
    """The sentence of a reason's code; '' for no code."""
    if not code:
        return ""
    if code in SENTENCES:
        return _(SENTENCES[code])
    return _("Instead of yes or no, the source says “%(word)s”.") % {"word": code}
