"""Rows of small squares: how many models had a good outcome in most of their chats, and verdicts one by one."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from labels.wording import KINDS

STEP, HEIGHT = 11, 10


def strip(polarity: str, n_filled: int, n_tested: int, n_models: int) -> SafeString:
    """`n_tested` squares of which the first `n_filled` are filled, in the room of `n_models`; decoration only."""
    width = STEP * max(n_models, 1)
    filled = "".join(f"M{STEP * at} 0h9v10h-9z" for at in range(n_filled))
    hollow = "".join(f"M{STEP * at + 0.75:g} .75h7.5v8.5h-7.5z" for at in range(n_filled, n_tested))
    return mark_safe(  # noqa: S308  (numbers and our own words only)
        f'<svg class="strip {KINDS[polarity].slug}" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}" '
        f'aria-hidden="true" focusable="false"><path d="{filled}" fill="currentColor"/>'
        f'<path d="{hollow}" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>'
    )


@dataclass(frozen=True)
class Square:
    """One verdict: where its conversation is, the outcome, and the words a screen reader says."""

    href: str
    passed: bool | None
    words: str


def square_links(polarity: str, squares: Iterable[Square]) -> SafeString:
    """Verdict squares, each the link to its conversation."""
    links = format_html_join(
        "",
        '<a href="{}"><svg class="sq {}" aria-hidden="true"><use href="#{}"/></svg><span class="vh">{}</span></a>',
        ((square.href, KINDS[polarity].slug, _symbol(square.passed), square.words) for square in squares),
    )
    return format_html('<span class="sqs">{}</span>', links)


def _symbol(passed: bool | None) -> str:
    return {True: "sq-yes", False: "sq-no", None: "sq-na"}[passed]
