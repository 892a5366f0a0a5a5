"""Twenty dots, one a repeat: filled where the first of two came out higher, small where level, hollow where lower."""

from django.utils.safestring import SafeString, mark_safe

from labels.wording import KINDS

STEP, SIZE, RADIUS = 13, 12, 4.8


def twenty_dots(polarity: str, n_higher: int, n_level: int, n_lower: int) -> SafeString:
    """The dots of one row, hidden from screen readers: their words stand beside."""
    filled = f'r="{RADIUS}" fill="currentColor"'
    small = 'r="1.8" fill="currentColor"'
    hollow = 'r="4.1" fill="none" stroke="currentColor" stroke-width="1.4"'
    looks = [filled] * n_higher + [small] * n_level + [hollow] * n_lower
    circles = "".join(f'<circle cx="{STEP * at + 5.5}" cy="{SIZE / 2}" {look}/>' for at, look in enumerate(looks))
    width = STEP * max(len(looks), 1)
    return mark_safe(  # noqa: S308  (numbers and our own words only)
        f'<svg class="q20 {KINDS[polarity].slug}" viewBox="0 0 {width} {SIZE}" width="{width}" height="{SIZE}" '
        f'aria-hidden="true" focusable="false">{circles}</svg>'
    )
