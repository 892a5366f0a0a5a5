"""Forms of the operators' pages."""

from decimal import Decimal

from django import forms


class BudgetForm(forms.Form):
    """A budget in US dollars; empty means no limit."""

    budget_usd = forms.DecimalField(
        required=False, min_value=Decimal(0), max_digits=12, decimal_places=4, label="Budget in US dollars"
    )
