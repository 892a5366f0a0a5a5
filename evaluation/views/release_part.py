"""What the page of a run says of the release that is made of it."""

from __future__ import annotations

from typing import Any

from evaluation.models import ReleaseRequest, Run
from evaluation.release_form import ReleaseForm, asked_before
from evaluation.selectors.release_partners import is_publishable, partners_of
from evaluation.services import release_requests

State = ReleaseRequest.State


def release_part(run: Run, form: ReleaseForm | None = None) -> dict[str, Any]:
    """The releases of the run, what was asked for last, and the form where something may be asked for.

    `form` is one that was sent and refused; without it the form begins with what failed before, or empty.
    """
    if not is_publishable(run):
        return {"is_publishable": False}
    asked = release_requests.newest_of(run)
    is_waiting = asked is not None and asked.state == State.WAITING
    if form is None and not is_waiting:
        has_failed = asked is not None and asked.state == State.FAILED
        form = ReleaseForm(run, partners_of(run), initial=asked_before(asked) if asked and has_failed else None)
    return {
        "is_publishable": True,
        "releases": list(run.releases.order_by("-published_at")),
        "asked": asked,
        "is_waiting": is_waiting,
        "trouble": asked.trouble.splitlines() if asked and asked.state == State.FAILED else [],
        "release_form": form,
        **(_boxes(form) if form else {}),
    }


def _boxes(form: ReleaseForm) -> dict[str, Any]:
    chosen = form["runs"].value() or []
    own = tuple(form.judges)
    return {
        "alike": [
            {
                "value": partner.run.slug,
                "name": partner.run.slug
                + ("" if partner.judges == own else f", read by {' and '.join(partner.judges)}")
                + (", a demonstration" if partner.run.is_demonstration else ""),
                "is_chosen": partner.run.slug in chosen,
            }
            for partner in form.partners
            if not partner.differs or partner.run.slug in chosen
        ],
        "unlike": [partner for partner in form.partners if partner.differs],
    }
