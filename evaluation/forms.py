"""Forms of the operators' pages."""

from decimal import Decimal

from django import forms

from evaluation.plans import MOST_IN_FLIGHT


class BudgetForm(forms.Form):
    """A budget in US dollars; empty means no limit."""

    budget_usd = forms.DecimalField(
        required=False, min_value=Decimal(0), max_digits=12, decimal_places=4, label="Budget in US dollars"
    )


class ConcurrencyForm(forms.Form):
    """How many conversations each worker process holds at once."""

    concurrency = forms.IntegerField(min_value=1, max_value=MOST_IN_FLIGHT)
