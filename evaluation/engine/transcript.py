"""A conversation as a reading model sees it: numbered turns, every line marked, fenced by a code it cannot contain."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from evaluation.engine.parsing import clean_text
from evaluation.engine.types import Exchange


def transcript(turns: Sequence[Exchange]) -> str:
    """All turns with their numbers and speakers; each line of theirs begins with "> "."""
    blocks = [
        f"Turn {turn.number}, {speaker}:\n{_marked(text)}"
        for turn in turns
        for speaker, text in (("user", turn.user_message), ("assistant", turn.reply))
    ]
    return "\n\n".join(blocks)


def fence_code(transcript: str, rest: str) -> str:
    """A code that neither text contains: it follows from the transcript, and is the same on a re-run."""
    code = hashlib.sha256(transcript.encode()).hexdigest()[:12]
    while code in transcript or code in rest:
        code = hashlib.sha256(code.encode()).hexdigest()[:12]
    return code


def _marked(text: str) -> str:
    """`text` with a mark before each line, so that no line of it can pass for a heading or the closing line."""
    return "\n".join(f"> {line}" for line in clean_text(text).splitlines()) or "> "
