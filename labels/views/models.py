"""One model under test over the releases."""

from dataclasses import dataclass, field
from difflib import get_close_matches

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.models import LanguageModel, Release, Result
from labels.context import read_state
from labels.errors import PageNotFound
from labels.numbers import Number, number


@dataclass
class InRelease:
    """A release and the model's two numbers in it, by kind; all profiles together."""

    release: Release
    numbers: dict[str, Number] = field(default_factory=dict)

    @property
    def both(self) -> list[Number | None]:
        return [self.numbers.get("positive"), self.numbers.get("negative")]


@require_safe
def model(request: HttpRequest, model: str) -> HttpResponse:
    """Identity, the numbers of each release (never joined into a trend), and the way to the label."""
    state = read_state(request)
    shown = LanguageModel.objects.filter(slug=model, releases__isnull=False).distinct().first()
    if shown is None:
        names = dict(LanguageModel.objects.filter(releases__isnull=False).distinct().values_list("slug", "name"))
        near = get_close_matches(model, names, n=5, cutoff=0.4)
        links = [(names[slug], reverse("labels:model", args=[slug])) for slug in near]
        raise PageNotFound(f"There is no tested model named “{model}”.", links or [("All labels", "/labels/")])
    rows = {release.pk: InRelease(release) for release in shown.releases.defer("groups").order_by("-published_at")}
    headlines = Result.objects.filter(model=shown, group=Result.Group.OVERALL, profile="all", release__in=list(rows))
    for result in headlines:
        rows[result.release_id].numbers[result.polarity] = number(result)
    here = rows.get(state.release.pk) if state.release else None
    context = {
        "section": "labels",
        "state": state,
        "model": shown,
        "rows": list(rows.values()),
        "here": here,
        "parameters": sorted(shown.parameters.items()),
        "crumbs": [("Labels", "/labels/"), (shown.name, "")],
    }
    return render(request, "labels/model.html", context)
