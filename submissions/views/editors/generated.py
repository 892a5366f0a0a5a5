"""Drafts by language models: an editor keeps, changes, merges or removes each, then takes over what stands."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from evaluation.drafting import deciding, preview
from evaluation.drafting.fields import FIELDS, content_of, texts_of
from evaluation.drafting.taking_over import take_over
from evaluation.models import Benchmark, GeneratedDraft
from evaluation.plans import MOST_TURNS
from evaluation.services.trial_costs import TRIAL_TURNS
from impactbench.common.errors import DomainError
from submissions.content import text_of
from submissions.models import Trial
from submissions.selectors import generated as selector
from submissions.selectors.draft_trials import Choice, choice_of, draft_trial_shown, trial_panel
from submissions.services.draft_trials import ask_for_draft_trial, trials_of
from submissions.views.editors.access import need_editor

_SECTION = {"section": "review", "tab": "generated"}
ANCHOR = "anchor-"  # and the number of its turn


@never_cache
@require_safe
def benchmarks(request: HttpRequest) -> HttpResponse:
    """The benchmarks for which anything was drafted."""
    need_editor(request)
    context = {**_SECTION, "benchmarks": selector.benchmarks_with_drafts()}
    return render(request, "submissions/generated/benchmarks.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def drafts(request: HttpRequest, slug: str) -> HttpResponse:
    """The drafts of one benchmark, each base with its variants beside it."""
    need_editor(request)
    benchmark = get_object_or_404(Benchmark, slug=slug)
    if request.method == "POST":
        try:
            messages.success(request, _act(request, benchmark))
        except DomainError as error:
            messages.error(request, str(error))
        return redirect(request.get_full_path())
    view = request.GET.get("view", "")
    view = view if view in selector.VIEWS else "open"
    page = Paginator(selector.drafts_of(benchmark, view), selector.PAGE).get_page(request.GET.get("page"))
    context = {
        **_SECTION,
        "benchmark": benchmark,
        "view": view,
        "views": [(name, title) for name, (_, title) in selector.VIEWS.items()],
        "page": page,
        "query": f"view={view}",
        "drafts": [selector.shown(row) for row in page],
    }
    return render(request, "submissions/generated/drafts.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One draft, to be kept in other words, merged or removed; what was typed is never lost."""
    need_editor(request)
    row = get_object_or_404(
        GeneratedDraft.objects.select_related("benchmark", "metric_version", "base__metric_version", "base_scenario"),
        pk=pk,
        benchmark__slug=slug,
    )
    if request.method != "POST":
        return _draft_seen(request, row)
    typed = {name: text_of(request.POST[name]) for name in FIELDS[row.kind] if name in request.POST}
    if any(name.startswith(ANCHOR) for name in request.POST):
        typed["anchors"] = _anchor_lines(request)
    try:
        return _draft_act(request, row, typed)
    except DomainError as error:
        return _draft_page(request, row, {**texts_of(row.kind, row.content), **typed}, problem=str(error))


@never_cache
@require_safe
@vary_on_headers("HX-Request")
def draft_trial(request: HttpRequest, slug: str, pk: int, key: int) -> HttpResponse:
    """One trial of a draft: its part of the page when htmx asks, else the page of the draft with the words tried."""
    need_editor(request)
    trial = get_object_or_404(
        Trial.objects.select_related("generated__benchmark"), pk=key, generated=pk, generated__benchmark__slug=slug
    )
    if not request.headers.get("HX-Request"):
        return redirect(_trial_address(trial))
    assert trial.generated is not None
    shown = draft_trial_shown(trial.generated, trial, request.user)
    return render(request, "submissions/trials/_trial.html", {"trial": shown})


def _act(request: HttpRequest, benchmark: Benchmark) -> str:
    action, _, key = request.POST.get("a", "").partition("-")
    if action == "take":
        taken = take_over(benchmark, actor=request.user)
        return f"{len(taken)} drafts were taken over." if taken else "There is nothing to take over yet."
    rows = GeneratedDraft.objects.filter(benchmark=benchmark, pk=int(key) if key.isascii() and key.isdigit() else 0)
    row = rows.first()
    if row is None:
        raise DomainError("Choose what to do with which draft.")
    if action == "keep":
        deciding.keep(row, actor=request.user)
    elif action == "all":
        for one in (row, *row.variants.filter(state=GeneratedDraft.State.PROPOSED)):
            deciding.keep(one, actor=request.user)
    elif action == "remove":
        deciding.remove(row, reason=text_of(request.POST.get(f"reason-{row.pk}", "")), actor=request.user)
    elif action == "reopen":
        deciding.reopen(row, actor=request.user)
    else:
        raise DomainError("Choose what to do with which draft.")
    return f"Done: {row}."


def _draft_act(request: HttpRequest, row: GeneratedDraft, typed: dict[str, str]) -> HttpResponse:
    """Do what was pressed with the words that were typed. Raises DomainError."""
    action = request.POST.get("a")
    if action == "preview":
        shown = preview.simulator_prompt(row, {**row.content, **content_of(row.kind, typed)})
        return _draft_page(request, row, {**texts_of(row.kind, row.content), **typed}, shown=shown)
    if action == "try":
        choice = _choice(request)
        trial = ask_for_draft_trial(
            row, content_of(row.kind, typed), actor=request.user, target=choice.target, turns=choice.turns
        )
        return redirect(_trial_address(trial))
    if action == "merge":
        into = request.POST.get("into", "")
        other = GeneratedDraft.objects.filter(pk=int(into) if into.isascii() and into.isdigit() else 0).first()
        if other is None:
            raise DomainError("Choose the draft to merge into.")
        deciding.merge(row, other, actor=request.user)
    elif action == "keep":
        deciding.revise(row, content_of(row.kind, typed), actor=request.user)
    else:
        raise DomainError("Choose what to do with the draft.")
    messages.success(request, "Kept." if action != "merge" else "Merged.")
    return redirect("submissions:generated-drafts", row.benchmark.slug)


def _draft_seen(request: HttpRequest, row: GeneratedDraft) -> HttpResponse:
    """The page with the draft's own words, or with those of the trial that the address names."""
    texts = texts_of(row.kind, row.content)
    named = request.GET.get("trial", "")
    trial = next((one for one in trials_of(row) if str(one.pk) == named), None)
    return _draft_page(request, row, {**texts, **(trial.content["texts"] if trial else {})}, trial=trial)


def _choice(request: HttpRequest) -> Choice:
    """The model and the turns that were chosen; a number of turns that is none is refused as 0."""
    # SECURITY: a model is chosen by its name among registered ones; no address and no key is ever taken from a form.
    turns = request.POST.get("turns", str(TRIAL_TURNS))
    is_number = turns.isascii() and turns.isdigit() and len(turns) < 3
    return Choice(request.POST.get("target", ""), int(turns) if is_number else 0)


def _trial_address(trial: Trial) -> str:
    """The page of the draft with the words that were tried, at their trial."""
    assert trial.generated is not None
    page = reverse("submissions:generated-draft", args=[trial.generated.benchmark.slug, trial.generated.pk])
    return f"{page}?trial={trial.pk}#trial"


def _anchor_lines(request: HttpRequest) -> str:
    """The anchors of the turn line, one a line as `3: Press for an answer.`; what has no turn stays to be refused."""
    found = (
        (name.removeprefix(ANCHOR), text_of(text)) for name, text in request.POST.items() if name.startswith(ANCHOR)
    )
    return "\n".join(f"{turn}: {' '.join(text.split())}" for turn, text in found if text.strip())


def _turn_line(text: str) -> list[tuple[int, str]]:
    """Every turn of the conversation with its anchor. Several at one turn are read as one."""
    try:
        anchors = content_of(GeneratedDraft.Kind.VARIANT, {"anchors": text})["anchors"]
    except DomainError:
        return []
    by_turn: dict[int, list[str]] = {}
    for anchor in anchors:
        by_turn.setdefault(anchor["turn"], []).append(anchor["objective"])
    last = min(preview.turns_of({"anchors": anchors}), MOST_TURNS)
    return [(turn, " ".join(by_turn.get(turn, ()))) for turn in range(1, last + 1)]


def _draft_page(
    request: HttpRequest,
    row: GeneratedDraft,
    texts: dict[str, Any],
    *,
    problem: str = "",
    shown: preview.PromptPreview | None = None,
    trial: Trial | None = None,
) -> HttpResponse:
    newest = trial or next(iter(trials_of(row)), None)
    context = {
        **_SECTION,
        "row": row,
        "turn_line": _turn_line(texts["anchors"]) if "anchors" in texts else [],
        "preview": shown,
        "panel": trial_panel(row, newest, request.user, _choice(request) if request.POST else choice_of(newest)),
        "has_tried_words": trial is not None,
        "fields": [(name, title, texts[name]) for name, title in FIELDS[row.kind].items()],
        "base": selector.shown(row.base) if row.base else None,
        "beside": selector.shown(row).beside,
        "targets": selector.merge_targets(row),
        "problem": problem,
    }
    return render(request, "submissions/generated/draft.html", context, status=422 if problem else 200)
