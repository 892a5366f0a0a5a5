"""Runs that the clock holds again: dates, rounds that are begun once, and letters about what got worse."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from evaluation.models import Conversation, Judgment, Run, RunSchedule, ScheduledRound
from evaluation.models.schedule import ScheduleUnit
from evaluation.services import round_changes, schedules
from evaluation.services.schedules import date_of
from impactbench.accounts.models import User
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.models import AuditEvent, OutgoingMail
from tests.support.builders import make_finished_run, make_judgment, make_release
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator() -> User:
    return make_person("Op Erator", "operator")


@pytest.fixture
def schedule(operator: User) -> RunSchedule:
    """A run that is due today, every week, for $ 10."""
    return set_for(make_finished_run(), operator)


def set_for(run: Run, operator: User, **changes: Any) -> RunSchedule:
    wish = {"every": 1, "unit": "weeks", "budget_usd": Decimal(10), **changes}
    return schedules.set_schedule(run, actor=operator, **wish)


def due(schedule: RunSchedule, *, days: int = 0) -> datetime:
    schedule.refresh_from_db()
    return schedule.next_at + timedelta(days=days, hours=1)


def finish(run: Run, *, present: bool) -> None:
    """Every conversation of the run is over and judged alike."""
    Conversation.objects.filter(run=run).update(state=Conversation.State.FINISHED, is_judged=True)
    judge = run.judges.get()
    for conversation in run.conversations.all():
        make_judgment(conversation, judge=judge, present=present)
    Run.objects.filter(pk=run.pk).update(state=Run.State.FINISHED)


@pytest.mark.parametrize(
    ("every", "unit", "n", "expected"),
    [
        (10, "days", 3, "2027-03-02"),
        (2, "weeks", 1, "2027-02-14"),
        (1, "months", 1, "2027-02-28"),
        (1, "months", 2, "2027-03-31"),
        (5, "months", 3, "2028-04-30"),
    ],
)
def test_dates_do_not_drift(every: int, unit: str, n: int, expected: str) -> None:
    begins_at = datetime(2027, 1, 31, 2, tzinfo=UTC)

    assert date_of(begins_at, every, ScheduleUnit(unit), n) == datetime.fromisoformat(f"{expected}T02:00:00+00:00")


def test_a_round_is_the_same_plan_under_its_own_name_and_budget(schedule: RunSchedule) -> None:
    now = due(schedule)

    [run] = schedules.begin_due(now)

    schedule.refresh_from_db()
    first = schedule.run
    assert run.slug == f"run-{schedule.begins_at:%Y-%m-%d}"
    assert (run.state, run.budget_usd, run.spec["name"]) == (Run.State.RUNNING, Decimal(10), run.slug)
    keys = ("scenario_id", "target_id", "sample")
    assert set(run.conversations.values_list(*keys)) == set(first.conversations.values_list(*keys))
    assert {one.language_model for one in run.judges.all()} == {one.language_model for one in first.judges.all()}
    assert schedule.next_at == schedule.begins_at + timedelta(weeks=1)
    assert schedules.begin_due(now) == []


@pytest.mark.django_db(transaction=True)
def test_four_clocks_at_once_begin_one_round(schedule: RunSchedule) -> None:
    now = due(schedule)

    def tick(_n: int) -> int:
        try:
            return len(schedules.begin_due(now))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        begun = list(pool.map(tick, range(4)))

    assert sorted(begun) == [0, 0, 0, 1]
    assert ScheduledRound.objects.count() == 1


def test_after_weeks_without_a_clock_one_round_is_held(schedule: RunSchedule) -> None:
    now = due(schedule, days=30)

    assert len(schedules.begin_due(now)) == 1
    schedule.refresh_from_db()
    assert now < schedule.next_at <= now + timedelta(weeks=1)


def test_a_round_waits_for_the_one_before_and_says_so(schedule: RunSchedule) -> None:
    [first] = schedules.begin_due(due(schedule))

    assert schedules.begin_due(due(schedule)) == []
    assert ScheduledRound.objects.get(run=None).skipped == f"the last round, run {first.slug}, was still going on"
    schedule.refresh_from_db()
    assert schedule.is_on


def test_a_round_that_failed_stops_the_schedule_and_operators_are_told_once(schedule: RunSchedule) -> None:
    [first] = schedules.begin_due(due(schedule))
    Run.objects.filter(pk=first.pk).update(state=Run.State.PAUSED, state_reason="the next calls might pass the budget")

    schedules.begin_due(due(schedule))
    schedules.begin_due(timezone.now() + timedelta(days=60))

    schedule.refresh_from_db()
    why = f"the last round, run {first.slug}, is paused: the next calls might pass the budget"
    assert (schedule.is_on, schedule.trouble) == (False, why)
    [letter] = OutgoingMail.objects.filter(kind="runs")
    assert letter.subject == "The schedule of run run has stopped"


def test_budgets_of_a_month_are_bounded(schedule: RunSchedule, settings: Any) -> None:
    settings.SCHEDULED_USD_PER_MONTH = Decimal("9.99")

    assert schedules.begin_due(due(schedule)) == []
    assert "SCHEDULED_USD_PER_MONTH ($9.99)" in ScheduledRound.objects.get().skipped


def test_what_cannot_be_repeated_is_refused(schedule: RunSchedule, operator: User) -> None:
    [made] = schedules.begin_due(due(schedule))
    with pytest.raises(DomainError, match="is running"):
        set_for(made, operator)
    Run.objects.filter(pk=made.pk).update(state=Run.State.FINISHED)
    made.refresh_from_db()

    with pytest.raises(DomainError, match="is a round of another"):
        set_for(made, operator)
    with pytest.raises(UnusableInput, match="first date is over"):
        set_for(schedule.run, operator, begins_at=timezone.now())


def test_a_schedule_changed_to_a_day_that_had_a_round_holds_another(schedule: RunSchedule, operator: User) -> None:
    [first] = schedules.begin_due(due(schedule))
    Run.objects.filter(pk=first.pk).update(state=Run.State.FINISHED)
    set_for(schedule.run, operator, begins_at=schedule.begins_at + timedelta(minutes=1))

    [second] = schedules.begin_due(due(schedule))

    assert second.slug == f"{first.slug}-2"


def test_stopping_twice_is_once(schedule: RunSchedule, operator: User) -> None:
    for _ in range(2):
        schedules.stop(schedule.run, actor=operator)

    assert schedules.begin_due(due(schedule)) == []
    assert AuditEvent.objects.filter(action="run-unscheduled").count() == 1


def test_operators_and_editors_get_one_letter_with_the_numbers_of_what_got_worse(operator: User) -> None:
    make_person("Ed Itor", "editor", email="ed@editor.example")
    make_person("Ex Pert", "expert")
    release = make_release()
    schedule = set_for(Run.objects.get(slug="run-of-2026-a"), operator)
    [run] = schedules.begin_due(due(schedule))
    finish(run, present=False)

    assert [round_changes.compare_finished() for _ in range(2)] == [1, 0]

    made = ScheduledRound.objects.get(run=run)
    assert (made.compared_with, bool(made.n_worse)) == (release, True)
    letters = OutgoingMail.objects.filter(event="run-regression")
    assert sorted(letter.recipient.name for letter in letters if letter.recipient) == ["Ed Itor", "Op Erator"]
    text = letters[0].text
    assert "Luna, everything (good behaviour, 6 metrics)\n" in text
    assert " % of 24 conversations before, 0 % of 24 now\n" in text
    assert "distinguishable from no change after correction for all models: yes" in text
    assert "Made otherwise than the release: the judge, the instructions to models." in text
    assert f"/runs/{run.slug}/" in text
    assert not run.releases.exists()


def test_nobody_is_written_to_when_nothing_got_worse(operator: User) -> None:
    make_release()
    schedule = set_for(Run.objects.get(slug="run-of-2026-a"), operator)
    [run] = schedules.begin_due(due(schedule))
    Conversation.objects.filter(run=run).update(state=Conversation.State.FINISHED, is_judged=True)
    before = {
        (one.conversation.scenario_id, one.conversation.target_id): one.present
        for one in Judgment.objects.filter(conversation__run=schedule.run).select_related("conversation")
    }
    judge = run.judges.get()
    for conversation in run.conversations.all():
        make_judgment(conversation, judge=judge, present=before[conversation.scenario_id, conversation.target_id])
    Run.objects.filter(pk=run.pk).update(state=Run.State.FINISHED)

    round_changes.compare_finished()

    assert ScheduledRound.objects.get(run=run).n_worse == 0
    assert not OutgoingMail.objects.filter(event="run-regression").exists()
