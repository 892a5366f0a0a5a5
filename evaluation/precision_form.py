"""The form of the planning page: what is to be told how precisely, and what is expected of the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from evaluation.studies.planning import Plan, items_for_share, plans_for_agreement, plans_for_mean

AGREEMENT, MEAN, SHARE = "agreement", "mean", "share"
# A wish beyond this is no plan, and only a slip of the keyboard asks for it.
MOST_ITEMS = 1_000_000


@dataclass(frozen=True)
class Question:
    """One thing that a study can tell, and the fields that it asks for, each with what it begins with."""

    slug: str
    name: str
    explanation: str
    beginnings: Mapping[str, str]


QUESTIONS = {
    question.slug: question
    for question in (
        Question(
            AGREEMENT, "How far raters agree",
            "Krippendorff’s alpha of answers such as pass, fail, borderline.",
            {"half_width": "0.1", "alpha": "0.4", "shares": "0.4, 0.4, 0.2", "ratings_per_rater": "16"},
        ),
        Question(
            MEAN, "A mean mark", "The mean of a scale, such as realism from 1 to 4.",
            {"half_width": "0.2", "sd_items": "0.6", "sd_raters": "0.6", "ratings_per_rater": "16"},
        ),
        Question(
            SHARE, "A share", "How often something holds, such as that the judge says what most raters say.",
            {"half_width": "0.1", "share": "0.8", "items_per_metric": "9", "correlation": "0.2", "left_out": "0.1"},
        ),
    )
}  # fmt: skip


class PrecisionForm(forms.Form):
    """What one of the questions asks for; the rest is left away."""

    half_width = forms.FloatField(
        min_value=0.001, label="Half the width of the interval",
        help_text="0.1 means: the 95 % interval reaches 0.1 to either side.",
    )  # fmt: skip
    # Full agreement leaves nothing to estimate: any number of items would do.
    alpha = forms.FloatField(
        min_value=0, max_value=0.95, label="Agreement that you expect", help_text="0 is chance; at most 0.95."
    )
    shares = forms.CharField(
        max_length=100, label="How often each answer is used", help_text="2 to 5 shares, with commas, 1 in sum."
    )
    sd_items = forms.FloatField(min_value=0, max_value=100, label="How far items lie apart (SD)")
    sd_raters = forms.FloatField(min_value=0, max_value=100, label="How far raters differ on one item (SD)")
    share = forms.FloatField(min_value=0, max_value=1, label="Share that you expect")
    items_per_metric = forms.IntegerField(min_value=1, max_value=1000, label="Items of each metric")
    correlation = forms.FloatField(
        min_value=0, max_value=1, label="How alike items of one metric are", help_text="0 not at all, 1 the same."
    )
    left_out = forms.FloatField(
        min_value=0, max_value=0.95, label="Share of items without a majority", help_text="They are left out."
    )
    ratings_per_rater = forms.IntegerField(min_value=1, max_value=10_000, label="Ratings that one rater gives")

    def __init__(self, question: Question, data: Mapping[str, Any]) -> None:
        # What an address does not say begins as the question does, so that a link may say less.
        super().__init__({**question.beginnings, **{name: value for name, value in data.items() if value != ""}})
        self.question = question
        for name in [name for name in self.fields if name not in question.beginnings]:
            del self.fields[name]
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    def clean_shares(self) -> list[float]:
        try:
            return [float(part) for part in self.cleaned_data["shares"].split(",")]
        except ValueError:
            raise ValidationError("Write shares as numbers with commas, such as 0.4, 0.4, 0.2.") from None

    def clean(self) -> dict[str, Any]:
        """Keeps the plans in `plans`."""
        super().clean()
        self.plans: list[Plan] = []
        if not self.errors:
            try:
                self.plans = self._plans(self.cleaned_data)
            except ValueError as problem:
                raise ValidationError(f"This cannot be planned: {problem}.") from problem
            if any(plan.n_items > MOST_ITEMS for plan in self.plans):
                self.plans = []
                self.add_error("half_width", f"That takes more than {MOST_ITEMS:,} items; allow a wider interval.")
        return self.cleaned_data

    def _plans(self, wish: dict[str, Any]) -> list[Plan]:
        match self.question.slug:
            case "agreement":
                return plans_for_agreement(**wish)
            case "mean":
                return plans_for_mean(**wish)
            case _:
                n = items_for_share(**wish)
                return [Plan(raters, n, n * raters, raters) for raters in (3, 4, 5)]
