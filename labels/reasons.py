"""Why there is no verdict, in words; a source's own word is quoted as what it is."""

from evaluation.engine.reasons import SENTENCES


def why(code: str) -> str:
    """The sentence of a reason's code; '' for no code."""
    if not code:
        return ""
    return SENTENCES.get(code) or f"Instead of yes or no, the source says “{code}”."
