"""A call as a form: its moments are typed in the call's own time zone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils import timezone

from impactbench.common.moments import zone
from submissions.models import Call
from submissions.services.call_admin import CallRules

_MOMENT = "%Y-%m-%dT%H:%M"


def zones() -> list[tuple[str, str]]:
    """The zones one can choose, UTC first."""
    return [("UTC", "UTC"), *((name, name) for name in sorted(available_timezones()) if "/" in name)]


class CallForm(forms.Form):
    """`rules()` gives what was typed as instants, once the form is valid."""

    title = forms.CharField(label="Title", max_length=200)
    slug = forms.SlugField(label="Id, part of its address", max_length=80)
    description = forms.CharField(label="Description", required=False, max_length=5_000, widget=forms.Textarea)
    time_zone = forms.ChoiceField(label="Time zone of its dates", choices=zones)
    opens_at = forms.DateTimeField(label="Opens", input_formats=[_MOMENT, "%Y-%m-%d %H:%M"])
    closes_at = forms.DateTimeField(
        label="Closes (empty: always open)", required=False, input_formats=[_MOMENT, "%Y-%m-%d %H:%M"]
    )
    grace_hours = forms.IntegerField(label="Grace for drafts begun before, in hours", min_value=0, max_value=720)
    blinding = forms.ChoiceField(label="Who sees whom", choices=Call.Blinding.choices, widget=forms.RadioSelect)
    reviewers_wanted = forms.IntegerField(label="Reviewers wanted", min_value=1, max_value=10)
    review_days = forms.IntegerField(label="Days for a review", min_value=1, max_value=180)
    answer_days = forms.IntegerField(label="Days for the author’s answer", min_value=1, max_value=365)

    def __init__(self, data: Any = None, *, call: Call | None = None) -> None:
        super().__init__(data, initial=_initial(call or Call()))
        for name, item in self.fields.items():
            kinds: dict[type, str] = {forms.Select: "select", forms.Textarea: "area"}
            if name != "blinding":
                item.widget.attrs |= {"class": kinds.get(type(item.widget), "input"), "autocomplete": "off"}
        for name in ("opens_at", "closes_at"):
            self.fields[name].widget = forms.DateTimeInput(
                attrs={"type": "datetime-local", "class": "input"}, format=_MOMENT
            )
            self.fields[name].error_messages["invalid"] = "Write day and time, such as 2027-01-08 23:59."

    def clean(self) -> dict[str, Any]:
        """The moments as instants: what was typed counts in the call's zone, wherever the editor sits."""
        cleaned = super().clean() or {}
        there = zone(cleaned.get("time_zone", "UTC"))
        for name in ("opens_at", "closes_at"):
            moment: datetime | None = cleaned.get(name)
            if moment is not None:
                cleaned[name] = timezone.make_naive(moment).replace(tzinfo=there)
        return cleaned

    def rules(self) -> CallRules:
        """What was typed. Only of a valid form."""
        values = dict(self.cleaned_data)
        grace = timedelta(hours=values.pop("grace_hours"))
        return CallRules(grace=grace, **values)


def _initial(call: Call) -> dict[str, Any]:
    there = zone(call.time_zone)
    names = ("title", "slug", "description", "time_zone", "blinding", "reviewers_wanted", "review_days", "answer_days")
    return {
        **{name: getattr(call, name) for name in names},
        "opens_at": call.opens_at.astimezone(there).strftime(_MOMENT),
        "closes_at": call.closes_at.astimezone(there).strftime(_MOMENT) if call.closes_at else "",
        "grace_hours": int(call.grace.total_seconds() // 3600),
    }
