"""/studies/<study>/: those who run it see its raters and act; those who rate in it see their own page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.machine_study_form import StartForm
from evaluation.models import Adjudication, Profile, Study, StudyItem
from evaluation.selectors.studies.decided import adjudications_of
from evaluation.selectors.studies.disclosed import told_by_study
from evaluation.selectors.studies.frames import items_with_names, verdicts_of
from evaluation.selectors.studies.progress import rater_lines
from evaluation.selectors.studies.seen import managed_studies, seat_in
from evaluation.selectors.studies.spread import Spread, disagreed, spread_of
from evaluation.services.studies import (
    adjudicating,
    answering,
    closing,
    designing,
    disclosing,
    inviting,
    opening,
    publishing,
    reminding,
)
from evaluation.studies.kinds import KINDS
from evaluation.study_form import NUMBER_WORDS
from evaluation.study_tables.tables import analysis_tables
from evaluation.views.studies.access import managed_study
from evaluation.views.studies.machine import machine_part
from evaluation.views.studies.own import own_page
from impactbench.common.errors import DomainError


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One item in the table of all: its ratings, the judge's verdict, why it waits for a decision, and the decision."""

    item: StudyItem
    spread: Spread | None
    verdict: bool | None
    why: tuple[str, ...]
    decided: Adjudication | None

    @property
    def waits(self) -> bool:
        return bool(self.why) and self.decided is None and adjudicating.can_be_decided(self.item)


@never_cache
@require_safe
def study_page(request: HttpRequest, study: str) -> HttpResponse:
    """The study, as far as the person may see it; unknown and forbidden are the same 404."""
    found = managed_studies(request.user).filter(public_id=study).exists()
    seat = None if found else seat_in(request.user, study)
    if seat is not None:
        return own_page(request, seat)
    return show_study(request, managed_study(request, study))


def show_study(
    request: HttpRequest,
    study: Study,
    *,
    problem: str = "",
    addresses: str = "",
    start_form: StartForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of those who run the study, with the form that was refused, if one was."""
    context = {
        "section": "studies",
        "study": study,
        "kind": KINDS[study.kind],
        "lines": rater_lines(study),
        "n_taking_part": answering.n_taking_part(study),
        "n_items": study.items.count(),
        "runs": study.runs.order_by("slug"),
        "numbers": _numbers(study),
        "told": disclosing.in_words(told_by_study(study)) if study.state == Study.State.CLOSED else [],
        "disclosures": study.disclosures.select_related("release", "other").defer("release__groups", "other__analysis"),
        "problem": problem,
        "addresses": addresses,
        **machine_part(study, request.user, start_form),
    }
    return render(request, "evaluation/studies/study.html", context, status=status)


def _numbers(study: Study) -> list[tuple[str, str]]:
    """The design in words; an empty list is what it stands for."""
    profiles = study.design.get("profiles", [])
    names = dict(Profile.objects.filter(slug__in=profiles).values_list("slug", "name")) if profiles else {}
    return [
        (
            NUMBER_WORDS.get(name, name),
            (", ".join(str(names.get(one, one)) for one in value) or "–") if isinstance(value, list) else str(value),
        )
        for name, value in study.design.items()
    ]


@never_cache
@require_safe
def analysis(request: HttpRequest, study: str) -> HttpResponse:
    """What the ratings say: live while the study is open, as it was frozen afterwards."""
    found = managed_study(request, study)
    data = found.analysis if found.analysis is not None else _live(found)
    context = {
        "section": "studies",
        "study": found,
        "kind": KINDS[found.kind],
        "tables": analysis_tables(found, data) if data else [],
        "data": data,
    }
    return render(request, "evaluation/studies/analysis.html", context)


def _live(study: Study) -> dict[str, Any] | None:
    return closing.analysis_of(study) if study.state != Study.State.DRAFT else None


@never_cache
@require_safe
def items(request: HttpRequest, study: str) -> HttpResponse:
    """All items: those that wait for a decision first."""
    found = managed_study(request, study)
    named = items_with_names(found)
    spread, decided, verdicts = spread_of(found), adjudications_of(found), verdicts_of(found, named)
    why = disagreed(found) if KINDS[found.kind].by_people else {}
    rows = [
        ItemLine(
            item=one,
            spread=spread.get(one.number),
            verdict=verdicts.get(one.number),
            why=tuple(why.get(one.number, ())),
            decided=decided.get(one.number, [None])[-1],
        )
        for one in named
    ]
    context = {"section": "studies", "study": found, "rows": sorted(rows, key=lambda row: (not row.waits, not row.why))}
    return render(request, "evaluation/studies/items.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def item(request: HttpRequest, study: str, number: int) -> HttpResponse:
    """One item with all its ratings; a decision can be added."""
    found = managed_study(request, study)
    one = get_object_or_404(found.items.select_related("metric_version__metric", "target"), number=number)
    problem = ""
    if request.method == "POST":
        given = {"outcome": request.POST.get("outcome", ""), "reasons": request.POST.get("reasons", "")}
        try:
            adjudicating.adjudicate(one, actor=request.user, **given)
        except DomainError as refusal:
            problem = str(refusal)
        else:
            messages.success(request, "The decision is kept beside the ratings.")
            return redirect("evaluation:study-item", study, number)
    context = {
        "section": "studies",
        "study": found,
        "item": one,
        "spread": spread_of(found, number=number).get(number),
        "verdict": verdicts_of(found, [one]).get(number),
        "decided": adjudications_of(found).get(number, []),
        "turns": one.conversation.turns.order_by("number") if one.conversation else [],
        "outcomes": Adjudication.Outcome.choices if adjudicating.can_be_decided(one) else [],
        "given": request.POST,
        "problem": problem,
    }
    return render(request, "evaluation/studies/item.html", context, status=422 if problem else 200)


@require_POST
def invite(request: HttpRequest, study: str) -> HttpResponse:
    """Ask people by e-mail, one address on a line."""
    found = managed_study(request, study)
    addresses = request.POST.get("addresses", "")
    try:
        raters = inviting.invite(found, addresses.splitlines(), actor=request.user)
    except DomainError as refusal:
        return show_study(request, found, problem=str(refusal), addresses=addresses, status=422)
    when = "were written to" if found.state == Study.State.OPEN else "are written to when the study is opened"
    messages.success(request, f"{len(raters)} {when}.")
    return redirect("evaluation:study", study)


@require_POST
def rater(request: HttpRequest, study: str, seat: int) -> HttpResponse:
    """Remind one rater, or take an invitation back."""
    found = managed_study(request, study)
    act: Callable[..., Any] = inviting.uninvite if request.POST.get("a") == "uninvite" else reminding.remind
    return _done(request, study, lambda: act(found, seat, actor=request.user), "Done.")


@require_POST
def act(request: HttpRequest, study: str) -> HttpResponse:
    """Open, close, analyse again, publish, or throw away."""
    found, action = managed_study(request, study), request.POST.get("a", "")
    if action == "discard":
        try:
            designing.discard(found, actor=request.user)
        except DomainError as refusal:
            messages.error(request, str(refusal))
            return redirect("evaluation:study", study)
        messages.success(request, "The draft was thrown away.")
        return redirect("evaluation:studies")
    is_ticked = "despite_open_studies" in request.POST
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "open": (lambda: opening.open_study(found, actor=request.user), "The study is open."),
        "close": (lambda: closing.close_study(found, actor=request.user), "The study is closed, its analysis frozen."),
        "again": (lambda: closing.analyse_again(found, actor=request.user), "The analysis was made anew."),
        "publish": (
            lambda: publishing.publish_study(found, actor=request.user, despite_open_studies=is_ticked),
            "The study is published.",
        ),
    }
    if action not in acts:
        messages.error(request, "Choose what is to be done.")
        return redirect("evaluation:study", study)
    return _done(request, study, *acts[action])


def _done(request: HttpRequest, study: str, do: Callable[[], Any], words: str) -> HttpResponse:
    try:
        do()
        messages.success(request, words)
    except DomainError as refusal:
        messages.error(request, _sentence(str(refusal)))
    return redirect("evaluation:study", study)


def _sentence(refusal: str) -> str:
    return f"{refusal[:1].upper()}{refusal[1:]}"
