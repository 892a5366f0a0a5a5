"""What an editor copies of a provider's reply, as a form."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.models import LanguageModel, Release
from submissions.models import ReplyVersion
from submissions.services.provider_replies import LONGEST_TEXT, ReplyText

_LOOKS: dict[type, str] = {forms.Select: "select", forms.Textarea: "area"}


class ReplyForm(forms.Form):
    """`text()` is what was typed; whether it can be kept is for the service to say."""

    provider = forms.CharField(label="Who said it", help_text="The provider’s name, as it calls itself.")
    said_on = forms.DateField(
        label="On which day",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as year-month-day, such as 2027-01-31."},
    )
    source_url = forms.CharField(label="Where", help_text="The address of the page, beginning with https://.")
    text = forms.CharField(
        label="In their own words", widget=forms.Textarea(attrs={"rows": "8"}),
        help_text=f"Copy them unchanged; {LONGEST_TEXT:,} characters at most. Readers see them as plain text.",
    )  # fmt: skip

    def __init__(self, data: Any = None, *, newest: ReplyVersion | None = None) -> None:
        names = ("provider", "said_on", "source_url", "text")
        super().__init__(data, initial={name: getattr(newest, name) for name in names} if newest else None)
        for name, item in self.fields.items():
            item.widget.attrs |= {"class": _LOOKS.get(type(item.widget), "input"), "autocomplete": "off"}
            if item.help_text:
                item.widget.attrs["aria-describedby"] = f"id_{name}-h"

    def reply(self) -> ReplyText:
        """What was typed. Only of a valid form."""
        return ReplyText(**{name: self.cleaned_data[name] for name in ("provider", "said_on", "source_url", "text")})


class NewReplyForm(ReplyForm):
    """With the model that it is about, and the release if it is about one."""

    model = forms.ModelChoiceField(
        LanguageModel.objects.none(), label="About which model", to_field_name="slug", empty_label="Choose one"
    )
    release = forms.ModelChoiceField(
        Release.objects.none(), label="About which release", to_field_name="slug", required=False,
        empty_label="All of them",
    )  # fmt: skip
    field_order = ("model", "release", "provider", "said_on", "source_url", "text")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        models = LanguageModel.objects.filter(releases__isnull=False).distinct().order_by("name", "slug")
        self.fields["model"].queryset = models  # type: ignore[attr-defined]
        self.fields["release"].queryset = Release.objects.defer("groups").order_by("-published_at")  # type: ignore[attr-defined]
        self.fields["release"].label_from_instance = lambda release: release.title  # type: ignore[attr-defined]
