"""What people say of themselves, and what operators change about others."""

from __future__ import annotations

from typing import Any

from django import forms

from impactbench.accounts import mail_preferences
from impactbench.accounts.models import RoleGrant, User
from impactbench.accounts.places import countries, time_zones
from impactbench.accounts.tokens.scopes import scopes_for
from impactbench.accounts.tokens.services import LIVES_DAYS


class ProfileForm(forms.ModelForm):
    """A person's own profile. Every field may stay empty."""

    country = forms.ChoiceField(required=False, label="Country")
    time_zone = forms.ChoiceField(
        required=False,
        label="Time zone",
        help_text="Dates in pages and mails are shown in it, beside UTC.",
    )
    wanted_mail_kinds = forms.MultipleChoiceField(
        required=False,
        label="Mail you want",
        widget=forms.CheckboxSelectMultiple,
        help_text="Decisions on what you submitted, and what guards your account, are always sent.",
    )

    class Meta:
        model = User
        fields = (
            "name",
            "affiliation",
            "country",
            "time_zone",
            "expertise",
            "wants_to_review",
            "conflicts_of_interest",
        )
        labels = {
            "name": "Name",
            "affiliation": "Affiliation",
            "expertise": "What you know well",
            "wants_to_review": "I would like to review what others submit",
            "conflicts_of_interest": "Conflicts of interest",
        }
        help_texts = {
            "name": "As it should stand wherever people see who you are. Reviewers and submitters never see it.",
            "affiliation": "Where you work or study, if anywhere.",
            "expertise": "Fields, methods, populations. Editors use it to find reviewers.",
            "conflicts_of_interest": "People and organisations whose work you should not review, one on each line. "
            "Only editors see this.",
        }
        widgets = {
            "expertise": forms.Textarea(attrs={"rows": 4}),
            "conflicts_of_interest": forms.Textarea(attrs={"rows": 4}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["affiliation"].widget.attrs["autocomplete"] = "organization"
        self.fields["country"].choices = [("", "Not said"), *countries()]  # type: ignore[attr-defined]
        zones = [(zone, zone.replace("_", " ")) for zone in time_zones()]
        self.fields["time_zone"].choices = [("", "Not said (UTC)"), *zones]  # type: ignore[attr-defined]
        self._offer_mail_kinds()

    def _offer_mail_kinds(self) -> None:
        kinds = mail_preferences.kinds()
        if not kinds:
            del self.fields["wanted_mail_kinds"]
            return
        self.fields["wanted_mail_kinds"].choices = kinds  # type: ignore[attr-defined]
        self.initial["wanted_mail_kinds"] = [kind for kind, _ in kinds if kind not in self.instance.muted_mail_kinds]

    def save(self, commit: bool = True) -> User:
        """Kinds that nobody offers any more stay muted."""
        offered = {kind for kind, _ in mail_preferences.kinds()}
        if offered:
            kept = set(self.instance.muted_mail_kinds) - offered
            self.instance.muted_mail_kinds = sorted(kept | (offered - set(self.cleaned_data["wanted_mail_kinds"])))
        user: User = super().save(commit)
        return user


class EraseForm(forms.Form):
    """The last question before an account is erased."""

    understood = forms.BooleanField(label="I understand that this cannot be undone")


class TokenForm(forms.Form):
    """A new token: what it is for, what it allows, how long it lives."""

    name = forms.CharField(
        max_length=100, label="What it is for", help_text="A few words by which you know it again. Only you see them."
    )
    scopes = forms.MultipleChoiceField(
        label="What it allows",
        widget=forms.CheckboxSelectMultiple,
        help_text="Choose no more than the program needs.",
        error_messages={"required": "Choose at least one thing that it allows."},
    )
    days = forms.TypedChoiceField(
        label="How long it is good", coerce=int, choices=[(days, f"{days} days") for days in LIVES_DAYS], initial=30
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [(scope.name, f"{scope.words} ({scope.name})") for scope in scopes_for(user)]
        self.fields["scopes"].choices = offered  # type: ignore[attr-defined]


class RoleForm(forms.Form):
    """One role of somebody else, given or taken away."""

    role = forms.ChoiceField(choices=RoleGrant.Role.choices)
    action = forms.ChoiceField(choices=[("grant", "Give"), ("revoke", "Take away")])
