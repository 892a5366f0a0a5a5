"""The form in which operators publish finished runs as a release; what it asks is what `publish_release` asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from evaluation.models import JudgeConfiguration, ReleaseRequest, Run, Taxonomy
from evaluation.selectors.release_partners import Partner
from evaluation.selectors.studies.disclosed import told_by_release
from evaluation.services import publishing
from evaluation.services.studies.disclosing import in_words
from impactbench.common.errors import DomainError


class ReleaseForm(forms.Form):
    """A release to be made of one run, and of others that are over."""

    slug = forms.CharField(
        max_length=100,
        label="Name of the release",
        help_text="Stands in its address, for example 2026-11. It never changes.",
        error_messages={"required": "Give the release a name."},
    )
    title = forms.CharField(
        required=False,
        max_length=publishing.MOST_TITLE,
        label="Title",
        help_text="Empty makes it of the name: 2026-11 is November 2026.",
    )
    runs = forms.MultipleChoiceField(
        required=False,
        label="Publish with it",
        help_text="Runs that were made alike, and hold other conversations.",
        widget=forms.CheckboxSelectMultiple,
    )
    judge = forms.ChoiceField(required=False, label="Whose verdicts count")
    taxonomy = forms.ChoiceField(required=False, label="Taxonomy")
    despite_open_studies = forms.BooleanField(
        required=False,
        label="Publish although these studies are open",
        help_text="Raters could then look up what is hidden from them. They are asked what they know of it, "
        "before their next rating.",
    )

    def __init__(self, run: Run, partners: Sequence[Partner], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.run, self.partners = run, partners
        self.judges = {judge.slug: judge for judge in run.judges.order_by("slug")}
        self._choose("runs", [(partner.run.slug, partner.run.slug) for partner in partners])
        self._choose("judge", [("", "All judges: the majority counts"), *((slug, slug) for slug in self.judges)])
        taxonomies = Taxonomy.objects.order_by("slug").values_list("slug", flat=True).distinct()
        self._choose("taxonomy", [("", "The one the metrics are placed in"), *((slug, slug) for slug in taxonomies)])
        if len(self.judges) < 2:
            del self.fields["judge"]
        if len(taxonomies) < 2:
            del self.fields["taxonomy"]
        # Of all runs that may be chosen: which ones are is not known before.
        self.open_studies = in_words(told_by_release([run, *(partner.run for partner in partners)]))
        if not self.open_studies:
            del self.fields["despite_open_studies"]
        for field in self.fields.values():
            if not isinstance(field, forms.MultipleChoiceField | forms.BooleanField):
                kind = "select" if isinstance(field, forms.ChoiceField) else "input"
                field.widget.attrs |= {"class": kind, "autocomplete": "off"}

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean_slug(self) -> str:
        """A name that fits and is free."""
        slug = str(self.cleaned_data["slug"])
        try:
            publishing.refuse_unusable_slug(slug)
        except DomainError as problem:
            raise ValidationError(_sentence(str(problem))) from problem
        return slug

    def clean(self) -> dict[str, Any]:
        """Raters of open studies are thought of before anything is asked for."""
        given = dict(super().clean() or {})
        if not self.errors.get("runs") and not given.get("despite_open_studies") and self.open_studies:
            self.cleaned_data = given
            if told := told_by_release(self.chosen_runs()):
                names = "; ".join(in_words(told))
                self.add_error("despite_open_studies", f"Tick this box, or close them first: {names}.")
        return given

    def chosen_runs(self) -> list[Run]:
        """The run of the page and those published with it; of a valid form."""
        chosen = set(self.cleaned_data["runs"])
        return [self.run, *(partner.run for partner in self.partners if partner.run.slug in chosen)]

    def chosen_judge(self) -> JudgeConfiguration | None:
        """The judge who counts alone; None where all do."""
        return self.judges.get(self.cleaned_data.get("judge", ""))

    def refuse(self, problem: DomainError) -> None:
        """Put what speaks against the release above the form, a list below its sentence."""
        sentence, *lines = str(problem).splitlines()
        self.add_error(None, ValidationError([_sentence(sentence), *(line.strip() for line in lines)]))


def asked_before(request: ReleaseRequest) -> dict[str, Any]:
    """What the form held when this was asked for."""
    return {
        "slug": request.slug,
        "title": request.title,
        "runs": list(request.runs.values_list("slug", flat=True)),
        "judge": request.judge.slug if request.judge else "",
        "taxonomy": request.taxonomy,
        "despite_open_studies": request.despite_open_studies,
    }


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith((':', '.')) else '.'}"
