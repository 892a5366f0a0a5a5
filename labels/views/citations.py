"""How to cite the site, the shown release and a label."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels import citing
from labels.addresses import public_url, query_string
from labels.context import State, read_state
from labels.ordering import by_name


@require_safe
def cite(request: HttpRequest) -> HttpResponse:
    """Ready-made citations; `m` names the model whose label is cited."""
    state = read_state(request)
    context = {
        "section": "",
        "state": state,
        "citations": _citations(request, state),
        "paper": citing.PAPER,
        "models": by_name(state.targets),
        "chosen": state.models[0].slug if state.models else "",
        "crumbs": [(_("About"), reverse("labels:about")), (_("How to cite"), "")],
    }
    return render(request, "labels/cite.html", context)


def _citations(request: HttpRequest, state: State) -> list[tuple[str, str, citing.Citation]]:
    """(anchor, heading, citation): the site, then the release, then the chosen label."""
    found = [("site", _("The site"), citing.site_citation(public_url(request, "/")))]
    release = state.release
    if release is None:
        return found
    address = public_url(request, reverse("labels:release", args=[release.slug]))
    found.append(("release", _("A release"), citing.release_citation(release, address)))
    for model in state.models[:1]:
        path = reverse("labels:label", args=[model.slug]) + query_string({"release": release.slug})
        label = citing.label_citation(release, model, public_url(request, path))
        found.append(("label", _("A label"), label))
    return found
