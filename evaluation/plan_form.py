"""The form in which operators plan a run; what it asks is what PLAN.yaml asks."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from django import forms

from evaluation.models import Benchmark, LanguageModel, Profile, Suite
from evaluation.plans import (
    DEFAULT_TURNS,
    MOST_IN_FLIGHT,
    MOST_REPEATS,
    MOST_SAMPLES,
    MOST_TURNS,
    UNPRICED_CALL_USD,
    Plan,
    Word,
)

_LARGEST_SEED = 2**31 - 1
_NOT_CHOSEN = ("", "(none)")
_CLASSES: dict[type, str] = {forms.Select: "select", forms.Textarea: "area"}
_HINTS = {
    "name": "Letters, digits and hyphens.",
    "judge": "Several judges are a panel: the majority counts.",
    "metrics": "One a line, for example autonomy/m01.",
    "profiles": "None ticked means all.",
    "turns": "Empty leaves it to each scenario.",
    "budget_usd": "The run pauses before it would pass this. Nothing is lost, you can raise it. Empty means no limit.",
    "seed": "The same seed gives the same typing edits.",
    "unpriced_call_usd": "Counts against the budget only.",
}
MEASURED = ("suite", "benchmarks", "metrics")


class PlanForm(forms.Form):
    """A plan to estimate or to start. Its fields bear the names of the plan's keys."""

    name = forms.RegexField(
        r"^[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\Z",
        max_length=100,
        label="Name of the run",
        error_messages={
            "required": "Give the run a name.",
            "invalid": "Use letters, digits and single hyphens between them, for example health-pilot.",
        },
    )
    suite = forms.ChoiceField(required=False, label="A suite")
    benchmarks = forms.MultipleChoiceField(required=False, label="or benchmarks", widget=forms.CheckboxSelectMultiple)
    metrics = forms.CharField(required=False, max_length=20_000, label="or single metrics", widget=forms.Textarea)
    user_simulator = forms.ChoiceField(label="Simulated user", error_messages={"required": "Choose a model."})
    judge = forms.MultipleChoiceField(
        label="Judges",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one model."},
    )
    targets = forms.MultipleChoiceField(
        label="Targets",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one model."},
    )
    profiles = forms.MultipleChoiceField(required=False, label="Who asks", widget=forms.CheckboxSelectMultiple)
    turns = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_TURNS, label="Turns, at most", initial=DEFAULT_TURNS
    )
    samples = forms.IntegerField(
        min_value=1, max_value=MOST_SAMPLES, label="Conversations for each scenario and target", initial=1
    )
    judge_repeats = forms.IntegerField(
        min_value=1, max_value=MOST_REPEATS, label="Judgments of each conversation by each judge", initial=1
    )
    concurrency = forms.IntegerField(
        min_value=1, max_value=MOST_IN_FLIGHT, label="Conversations in flight in each worker", initial=50
    )
    seed = forms.IntegerField(min_value=0, max_value=_LARGEST_SEED, label="Seed", initial=0)
    budget_usd = forms.DecimalField(
        required=False, min_value=Decimal(0), max_digits=12, decimal_places=4, label="Budget in US dollars"
    )
    unpriced_call_usd = forms.DecimalField(
        min_value=Decimal("0.0001"),
        max_digits=12,
        decimal_places=4,
        label="What a call of unknown price counts, in US dollars",
        initial=UNPRICED_CALL_USD,
    )
    anchors = forms.BooleanField(required=False, initial=True, label="Anchors")
    adversarial_guidance = forms.BooleanField(required=False, initial=True, label="Adversarial guidance")
    typing_edits = forms.BooleanField(required=False, initial=True, label="Typing edits")
    structured_simulator = forms.BooleanField(required=False, label="Ask the simulated user for JSON")
    realism_check = forms.BooleanField(required=False, label="Check that its lines sound like a person")
    allow_cut_replies = forms.BooleanField(required=False, label="Keep replies that were cut off")

    def __init__(self, *args: Any, known_keys: frozenset[str] | None = None, **kwargs: Any) -> None:
        """`known_keys` are the key variables that workers have; None when no worker has said so."""
        super().__init__(*args, **kwargs)
        self._known_keys = known_keys
        self.models = {model.slug: model for model in LanguageModel.objects.exclude(litellm_model="")}
        named = [(slug, model.name) for slug, model in self.models.items()]
        for name, field in self.fields.items():
            field.help_text = _HINTS.get(name, "")
            if not isinstance(field, forms.BooleanField | forms.MultipleChoiceField):
                kind = _CLASSES.get(type(field.widget), "input")
                field.widget.attrs |= {"class": kind} | ({"rows": "3"} if kind == "area" else {"autocomplete": "off"})
        self._choose("suite", [_NOT_CHOSEN, *((str(suite), _suite_label(suite)) for suite in Suite.objects.all())])
        self._choose("benchmarks", _runnable_benchmarks())
        self._choose("user_simulator", [_NOT_CHOSEN, *named])
        self._choose("judge", named)
        self._choose("targets", named)
        self._choose("profiles", Profile.objects.filter(scenarios__isnull=False).distinct().values_list("slug", "name"))

    def clean_metrics(self) -> list[str]:
        """The slugs, one a line or with commas."""
        return list(dict.fromkeys(str(self.cleaned_data["metrics"]).replace(",", " ").split()))

    def clean(self) -> dict[str, Any]:
        """Exactly one way to say what is measured, and no model whose key no worker has."""
        cleaned = super().clean() or {}
        given = [key for key in MEASURED if cleaned.get(key)]
        if len(given) != 1 and not any(key in self.errors for key in MEASURED):
            many = "Choose only one of a suite, benchmarks and single metrics; the others must stay empty."
            self.add_error("suite", many if given else "Choose a suite, benchmarks or single metrics.")
        for role in ("user_simulator", "judge", "targets"):
            chosen = cleaned.get(role) or []
            for slug in [chosen] if isinstance(chosen, str) else chosen:
                if trouble := self.key_trouble(slug):
                    self.add_error(role, f"{self.models[slug].name}: {trouble}. Give it to a worker, or leave it out.")
        return cleaned

    def key_trouble(self, slug: str) -> str:
        """Why a model cannot be called by the workers that run now; empty when it can, or when nobody knows."""
        variable = self.models[slug].api_key_env
        if not variable or self._known_keys is None or variable in self._known_keys:
            return ""
        return f"no worker has its key {variable}"

    def plan(self) -> Plan:
        """The plan of a valid form. A problem of it names its field by the number of the line."""
        values = self.cleaned_data
        same = ("name", "turns", "samples", "judge_repeats", "seed", "concurrency", "budget_usd", "unpriced_call_usd")
        switches = [name for name, field in self.fields.items() if isinstance(field, forms.BooleanField)]
        return Plan(
            file=Path("form"),
            suite=self._word("suite", values["suite"]) if values["suite"] else None,
            benchmarks=self._words("benchmarks"),
            metrics=self._words("metrics"),
            user_simulator=self._word("user_simulator", values["user_simulator"]),
            judges=self._words("judge"),
            targets=self._words("targets"),
            profiles=self._words("profiles"),
            demonstration=False,
            models=(),
            places={name: (self._line(name), 1) for name in self.fields},
            **{name: values[name] for name in (*same, *switches)},
        )

    def refuse(self, line: int | None, message: str) -> None:
        """Put what is wrong with the plan beside its field."""
        names = list(self.fields)
        name = names[line - 1] if line and line <= len(names) else "name"
        self.add_error(name, f"{message[:1].upper()}{message[1:]}.")

    def _choose(self, name: str, choices: Iterable[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def _line(self, name: str) -> int:
        return list(self.fields).index(name) + 1

    def _word(self, name: str, text: str) -> Word:
        return Word(text, self._line(name), 1)

    def _words(self, name: str) -> tuple[Word, ...]:
        return tuple(self._word(name, text) for text in self.cleaned_data[name])


def _suite_label(suite: Suite) -> str:
    return f"{suite.title or suite.slug}, version {suite.version}"


def _runnable_benchmarks() -> list[tuple[str, str]]:
    runnable = Benchmark.objects.filter(metrics__versions__is_runnable=True).distinct().order_by("name", "slug")
    return list(runnable.values_list("slug", "name"))
