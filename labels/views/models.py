"""One model under test over the releases."""

import hashlib
from difflib import get_close_matches
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import LanguageModel
from labels.addresses import public_url
from labels.charts.history import history as chart
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.label import read_label
from labels.model_history import SAME, History, model_history
from labels.model_history_files import chart_dots
from labels.model_page import known_issues, standouts
from labels.strengths import strength_rule
from labels.views.siblings import page_files
from labels.weakest import weakest_spot_rule
from labels.wording import KINDS


@require_safe
def model(request: HttpRequest, model: str) -> HttpResponse:
    """Identity, the numbers of each release (never joined into a trend), and the way to the label."""
    state = read_state(request)
    shown = known_model(model)
    history = shown_history(request, shown)
    here = next((point for point in history.points if point.release == state.release), None)
    context = {
        "section": "labels",
        "state": state,
        "model": shown,
        "prompt_hash": hashlib.sha256(shown.system_prompt.encode()).hexdigest() if shown.system_prompt else "",
        "parameters": sorted(shown.parameters.items()),
        "history": history,
        "charts": _charts(history, shown),
        "here": here,
        "crumbs": [(_("Labels"), reverse("labels:labels")), (shown.name, "")],
        **page_files(request, state, "csv", "xlsx", "json", "svg"),
        **(_label_part(request, state, shown) if here else {}),
    }
    return render(request, "labels/model.html", context)


def known_model(slug: str) -> LanguageModel:
    """The tested model of that slug; PageNotFound with those that come near."""
    tested = LanguageModel.objects.filter(releases__isnull=False).distinct()
    shown = tested.filter(slug=slug).first()
    if shown is None:
        names = dict(tested.values_list("slug", "name"))
        near = get_close_matches(slug, names, n=5, cutoff=0.4)
        links = [(names[one], reverse("labels:model", args=[one])) for one in near]
        everything = [(_("All labels"), reverse("labels:labels"))]
        raise PageNotFound(_("There is no tested model named “%(slug)s”.") % {"slug": slug}, links or everything)
    return shown


def shown_history(request: HttpRequest, model: LanguageModel) -> History:
    """The history that the address asks for: `view=same` counts the metrics that all releases have."""
    return model_history(model, same=request.GET.get("view") == SAME)


def _label_part(request: HttpRequest, state: State, model: LanguageModel) -> dict[str, object]:
    if state.release is None:
        return {}
    label = read_label(state.release, model, profiles=state.profiles)
    share = reverse("labels:label-share", args=[model.slug])
    return {
        "label": label,
        "standouts": standouts(label),
        "rules": [*weakest_spot_rule(), strength_rule()],
        "known_issues": known_issues(label),
        "share_picture": public_url(request, share),
    }


def _charts(history: History, model: LanguageModel) -> list[tuple[object, object]]:
    """(kind, chart) of both kinds; none while there is one release only."""
    if len(history.points) < 2:
        return []
    breaks = [step.is_break for step in history.steps]
    draw = partial(chart, breaks=breaks)
    return [
        (
            kind,
            draw(
                polarity,
                chart_dots(history, polarity),
                title=_("%(kind)s by release: %(model)s") % {"kind": kind.name, "model": model.name},
                description=_("The numbers stand in the table below. Dots are not joined: releases are no trend."),
            ),
        )
        for polarity, kind in KINDS.items()
    ]
