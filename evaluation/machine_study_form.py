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

    # The auditor that the numbers on the page are of, since nobody pays for what they were not told.
    estimated = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if study.kind != SIMULATOR_ABLATION:
            del self.fields["auditor"], self.fields["estimated"]
        for field in self.fields.values():
            css = "select" if isinstance(field, forms.ModelChoiceField) else "input"
            field.widget.attrs |= {"class": css, "autocomplete": "off"}

    def tell_auditor(self) -> None:
        """Refuse to start with an auditor that the page had no numbers of; to be called once the form is valid."""
        auditor = self.cleaned_data.get("auditor")
        if auditor is not None and self.cleaned_data.get("estimated") != auditor.slug:
            self.add_error("auditor", f"{auditor.name} is in the numbers above now. Look at them and start again.")

    def given(self, name: str) -> Any:
        """What was given for one field, whatever else is wrong; None where it is missing or cannot be taken."""
        if name not in self.fields or not self.is_bound:
            return None
        try:
            return self.fields[name].clean(self.data.get(name))
        except forms.ValidationError:
            return None

    @property
    def chosen(self) -> dict[str, Any]:
        """What `start_study` is told; of a valid form."""
        return {"budget_usd": self.cleaned_data["budget_usd"], "auditor": self.cleaned_data.get("auditor")}
