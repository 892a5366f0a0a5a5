"""Letters about runs that the clock holds: a schedule that stopped, numbers that got worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evaluation.addresses import run_page
from evaluation.models import Release, ScheduledRound
from impactbench.accounts.models import User
from impactbench.common import mail

if TYPE_CHECKING:  # every process knows this kind of letter; few compute what is in one
    from evaluation.statistics.release_change import Change

KIND = "runs"
MOST_LINES = 20
_KINDS = {"positive": "good behaviour", "negative": "harmful behaviour avoided"}


def tell_of_trouble(made: ScheduledRound, trouble: str) -> None:
    """Write to operators that nothing is held any more until somebody looks."""
    schedule = made.schedule
    text = (
        f"Run {schedule.run.slug} was to be held again on {made.due_at:%d %B %Y}, and its schedule has stopped:\n\n"
        f"  {mail.defuse(trouble)}\n\n"
        f"Set it again on the page of the run once that is mended:\n{run_page(schedule.run)}\n"
    )
    _post(made, "run-schedule-stopped", f"The schedule of run {schedule.run.slug} has stopped", text, ("operator",))


def tell_of_worse(
    made: ScheduledRound,
    release: Release,
    worse: Sequence[Change],
    *,
    places: Mapping[tuple[str, str], str],
    models: Mapping[str, str],
    made_otherwise: Sequence[str],
) -> None:
    """Write to operators and editors, once, what got worse since the release, with its numbers."""
    assert made.run is not None
    lines = [_line(change, places=places, models=models) for change in worse[:MOST_LINES]]
    more = f"\nAnd {len(worse) - MOST_LINES} more.\n" if len(worse) > MOST_LINES else ""
    otherwise = f"\nMade otherwise than the release: {', '.join(made_otherwise)}.\n" if made_otherwise else ""
    text = (
        f"Run {made.run.slug} is a round of {made.schedule.run.slug} and is finished. Held against release "
        f"{release.slug}, over what both measured alike, in tests:\n\n" + "\n\n".join(lines) + f"\n{more}{otherwise}\n"
        "Rates are those of conversations that went well. A change is named here when it is as large as the site's "
        "threshold and its 95 % interval leaves out 0.\n\n"
        f"Nothing was published. Look at the run, and publish it from there if you will:\n{run_page(made.run)}\n"
    )
    subject = f"Worse than in release {release.slug}: run {made.run.slug}"
    _post(made, "run-regression", subject, text, ("operator", "editor"))


def _line(change: Change, *, places: Mapping[tuple[str, str], str], models: Mapping[str, str]) -> str:
    """One model and group: both rates with their numbers, the change with its interval, and whether it holds."""
    where = places.get((change.group, change.key), change.key) if change.key else "everything"
    assert change.low is not None
    assert change.high is not None
    holds = "yes" if change.holds_adjusted else "no"
    return (
        f"  {mail.defuse(models.get(change.model or '', change.model or ''))}, {mail.defuse(where)} "
        f"({_KINDS[change.polarity]}, {change.n_metrics} metrics)\n"
        f"  {100 * change.old_rate:.0f} % of {change.old_judged:,} conversations before, "
        f"{100 * change.new_rate:.0f} % of {change.new_judged:,} now\n"
        f"  change {100 * change.change:+.1f} points, 95 % interval {100 * change.low:+.1f} to "
        f"{100 * change.high:+.1f}; distinguishable from no change after correction for all models: {holds}"
    )


def _post(made: ScheduledRound, event: str, subject: str, text: str, roles: Sequence[str]) -> None:
    people = User.objects.filter(role_grants__role__in=roles, is_active=True).distinct().order_by("pk")
    for person in people:
        mail.post(event=event, kind=KIND, to=person, about=made, subject=subject[:200], text=text)
