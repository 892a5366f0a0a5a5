"""The page of one conversation: outcome, reason, turns."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.content_notices import notices_of
from evaluation.models import Conversation, MetricVersion, Release, Turn, Verdict
from labels import conversation_page, exploring, metric_page, queries
from labels.addresses import other_page
from labels.context import State, read_state
from labels.errors import PageNotFound


@dataclass(frozen=True)
class Neighbours:
    """Where a conversation stands among those of its metric, and the same scenario with other models."""

    verdict: Verdict | None
    position: int
    n: int
    previous: str
    next: str
    others: list[tuple[str, Verdict]]


@require_safe
def conversation(request: HttpRequest, public_id: str) -> HttpResponse:
    """A conversation that a release shows; a hard one starts closed and opens with `?show=1`."""
    state = read_state(request)
    shown = queries.public_conversation(public_id)
    if shown is None:
        raise PageNotFound(
            "There is no published conversation at this address.", [("All metrics", reverse("labels:metrics"))]
        )
    release = queries.release_of_conversation(shown, state.release)
    version = shown.scenario.base.metric_version
    # Links stay in the release that has the conversation, also where the address names none.
    pinned = release.slug if release and (state.release_is_pinned or release != state.newest) else None
    context: dict[str, Any] = {
        "section": "metrics",
        "state": _state_of(state, release),
        "conversation": shown,
        "scenario": shown.scenario,
        "base": shown.scenario.base,
        "version": version,
        "release": release,
        "name": exploring.metric_name(version),
        "metric_path": other_page(request, exploring.metric_path(version), release=pinned),
        "title": shown.scenario.title or shown.scenario.base.title or f"Scenario {shown.scenario.base.number}",
        "content_notices": notices_of(version),
        "flags": conversation_page.flags(shown),
    }
    context["crumbs"] = _crumbs(request, shown, version, context["metric_path"], pinned)
    context["is_closed"] = bool(context["content_notices"]) and request.GET.get("show") != "1"
    neighbours = _neighbours(request, shown, version, release, pinned)
    context["neighbours"] = neighbours
    context["outcome"] = conversation_page.outcome(shown, neighbours.verdict, version)
    if not context["is_closed"]:
        turns = list(Turn.objects.filter(conversation=shown).only("number", "user_message", "reply", "finish_reason"))
        is_extra = shown.state == Conversation.State.EXTRA
        judgments = [] if is_extra else conversation_page.judgments_that_count(shown, release)
        context["turns"] = conversation_page.shown_turns(turns, judgments)
        context["readings"] = conversation_page.readings(judgments, {turn.number for turn in turns})
    response = render(request, "labels/conversation.html", context)
    if context["content_notices"]:
        response["X-Robots-Tag"] = "noindex"
    return response


def _state_of(state: State, release: Release | None) -> State:
    """The page's state with the release that has the conversation."""
    if release is None or state.release == release:
        return state
    return State(release=release, newest=state.newest, release_is_pinned=True, notices=state.notices)


def _neighbours(
    request: HttpRequest, shown: Conversation, version: MetricVersion, release: Release | None, pinned: str | None
) -> Neighbours:
    verdicts = list(queries.verdicts_of(release, version)) if release else []
    at = next((i for i, verdict in enumerate(verdicts) if verdict.conversation_id == shown.pk), None)

    def path(position: int) -> str:
        inside = at is not None and 0 <= position < len(verdicts)
        return metric_page.conversation_path(request, verdicts[position], release=pinned) if inside else ""

    others = [
        (metric_page.conversation_path(request, verdict, release=pinned), verdict)
        for verdict in verdicts
        if verdict.conversation.scenario_id == shown.scenario_id and verdict.conversation_id != shown.pk
    ]
    here = -2 if at is None else at
    return Neighbours(
        None if at is None else verdicts[at], here + 1, len(verdicts), path(here - 1), path(here + 1), others
    )


def _crumbs(
    request: HttpRequest, shown: Conversation, version: MetricVersion, metric_path: str, pinned: str | None
) -> list[tuple[str, str]]:
    base = shown.scenario.base
    metric = version.metric
    scenario = reverse("labels:scenario", args=[metric.benchmark.slug, metric.local_id, base.number])
    return [
        ("Metrics", other_page(request, reverse("labels:metrics"), release=pinned)),
        (exploring.metric_name(version), metric_path),
        (f"Scenario {base.number}", other_page(request, scenario, release=pinned)),
        (f"{shown.target.name}, {shown.scenario.profile.name}", ""),
    ]
