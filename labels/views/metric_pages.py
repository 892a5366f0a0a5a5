"""The page of a metric and the page of one of its scenarios."""

from difflib import get_close_matches

from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.content_notices import notices_of
from evaluation.models import BaseScenario, Metric, MetricVersion, Profile, Release, Result, Scenario, Verdict
from labels import back_path, exploring, metric_history, metric_page, queries, trust
from labels.addresses import other_page
from labels.context import State, read_state
from labels.conversation_list import FROM_SCENARIO
from labels.errors import PageNotFound
from labels.queries import Place
from labels.views.siblings import page_files


@require_safe
def metric(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """One metric: what is good here, the verdicts, the exact words, the scenarios, and how far to trust it."""
    state = read_state(request)
    public = public_versions(state, benchmark, metric)
    version = measured(public, asked_version(request, state))
    verdicts = _first_verdicts(state, version)
    counts = queries.verdict_counts(state.release, version) if state.release else []
    if state.release_is_pinned:
        # What came after a release is no part of what it shows.
        public = [one for one in public if one.number <= version.number]
    newest = public[-1]
    profiles = profiles_of(state, verdicts)
    shown = shown_verdicts(state, verdicts)
    rows, totals, everything = metric_page.model_rows(request, version, shown, counts, profiles)
    prefetch_related_objects([version], Prefetch("base_scenarios", BaseScenario.objects.prefetch_related("variants")))
    # How many metrics of each kind a place has is said elsewhere.
    tree = queries.places(state.release, {}) if state.release else []
    context = {
        "section": "metrics",
        "state": state,
        "version": version,
        "name": exploring.metric_name(version),
        "crumbs": _crumbs(request, version),
        "back": back_path.back_path(request, state, tree, version.metric.benchmark),
        "profiles": profiles,
        "rows": rows,
        "totals": totals,
        "everything": everything,
        "n_unjudged": everything.n - everything.n_judged,
        "few_each": max((row.tally.n for row in rows), default=0),
        "pooled": metric_page.pooled_sentence(_pooled(state, version), len(rows)) if rows and not state.models else "",
        "rubric": metric_page.rubric(version),
        "scenarios": metric_page.scenario_rows(request, version, counts, profiles),
        "trust": trust.trust_panel(version, state.release if verdicts else None),
        "measured_in": [] if rows else _measured_in(request, state, version),
        "places": _places(request, version, tree, is_measured=bool(verdicts)),
        "history": metric_history.history(request, version, public),
        "newest": newest if newest.number > version.number else None,
        "newest_path": other_page(request, exploring.metric_path(version), version=str(newest.number)),
        "licence": version.licence or version.metric.benchmark.licence,
        "content_notices": notices_of(version),
        **page_files(request, state, "csv", "xlsx", "json"),
    }
    return render(request, "labels/metric.html", context)


@require_safe
def scenario(request: HttpRequest, benchmark: str, metric: str, number: int) -> HttpResponse:
    """One scenario of a metric: who asked for what, and what each model made of it.

    Two picked chats (`pick` twice) lead to the page that shows them side by side.
    """
    state = read_state(request)
    version, base, of_this = read_scenario(request, state, benchmark, metric, number)
    picked = _picked(request, of_this)
    if len(picked) == 2:
        beside = {"with": picked[1].conversation.public_id, "from": FROM_SCENARIO}
        return redirect(metric_page.conversation_path(request, picked[0], **beside))
    if request.GET.getlist("pick"):
        state.notices.append(_("Choose two different chats of this scenario to read them side by side."))
    profiles = profiles_of(state, of_this)
    shown = shown_verdicts(state, of_this)
    counts = queries.verdict_counts(state.release, version, number) if state.release else []
    rows, totals, everything = metric_page.model_rows(request, version, shown, counts, profiles, FROM_SCENARIO)
    variants = list(base.variants.all())
    name = metric_page.scenario_name(number)
    metric_path = other_page(request, exploring.metric_path(version), version=request.GET.get("version"))
    context = {
        "section": "metrics",
        "state": state,
        "version": version,
        "base": base,
        "variants": variants,
        "title": base.title or next((one.title for one in variants if one.title), "") or name,
        "name": exploring.metric_name(version),
        "metric_path": metric_path,
        "back_words": _back_words(state),
        "crumbs": [*_crumbs(request, version)[:-1], (exploring.metric_name(version), metric_path), (name, "")],
        "profiles": profiles,
        "rows": rows,
        "totals": totals,
        "everything": everything,
        "content_notices": notices_of(version),
        "choices": [(one, metric_page.outcome_words(one)) for one in shown],
        **page_files(request, state, "csv", "xlsx", "json"),
    }
    return render(request, "labels/scenario.html", context)


def read_scenario(
    request: HttpRequest, state: State, benchmark: str, metric: str, number: int
) -> tuple[MetricVersion, BaseScenario, list[Verdict]]:
    """The scenario of that number with its verdicts; raises PageNotFound with the metric where there is none."""
    public = public_versions(state, benchmark, metric)
    version = measured(public, asked_version(request, state))
    bases = BaseScenario.objects.filter(metric_version=version, number=number)
    base = bases.prefetch_related(Prefetch("variants", Scenario.objects.select_related("profile"))).first()
    if base is None:
        path = other_page(request, exploring.metric_path(version), version=request.GET.get("version"))
        missing = _("This metric has no scenario %(number)s.") % {"number": number}
        raise PageNotFound(missing, [(exploring.metric_name(version), path)])
    if state.release is None:
        return version, base, []
    return version, base, list(queries.verdicts_of(state.release, version).filter(conversation__scenario__base=base))


def public_versions(state: State, benchmark: str, metric: str) -> list[MetricVersion]:
    """The versions that were ever shown, by number; raises PageNotFound with near names where there is none."""
    # PostgreSQL refuses the zero character even in a question.
    slug = f"{benchmark}/{metric}".replace("\x00", "")
    versions = queries.shown_versions(slug, state.release)
    if not versions:
        slugs = list(Metric.objects.filter(versions__is_published=True).values_list("slug", flat=True).distinct())
        near = get_close_matches(slug, slugs, n=5, cutoff=0.5)
        links = [(name, reverse("labels:metric", args=name.split("/", 1))) for name in near]
        missing = _("There is no metric named “%(name)s”.") % {"name": slug}
        raise PageNotFound(missing, links or [(_("All metrics"), reverse("labels:metrics"))])
    return versions


def asked_version(request: HttpRequest, state: State) -> int | None:
    """The number in `version`; what is no number is ignored with a notice."""
    text = request.GET.get("version", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        state.notices.append(_("“%(text)s” is not known here as version, so it was ignored.") % {"text": text})
        return None
    return int(text) if text else None


def measured(versions: list[MetricVersion], number: int | None) -> MetricVersion:
    """The metric version of the page; raises PageNotFound for no such number."""
    version = queries.chosen_version(versions, number)
    if version is None:
        metric = versions[-1]
        page = [(exploring.metric_name(metric), exploring.metric_path(metric))]
        words = {"metric": metric.metric.slug, "number": number}
        raise PageNotFound(_("The metric “%(metric)s” has no version %(number)s.") % words, page)
    return version


def _first_verdicts(state: State, version: MetricVersion) -> list[Verdict]:
    """The verdicts that become squares: the first of each model and profile in the shown release."""
    if state.release is None:
        return []
    found = queries.verdicts_of(state.release, version)
    return list(queries.first_of_each(found, metric_page.MOST_SQUARES, "model", "profile"))


def profiles_of(state: State, verdicts: list[Verdict]) -> list[Profile]:
    """The profiles that have verdicts here, in their order; the chosen one alone where one is chosen."""
    found = {verdict.profile_id: verdict.profile for verdict in verdicts}
    profiles = sorted(found.values(), key=lambda profile: (profile.order, profile.slug))
    return [profile for profile in profiles if state.profile in ("both", profile.slug)]


def shown_verdicts(state: State, verdicts: list[Verdict]) -> list[Verdict]:
    """The verdicts of the chosen models and profile."""
    chosen = {model.pk for model in state.models}
    return [
        verdict
        for verdict in verdicts
        if (not chosen or verdict.model_id in chosen) and state.profile in ("both", verdict.profile.slug)
    ]


def _picked(request: HttpRequest, verdicts: list[Verdict]) -> list[Verdict]:
    by_name = {verdict.conversation.public_id: verdict for verdict in verdicts}
    return [by_name[name] for name in dict.fromkeys(request.GET.getlist("pick")) if name in by_name][:2]


def _pooled(state: State, version: MetricVersion) -> Result | None:
    if state.release is None:
        return None
    keys, profile = [version.metric.slug], state.result_profile
    return queries.results(state.release, Result.Group.METRIC, keys=keys, profile=profile).filter(model=None).first()


def _measured_in(request: HttpRequest, state: State, version: MetricVersion) -> list[tuple[str, str]]:
    """Other releases that have this metric version, each with the metric's address there."""
    others = Release.objects.filter(metric_versions=version).only("slug", "title", "status")
    path = exploring.metric_path(version)
    return [(one.title, other_page(request, path, release=one.slug)) for one in others if one != state.release]


def _crumbs(request: HttpRequest, version: MetricVersion) -> list[tuple[str, str]]:
    benchmark = version.metric.benchmark
    return [
        (_("Metrics"), other_page(request, reverse("labels:metrics"))),
        (benchmark.name, other_page(request, reverse("labels:benchmark", args=[benchmark.slug]))),
        (exploring.metric_name(version), ""),
    ]


def _back_words(state: State) -> str:
    who = state.who if state.profile != "both" else _("everyone")
    models = _("%(n)s models") % {"n": len(state.models)} if len(state.models) > 1 else _("all models")
    if len(state.models) == 1:
        models = state.models[0].name
    return _("Back to the metric: %(models)s, %(who)s") % {"models": models, "who": who}


def _places(
    request: HttpRequest, version: MetricVersion, tree: list[Place], *, is_measured: bool
) -> list[tuple[str, str]]:
    """The subareas the metric stands in, each with its address in Explore where the release has one."""
    if not is_measured:
        return [(subarea.plain_name or subarea.name, "") for subarea in queries.places_today(version)]
    return [
        (part.name, other_page(request, reverse("labels:explore-subarea", args=[area.slug, part.slug])))
        for area in tree
        for part in area.parts
        if version.metric.slug in part.metrics
    ]
