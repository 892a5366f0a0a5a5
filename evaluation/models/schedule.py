"""Runs that are held again and again: what an operator set, and every round that came due."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from evaluation.models.release import Release
from evaluation.models.run import Run


class ScheduleUnit(models.TextChoices):
    """What the distance between two rounds is counted in."""

    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"


class RunSchedule(models.Model):
    """A finished run that is held anew every so often; worked on by `services.schedules`.

    Rounds fall on `begins_at` and then every `every` units from there. It stops by itself when a round fails.
    """

    Unit = ScheduleUnit

    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="schedule")
    every = models.PositiveSmallIntegerField()
    unit = models.CharField(max_length=10, choices=ScheduleUnit)
    budget_usd = models.DecimalField(max_digits=12, decimal_places=4)
    begins_at = models.DateTimeField()
    next_at = models.DateTimeField()
    is_on = models.BooleanField(default=True)
    # Why it stopped by itself; empty while it goes on, and where somebody stopped it.
    trouble = models.CharField(max_length=500, blank=True)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    set_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["next_at"]
        constraints = [
            one_of("unit", ScheduleUnit, "schedule_unit_is_known"),
            models.CheckConstraint(condition=models.Q(every__range=(1, 365)), name="schedule_waits_a_day_at_least"),
            models.CheckConstraint(condition=models.Q(budget_usd__gt=0), name="schedule_has_a_budget"),
        ]

    def __str__(self) -> str:
        return f"schedule of {self.run}"


class ScheduledRound(models.Model):
    """One date of a schedule: the run that was made for it, or why there is none."""

    schedule = models.ForeignKey(RunSchedule, on_delete=models.CASCADE, related_name="rounds")
    due_at = models.DateTimeField()
    run = models.OneToOneField(Run, null=True, blank=True, on_delete=models.PROTECT, related_name="round")
    skipped = models.CharField(max_length=500, blank=True)
    # When its numbers were held against the last release; null until it is finished.
    compared_at = models.DateTimeField(null=True, blank=True)
    compared_with = models.ForeignKey(Release, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    n_worse = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-due_at"]
        constraints = [
            # Two clocks, or two workers, make one round of a date.
            models.UniqueConstraint(fields=["schedule", "due_at"], name="round_once"),
            models.CheckConstraint(
                condition=models.Q(run=None) ^ models.Q(skipped=""), name="round_has_a_run_or_says_why_not"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.schedule}, {self.due_at:%Y-%m-%d}"
