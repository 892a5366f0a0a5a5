"""The form in which a study is designed: kind, source, seed, and the numbers of the design."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Prefetch

from evaluation.models import Conversation, Profile, Release, Run
from evaluation.selectors.studies.candidates import Source, source_of_release
from evaluation.services.studies.designing import Access, Wish, Words
from evaluation.services.studies.machine.plans import is_imported
from evaluation.studies.designs import DESIGNS, Design, as_data, design_of
from evaluation.studies.kinds import KINDS
from evaluation.studies.presets import PRESETS

MOST_SEED = 2**31 - 1
PROFILES = "n-profiles"
CONSENT = (
    "What you answer is kept for as long as the study is, and used to say how far the tests of ImpactBench can be "
    "trusted. Averages are published. You are named nowhere."
)
# The numbers of a design in words; lists are written with commas.
NUMBER_WORDS = {
    "raters": "Raters",
    "raters_per_item": "Raters for each item",
    "overlap": "Raters for the first items or metrics, where it is another number",
    "profiles": "Age groups; none: all",
    "n_metrics": "Metrics",
    "n_benchmarks": "Benchmarks; 0: any",
    "n_scenarios": "Scenarios",
    "n_targets": "Models under test; 0: all",
    "n_conversations": "Conversations",
    "n_judgments": "Judgments",
    "n_simulators": "Simulated users",
    "scenarios_per_metric": "Scenarios for each metric",
    "targets_per_scenario": "Masked models for each scenario",
    "metrics_per_polarity": "Metrics of each kind, good and bad",
    "bases_per_metric": "Base scenarios for each metric",
    "repeats": "Repeats",
    "judges": "Judges, by slug",
    "switches": "Parts of the simulated user that are switched off",
}


class StudyForm(forms.Form):
    """A study of one kind; the kind decides which numbers are asked for."""

    title = forms.CharField(max_length=200, label="Title", error_messages={"required": "Give the study a title."})
    runs = forms.MultipleChoiceField(
        required=False,
        label="Runs to draw from",
        help_text="Runs that are not public yet are better: their conversations cannot be looked up.",
        widget=forms.CheckboxSelectMultiple,
    )
    release = forms.ChoiceField(required=False, label="Or a release")
    seed = forms.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        label="Seed",
        help_text="The same seed draws the same items again.",
    )
    instructions = forms.CharField(
        required=False,
        max_length=10_000,
        label="What raters are to do",
        help_text="They read it before they say yes, and beside their progress.",
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    consent_text = forms.CharField(
        required=False,
        max_length=10_000,
        label="What they agree to",
        initial=CONSENT,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    reminder_days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=90,
        label="Remind after so many days without a word",
        help_text="Empty: nobody is reminded by the clock.",
    )

    has_open_links = forms.BooleanField(
        required=False,
        label="Whoever has the link of an invitation may accept it",
        help_text="Else only the person whose e-mail address it was sent to, once that address is confirmed.",
    )
    most_raters = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1_000,
        label="Take no more raters than",
        help_text="Then nobody can accept any more. Empty: whoever was invited may, and you read of it once there are "
        "more than planned.",
    )

    def __init__(self, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = KINDS[kind]
        self.preset = next((slug for slug, preset in PRESETS.items() if preset.kind == kind), "")
        self.preset_design: Design = PRESETS[self.preset].design if self.preset else DESIGNS[kind]()
        self.by_slug = {run.slug: run for run in _drawable_runs()}
        published = Release.objects.filter(status="published").prefetch_related(
            Prefetch("runs", Run.objects.defer("spec"))
        )
        self.releases = {release.slug: release for release in published}
        self._choose("runs", [(slug, self._name(slug, [run])) for slug, run in self.by_slug.items()])
        titles = ((slug, self._name(one.title, one.runs.all())) for slug, one in self.releases.items())
        self._choose("release", [("", "None"), *titles])
        self.fields["seed"].initial = random.randrange(MOST_SEED)  # noqa: S311  (a seed that is shown is no secret)  # nosec B311
        self._add_numbers()
        if not self.kind.by_people:
            for name in ("consent_text", "reminder_days", "instructions", "has_open_links", "most_raters"):
                del self.fields[name]
        for field in self.fields.values():
            _dress(field)

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _name(self, name: str, runs: Iterable[Run]) -> str:
        """What a source is called; one that a study by machine cannot take says so."""
        is_usable = self.kind.by_people or not any(map(is_imported, runs))
        return name if is_usable else f"{name} (imported: cannot be run again)"

    def _add_numbers(self) -> None:
        for name, value in as_data(self.preset_design).items():
            label = NUMBER_WORDS.get(name, name.replace("_", " "))
            if name == "profiles":
                self.profile_names = list(Profile.objects.values_list("slug", "name"))
                self.fields[PROFILES] = forms.MultipleChoiceField(
                    required=False, label=label, choices=self.profile_names, initial=value
                )
                continue
            self.fields[f"n-{name}"] = (
                forms.CharField(required=False, label=label, initial=", ".join(map(str, value)), max_length=500)
                if isinstance(value, list)
                else forms.IntegerField(label=label, initial=value)
            )

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields of the design."""
        return [self[name] for name in self.fields if name.startswith("n-")]

    @property
    def profile_boxes(self) -> list[dict[str, Any]]:
        """The age groups to tick, by their names."""
        chosen = self[PROFILES].value() or []
        return [{"value": slug, "name": name, "is_chosen": slug in chosen} for slug, name in self.profile_names]

    def clean(self) -> dict[str, Any]:
        """One source, and numbers that make a design."""
        given = dict(super().clean() or {})
        if not self.errors.get("runs") and bool(given.get("runs")) == bool(given.get("release")):
            self.add_error("runs", "Choose one run or more, or a release, and not both.")
        if not any(name.startswith("n-") for name in self.errors):
            try:
                self.design = design_of(self.kind.slug, self._numbers(given))
            except ValueError as problem:
                name, _, words = str(problem).partition(": ")
                self.add_error(f"n-{name}" if f"n-{name}" in self.fields else None, ValidationError(_sentence(words)))
        planned, most = given.get("n-raters"), given.get("most_raters")
        if planned and most and most < planned:
            self.add_error("most_raters", f"You plan {planned} raters, so give at least {planned}.")
        return given

    def _numbers(self, given: Mapping[str, Any]) -> dict[str, object]:
        """The numbers as `design_of` takes them; those of a list are whole numbers where the preset's are."""
        found: dict[str, object] = {}
        for field in fields(self.preset_design):
            value = given.get(f"n-{field.name}")
            if isinstance(getattr(self.preset_design, field.name), tuple) and not isinstance(value, list):
                value = [_part(text) for text in str(value or "").split(",") if text.strip()]
            found[field.name] = value
        return found

    def wish(self) -> Wish:
        """What is to be drawn; of a valid form."""
        given = self.cleaned_data
        source = (
            source_of_release(self.releases[given["release"]])
            if given["release"]
            else Source(tuple(self.by_slug[slug] for slug in given["runs"]))
        )
        is_preset = json.dumps(as_data(self.design)) == json.dumps(as_data(self.preset_design))
        return Wish(self.kind.slug, self.design, source, given["seed"], self.preset if is_preset else "")

    def words(self) -> Words:
        """What people read; of a valid form."""
        given = self.cleaned_data
        return Words(
            title=given["title"],
            instructions=given.get("instructions", ""),
            consent_text=given.get("consent_text", ""),
            reminder_days=given.get("reminder_days"),
        )

    def access(self) -> Access:
        """Who may accept; of a valid form."""
        given = self.cleaned_data
        return Access(has_open_links=given.get("has_open_links", False), most_raters=given.get("most_raters"))


def _drawable_runs() -> list[Run]:
    """Runs with something to show, the newest first."""
    ended = Conversation.objects.filter(state=Conversation.State.FINISHED)
    return list(Run.objects.filter(pk__in=ended.values("run")).defer("spec").order_by("-created_at")[:200])


def _part(text: str) -> object:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def _dress(field: forms.Field) -> None:
    if isinstance(field, forms.MultipleChoiceField | forms.BooleanField):
        return
    kind = "select" if isinstance(field, forms.ChoiceField) else "input"
    css = "area" if isinstance(field.widget, forms.Textarea) else kind
    field.widget.attrs |= {"class": css, "autocomplete": "off"}
