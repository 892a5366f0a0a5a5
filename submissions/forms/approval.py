"""What an editor chooses when a submission is approved, as a form on the page of the decision."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.models import Benchmark
from evaluation.services import paper_taxonomy
from submissions import composition
from submissions.models import Submission
from submissions.services.approving import LONGEST_NAME, ApprovalPlan, check_can_be_made, default_plan

NEW = "+"
_PROFILES = [(slug, name) for slug, (name, _attributes, _order) in paper_taxonomy.PROFILES.items()]


class ApprovalPlanForm(forms.Form):
    """`plan()` is what is filled in, right or wrong; `is_valid()` tells whether metrics can be made of it.

    Without data it shows `plan`, or what `services.approving.default_plan` proposes.
    """

    prefix = "plan"

    benchmark = forms.ChoiceField(label="Benchmark", required=False)
    new_slug = forms.CharField(label="Id of the new benchmark", required=False, max_length=60)
    new_name = forms.CharField(label="Name of the new benchmark", required=False, max_length=LONGEST_NAME)
    new_description = forms.CharField(label="What it is about", required=False, widget=forms.Textarea)
    profiles = forms.MultipleChoiceField(
        label="Who the user is", choices=_PROFILES, required=False, widget=forms.CheckboxSelectMultiple
    )
    plain_name = forms.CharField(label="Name in plain words", required=False, max_length=LONGEST_NAME)
    plain_definition = forms.CharField(label="What it means for people", required=False, widget=forms.Textarea)
    content_notices = forms.CharField(label="Hard content", required=False, widget=forms.Textarea)
    goal = forms.CharField(label="What the user wants", required=False, widget=forms.Textarea)
    latent_adversarial_goal = forms.CharField(
        label="What the user leads to without saying so", required=False, widget=forms.Textarea
    )

    def __init__(
        self, data: Any = None, *, submission: Submission, plan: ApprovalPlan | None = None, **options: Any
    ) -> None:
        self.submission = submission
        super().__init__(data, initial=_initial(plan or default_plan(submission)), **options)
        improved = submission.improves
        known = Benchmark.objects.filter(pk=improved.benchmark_id) if improved else Benchmark.objects.order_by("name")
        choices = [(one.slug, one.name) for one in known]
        self.fields["benchmark"].choices = (  # type: ignore[attr-defined]
            choices if improved else [("", "Choose one"), *choices, (NEW, "A new benchmark")]
        )
        content = submission.revisions.order_by("-number")[0].text
        self.briefs = composition.metric_briefs(content)
        for number, brief in enumerate(self.briefs, start=1):
            label = "Id of the metric" if len(self.briefs) == 1 else f"Id of metric {number}"
            self.fields[f"local_id_{number}"] = forms.CharField(
                label=label, required=False, max_length=64, help_text=brief.judge_question
            )
            self.initial.setdefault(f"local_id_{number}", "")
        defaults = composition.scenario_brief(content)
        self.fields["goal"].help_text = defaults.goal
        self.fields["latent_adversarial_goal"].help_text = defaults.latent_adversarial_goal
        self._describe_fields()

    def _describe_fields(self) -> None:
        """Looks, and the names by which hints are tied to their fields."""
        for name, item in self.fields.items():
            if isinstance(item.widget, forms.CheckboxSelectMultiple):
                continue
            looks: dict[type, str] = {forms.Select: "select", forms.Textarea: "area"}
            kind = looks.get(type(item.widget), "input")
            item.widget.attrs |= {"class": kind} | ({"rows": "2"} if kind == "area" else {"autocomplete": "off"})
            if name in ("goal", "latent_adversarial_goal", "content_notices") or item.help_text:
                item.widget.attrs["aria-describedby"] = f"plan-{name}-hint"

    @property
    def ids(self) -> list[forms.BoundField]:
        """The fields for the ids of the metrics, in the order of the questions."""
        return [self[f"local_id_{number}"] for number in range(1, len(self.briefs) + 1)]

    @property
    def goals(self) -> list[forms.BoundField]:
        """The fields for the two goals; their help texts are what stands for an empty one."""
        return [self["goal"], self["latent_adversarial_goal"]]

    def plan(self) -> ApprovalPlan:
        """What the form holds now, whether or not it can be used."""
        values = {name: self[name].value() or "" for name in self.fields}
        is_new = values["benchmark"] == NEW
        profiles = self["profiles"].value() or []
        return ApprovalPlan.from_json(
            {
                **values,
                "benchmark": values["new_slug"] if is_new else values["benchmark"],
                "is_new_benchmark": is_new,
                "benchmark_name": values["new_name"] if is_new else "",
                "benchmark_description": values["new_description"] if is_new else "",
                "local_ids": [item.value() or "" for item in self.ids],
                "profiles": [slug for slug, _name in _PROFILES if slug in profiles],
                "content_notices": str(values["content_notices"]).splitlines(),
            }
        )

    def clean(self) -> dict[str, Any]:
        """Adds what `check_can_be_made` says."""
        cleaned = super().clean() or {}
        for reason in check_can_be_made(self.submission, self.plan()):
            self.add_error(None, reason)
        return cleaned


def _initial(plan: ApprovalPlan) -> dict[str, Any]:
    return {
        "benchmark": NEW if plan.is_new_benchmark else plan.benchmark,
        "new_slug": plan.benchmark if plan.is_new_benchmark else "",
        "new_name": plan.benchmark_name,
        "new_description": plan.benchmark_description,
        "profiles": list(plan.profiles),
        "plain_name": plan.plain_name,
        "plain_definition": plan.plain_definition,
        "content_notices": "\n".join(plan.content_notices),
        "goal": plan.goal,
        "latent_adversarial_goal": plan.latent_adversarial_goal,
        **{f"local_id_{number}": one for number, one in enumerate(plan.local_ids, start=1)},
    }
