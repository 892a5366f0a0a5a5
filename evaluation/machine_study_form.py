"""The forms by which the runs of a study by machine are started and its auditor is paid for."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from evaluation.models import LanguageModel, Study
from evaluation.studies.kinds import SIMULATOR_ABLATION


class StartForm(forms.Form):
    """What the runs of a study may spend, and who audits what they hold; only an ablation is audited."""

    budget_usd = forms.DecimalField(
        required=False,
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=4,
        label="Budget of each run in US dollars",
        help_text="A run pauses before it would pass this. Nothing is lost, you can raise it. Empty means no limit.",
    )
    auditor = forms.ModelChoiceField(
        queryset=LanguageModel.objects.exclude(litellm_model="").order_by("name"),
        to_field_name="slug",
        label="Model that audits the conversations",
        help_text="It reads what the user brought about, and knows nothing of the condition. It has the same budget.",
        error_messages={"required": "Choose the model that audits the conversations."},
    )

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if study.kind != SIMULATOR_ABLATION:
            del self.fields["auditor"]
        for field in self.fields.values():
            css = "select" if isinstance(field, forms.ModelChoiceField) else "input"
            field.widget.attrs |= {"class": css, "autocomplete": "off"}

    @property
    def chosen(self) -> dict[str, Any]:
        """What `start_study` is told; of a valid form."""
        return {"budget_usd": self.cleaned_data["budget_usd"], "auditor": self.cleaned_data.get("auditor")}
