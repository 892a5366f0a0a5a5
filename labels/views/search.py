"""Search across metrics, benchmarks, models and the glossary."""

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.models import Benchmark, LanguageModel
from labels import exploring, metric_list, queries
from labels.addresses import other_page, query_string
from labels.context import State, read_state
from labels.glossary import TERMS, Term

MOST_METRICS = 20
MOST_OTHERS = 10


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Everything in whose name or words every searched word stands."""
    state = read_state(request)
    text = request.GET.get("q", "").replace("\x00", "").strip()[: metric_list.LONGEST_SEARCH]
    context: dict[str, object] = {"section": "", "state": state, "q": text}
    if text:
        found = queries.listed_versions(state.release).filter(metric_list.matches(text)).order_by("name", "pk")
        context |= {
            "metrics": [
                (exploring.metric_name(one), one.metric.benchmark.name, other_page(request, exploring.metric_path(one)))
                for one in found[:MOST_METRICS]
            ],
            "n_metrics": found.count(),
            "all_metrics": reverse("labels:metrics") + query_string({"q": text, "release": request.GET.get("release")}),
            "benchmarks": _benchmarks(request, state, text),
            "models": _models(request, text),
            "terms": _terms(text),
        }
    return render(request, "labels/search.html", context)


def _every_word(text: str, *fields: str) -> Q:
    found = Q()
    for word in text.split():
        either = Q()
        for field in fields:
            either |= Q(**{f"{field}__icontains": word})
        found &= either
    return found


def _benchmarks(request: HttpRequest, state: State, text: str) -> list[tuple[str, str]]:
    listed = Benchmark.objects.filter(metrics__versions__in=queries.listed_versions(state.release).values("pk"))
    found = listed.filter(_every_word(text, "name", "slug", "description")).distinct().order_by("name")
    return [
        (one.name, other_page(request, reverse("labels:benchmark", args=[one.slug]))) for one in found[:MOST_OTHERS]
    ]


def _models(request: HttpRequest, text: str) -> list[tuple[str, str, str]]:
    tested = LanguageModel.objects.filter(releases__isnull=False).distinct()
    found = tested.filter(_every_word(text, "name", "slug", "provider")).order_by("name")
    return [
        (one.name, one.provider, other_page(request, reverse("labels:model", args=[one.slug])))
        for one in found[:MOST_OTHERS]
    ]


def _terms(text: str) -> list[Term]:
    words = text.casefold().split()
    return [term for term in TERMS if all(word in f"{term.word} {term.meaning}".casefold() for word in words)]
