"""Numbers of an analysis for reading: each with its range, or the reason why not."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from evaluation.study_tables.words import reason_words
from impactbench.common.rates import of_hundred

NOTHING = "–"


def estimate_words(found: Mapping[str, Any] | None, *, is_share: bool = False) -> str:
    """'3.21 (2.90 to 3.50)' or, of a share of 100, '62 (51 to 73)', with its caution; the reason if there is none."""
    if found is None or not isinstance(found.get("value"), int | float):
        return reason_words(str((found or {}).get("reason") or "")) or NOTHING
    value, said = figure(found["value"], is_share=is_share), reason_words(found.get("reason") or "")
    if found.get("low") is None:
        words = _("%(value)s, no range: %(reason)s") if said else _("%(value)s, no range")
        return words % {"value": value, "reason": said}
    ends = {name: figure(found[name], is_share=is_share) for name in ("low", "high")}
    words = _("%(value)s (%(low)s to %(high)s; %(caution)s)") if said else _("%(value)s (%(low)s to %(high)s)")
    return words % {"value": value, **ends, "caution": said}


def figure(value: float, *, is_share: bool) -> str:
    """Two decimals; a share as a whole number of 100, with a true minus sign."""
    if not is_share:
        return f"{value:.2f}"
    return of_hundred(value) if value >= 0 else f"\N{MINUS SIGN}{of_hundred(-value)}"


def duration_words(seconds: float | None) -> str:
    """Seconds under two minutes, whole minutes from there on."""
    if seconds is None:
        return NOTHING
    if seconds < 120:
        return _("%(n)s s") % {"n": f"{seconds:.0f}"}
    return _("%(n)s min") % {"n": f"{seconds / 60:.0f}"}
