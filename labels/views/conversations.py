"""The page of one conversation, alone or beside another of the same scenario, and the same as data."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.content_notices import notices_of
from evaluation.models import Conversation, MetricVersion, Release
from labels import (
    conversation_data,
    conversation_list,
    conversation_page,
    conversation_turns,
    exploring,
    helplines,
    queries,
)
from labels.addresses import other_page, public_url, query_string
from labels.citing import conversation_citation
from labels.context import State, read_state
from labels.conversation_list import Neighbours
from labels.conversation_turns import ShownTurn
from labels.errors import PageNotFound
from labels.transcripts import visible


@require_safe
def conversation(request: HttpRequest, public_id: str) -> HttpResponse:
    """A conversation that a release shows; a hard one starts closed and opens with `?show=1`.

    `?with=` another conversation of the same scenario shows the two side by side.
    """
    state = read_state(request)
    shown, release = _published(state, public_id)
    # Links stay in the release that has the conversation, also where the address names none.
    pinned = release.slug if release and (state.release_is_pinned or release != state.newest) else None
    near = conversation_list.neighbours(request, shown, shown.scenario.base.metric_version, release, pinned)
    other = _other(request, state, shown, near)
    context = _context(request, state, shown, release, pinned, near)
    if not context["is_closed"]:
        context |= _words(shown, release, near.verdict)
        if other is not None:
            context |= _beside(other, release, context)
    response = render(request, "labels/conversation.html", context)
    return _kept_from_search(response) if context["content_notices"] else response


@require_safe
def conversation_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """The conversation with its judgments as data; what search engines may not show of the page, they may not here."""
    shown, release = _published(read_state(request), public_id)
    data = conversation_data.document(shown, release)
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    return _kept_from_search(response) if data["content_notices"] else response


def _kept_from_search(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex"
    return response


def _published(state: State, public_id: str) -> tuple[Conversation, Release | None]:
    shown = queries.public_conversation(public_id)
    if shown is None:
        raise PageNotFound(
            _("There is no published conversation at this address."), [(_("All metrics"), reverse("labels:metrics"))]
        )
    return shown, queries.release_of_conversation(shown, state.release)


def _other(request: HttpRequest, state: State, shown: Conversation, near: Neighbours) -> Conversation | None:
    """The conversation named by `with`; one that cannot stand beside this is left out with a notice."""
    name = request.GET.get("with", "").replace("\x00", "")
    if not name or name == shown.public_id:
        return None
    other = queries.public_conversation(name[:32])
    is_here = other is not None and (other.pk in near.verdicts or other.state == Conversation.State.EXTRA)
    if other is None or not (is_here or other.scenario.base_id != shown.scenario.base_id):
        state.notices.append(
            _("There is no published conversation “%(name)s” in this release to show beside this.") % {"name": name}
        )
        return None
    if other.scenario.base_id != shown.scenario.base_id:
        state.notices.append(_("The two conversations have different scenarios, so they are not shown side by side."))
        return None
    if other.scenario_id != shown.scenario_id:
        words = {"one": shown.scenario.profile.name, "other": other.scenario.profile.name}
        state.notices.append(_("The simulated users differ: %(one)s on one side, %(other)s on the other.") % words)
    return other


def _context(
    request: HttpRequest,
    state: State,
    shown: Conversation,
    release: Release | None,
    pinned: str | None,
    near: Neighbours,
) -> dict[str, Any]:
    scenario, version = shown.scenario, shown.scenario.base.metric_version
    number = _("Scenario %(number)s") % {"number": scenario.base.number}
    title = scenario.title or scenario.base.title or number
    content_notices = notices_of(version)
    return {
        "section": "metrics",
        "state": _state_of(state, release),
        "conversation": shown,
        "model_name": visible(shown.target.name),
        "scenario": scenario,
        "base": scenario.base,
        "anchors": scenario.anchors or scenario.base.anchors,
        "attributes": {name: value for name, value in scenario.attributes.items() if name != "age"},
        "version": version,
        "release": release,
        "name": exploring.metric_name(version),
        "metric_path": other_page(request, exploring.metric_path(version), release=pinned),
        "title": title,
        "content_notices": content_notices,
        "is_closed": bool(content_notices) and request.GET.get("show") != "1",
        "open_path": _with_shown(request),
        # What the choice of another chat to read beside this one must not lose.
        "kept_parameters": [
            (name, request.GET.get(name, ""))
            for name in ("from", "m", "profile", "release", "show")
            if request.GET.get(name)
        ],
        "helplines": (helplines.DIRECTORY, helplines.DIRECTORY_NAME),
        "flags": conversation_page.flags(shown),
        "neighbours": near,
        "outcome": conversation_page.outcome(shown, near.verdict, version),
        "crumbs": _crumbs(request, shown, version, pinned),
        **_to_keep(request, shown, release, title),
    }


def _with_shown(request: HttpRequest) -> str:
    """This page with the hard conversation open; `show` is no state that travels."""
    query = request.GET.copy()
    query["show"] = "1"
    return f"?{query.urlencode()}"


def _to_keep(request: HttpRequest, shown: Conversation, release: Release | None, title: str) -> dict[str, Any]:
    """What one takes away: the pinned address, the citation, the data."""
    path = reverse("labels:conversation", args=[shown.public_id])
    address = public_url(request, path + query_string({"release": release.slug if release else ""}))
    return {
        "pinned_address": address,
        "citation": conversation_citation(release, shown, title, address) if release else None,
        "json_path": f"{path.rstrip('/')}.json" + query_string({"release": request.GET.get("release")}),
    }


def _words(shown: Conversation, release: Release | None, verdict: Any) -> dict[str, Any]:
    """What was said, and what the judges made of it."""
    turns = conversation_turns.turns_of(shown)
    judgments = conversation_page.judgments_that_count(shown, release)
    made = conversation_page.readings(judgments, {turn.number for turn in turns})
    judges = list(dict.fromkeys(reading.judge for reading in made))
    return {
        "turns": conversation_turns.shown_turns(turns, judgments),
        "readings": made,
        "majority": conversation_page.majority(made, verdict),
        "circumstances": conversation_page.circumstances(shown, release, judges),
    }


def _beside(other: Conversation, release: Release | None, context: dict[str, Any]) -> dict[str, Any]:
    """The second conversation, aligned with the first turn by turn."""
    version, turns = context["version"], conversation_turns.turns_of(other)
    judgments = conversation_page.judgments_that_count(other, release)
    made = conversation_page.readings(judgments, {turn.number for turn in turns})
    verdict = context["neighbours"].verdicts.get(other.pk)
    shown: list[ShownTurn] = conversation_turns.shown_turns(turns, judgments)
    return {
        "other": other,
        "other_name": visible(other.target.name),
        "other_outcome": conversation_page.outcome(other, verdict, version),
        "other_readings": made,
        "rows": conversation_turns.side_by_side(context["turns"], shown),
    }


def _state_of(state: State, release: Release | None) -> State:
    """The page's state with the release that has the conversation."""
    if release is None or state.release == release:
        return state
    return State(release=release, newest=state.newest, release_is_pinned=True, notices=state.notices)


def _crumbs(
    request: HttpRequest, shown: Conversation, version: MetricVersion, pinned: str | None
) -> list[tuple[str, str]]:
    base, metric = shown.scenario.base, version.metric
    scenario = reverse("labels:scenario", args=[metric.benchmark.slug, metric.local_id, base.number])
    return [
        (_("Metrics"), other_page(request, reverse("labels:metrics"), release=pinned)),
        (exploring.metric_name(version), other_page(request, exploring.metric_path(version), release=pinned)),
        (_("Scenario %(number)s") % {"number": base.number}, other_page(request, scenario, release=pinned)),
        (f"{visible(shown.target.name)}, {shown.scenario.profile.name}", ""),
    ]
