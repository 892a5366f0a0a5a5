"""Where a conversation stands: before and after which others, beside which of its scenario, and the way back up."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Conversation, MetricVersion, Release, Verdict
from labels import exploring, metric_page, queries
from labels.addresses import other_page

# `from` of a conversation that was opened on its scenario's page: previous and next stay within the scenario.
FROM_SCENARIO = "scenario"


@dataclass(frozen=True)
class Neighbours:
    """A conversation among those of the list one came from, and the same scenario with other models.

    `position` counts from 1 and is 0 where the conversation is no part of the release's verdicts. `back` is the list in
    words with its address. `verdicts` are all of the metric by the key of their conversation.
    """

    verdict: Verdict | None
    verdicts: dict[int, Verdict]
    position: int
    n: int
    previous: str
    next: str
    others: list[tuple[str, Verdict]]
    back: tuple[str, str]


def neighbours(
    request: HttpRequest, shown: Conversation, version: MetricVersion, release: Release | None, pinned: str | None
) -> Neighbours:
    """The neighbours within the metric or, with `from=scenario`, the scenario, by the address's profile and models."""
    verdicts = list(queries.verdicts_of(release, version)) if release else []
    own = next((verdict for verdict in verdicts if verdict.conversation_id == shown.pk), None)
    listed = _listed(request, verdicts, shown)
    if own not in listed:
        listed = verdicts
    at = next((i for i, verdict in enumerate(listed) if verdict.conversation_id == shown.pk), None)

    def path(position: int) -> str:
        inside = at is not None and 0 <= position < len(listed)
        return conversation_path(request, listed[position], pinned) if inside else ""

    others = [
        (conversation_path(request, verdict, pinned), verdict)
        for verdict in verdicts
        if verdict.conversation.scenario_id == shown.scenario_id and verdict.conversation_id != shown.pk
    ]
    here = -2 if at is None else at
    back = _back(request, shown, version, pinned)
    by_conversation = {verdict.conversation_id: verdict for verdict in verdicts}
    return Neighbours(own, by_conversation, max(here + 1, 0), len(listed), path(here - 1), path(here + 1), others, back)


def conversation_path(request: HttpRequest, verdict: Verdict, pinned: str | None) -> str:
    """The address of another conversation of the same list."""
    came = {"from": FROM_SCENARIO if _is_from_scenario(request) else None}
    return metric_page.conversation_path(request, verdict, release=pinned, **came)


def _listed(request: HttpRequest, verdicts: list[Verdict], shown: Conversation) -> list[Verdict]:
    profile, models = request.GET.get("profile", ""), set(filter(None, metric_page.chosen_models(request).split(",")))
    known = {verdict.profile.slug for verdict in verdicts}
    return [
        verdict
        for verdict in verdicts
        if (profile not in known or verdict.profile.slug == profile)
        and (not models or verdict.model.slug in models)
        and (not _is_from_scenario(request) or verdict.conversation.scenario.base_id == shown.scenario.base_id)
    ]


def _is_from_scenario(request: HttpRequest) -> bool:
    return request.GET.get("from") == FROM_SCENARIO


def _back(request: HttpRequest, shown: Conversation, version: MetricVersion, pinned: str | None) -> tuple[str, str]:
    metric, base = version.metric, shown.scenario.base
    path = exploring.metric_path(version)
    words = _("Back to the metric: %(who)s")
    if _is_from_scenario(request):
        path = reverse("labels:scenario", args=[metric.benchmark.slug, metric.local_id, base.number])
        words = _("Back to scenario %(number)s: %(who)s")
    models = metric_page.chosen_models(request)
    n = len(models.split(",")) if models else 0
    chosen = ngettext("%(n)s model", "%(n)s models", n) % {"n": n} if n else _("all models")
    profile = shown.scenario.profile
    if request.GET.get("profile") == profile.slug:
        chosen = f"{chosen}, {profile.name}"
    return words % {"who": chosen, "number": base.number}, other_page(request, path, release=pinned, m=models)
