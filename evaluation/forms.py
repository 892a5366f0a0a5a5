"""Forms of the operators' pages."""

from datetime import UTC, date, datetime
from decimal import Decimal

from django import forms

from evaluation.models.schedule import ScheduleUnit
from evaluation.plans import MOST_IN_FLIGHT

# The hour of UTC at which rounds begin: few people wait for models then.
ROUNDS_BEGIN_AT = 2


class BudgetForm(forms.Form):
    """A budget in US dollars; empty means no limit."""

    budget_usd = forms.DecimalField(
        required=False, min_value=Decimal(0), max_digits=12, decimal_places=4, label="Budget in US dollars"
    )


class ConcurrencyForm(forms.Form):
    """How many conversations each worker process holds at once."""

    concurrency = forms.IntegerField(min_value=1, max_value=MOST_IN_FLIGHT)


class ScheduleForm(forms.Form):
    """How often a run is held again, from when on, and what each round may cost."""

    every = forms.IntegerField(
        min_value=1,
        max_value=365,
        label="Again every",
        widget=forms.NumberInput({"class": "input"}),
        error_messages={"invalid": "Write a whole number.", "required": "Write a number."},
    )
    unit = forms.ChoiceField(choices=ScheduleUnit.choices, label="Counted in", widget=forms.Select({"class": "select"}))
    budget_usd = forms.DecimalField(
        min_value=Decimal("0.01"),
        max_digits=12,
        decimal_places=4,
        label="Budget of each round in US dollars",
        widget=forms.NumberInput({"class": "input", "step": "0.01"}),
        error_messages={"required": "Write what each round may cost at most."},
    )
    first_on = forms.DateField(
        required=False,
        label="First time on",
        widget=forms.DateInput({"class": "input", "type": "date", "aria-describedby": "first-on-hint"}, "%Y-%m-%d"),
        error_messages={"invalid": "Write a date, such as 2027-01-31."},
    )

    def begins_at(self) -> datetime | None:
        """The moment of the first round; None where the first one comes after one distance from now."""
        day: date | None = self.cleaned_data["first_on"]
        return None if day is None else datetime(day.year, day.month, day.day, ROUNDS_BEGIN_AT, tzinfo=UTC)
