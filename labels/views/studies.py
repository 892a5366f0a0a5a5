"""Published studies: what people or machines found when they checked the measurements."""

from django.db.models.fields.json import KT
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Release, Study
from evaluation.selectors.studies.decided import decisions_of
from evaluation.selectors.studies.published import public_analysis, published_studies
from evaluation.selectors.studies.uncorrected import uncorrected_releases
from evaluation.studies.kinds import KINDS, SCENARIO
from evaluation.studies.presets import PRESETS
from labels.context import read_state
from labels.corrected import corrected_by
from labels.errors import PageNotFound
from labels.study_files import ratings_table, study_document
from labels.study_tables import study_tables
from labels.study_words import knowledge_words, material_words, split_words
from labels.transcripts import visible
from labels.views.siblings import csv_answer, sibling


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """All published studies, the newest first."""
    counted = published_studies().annotate(
        raters_found=KT("analysis__n_raters"), ratings_found=KT("analysis__n_ratings")
    )
    rows = [(study, _(KINDS[study.kind].name)) for study in counted]
    context = {"section": "methodology", "state": read_state(request), "rows": rows, "crumbs": _crumbs()}
    return render(request, "labels/studies/studies.html", context)


@require_safe
def study(request: HttpRequest, study: str) -> HttpResponse:
    """One study: how it was done, what it found, and what stays contested."""
    found = _published(study)
    kind, preset = KINDS[found.kind], PRESETS.get(found.preset)
    analysis = public_analysis(found)
    context = {
        "section": "methodology",
        "state": read_state(request),
        "study": found,
        "kind": _(kind.name),
        "explanation": _(kind.explanation),
        "by_people": kind.by_people,
        "is_of_scenarios": kind.unit == SCENARIO,
        "knowledge": knowledge_words(found.analysis or {}),
        "material": material_words(found, became_public=_became_public(found)),
        "paper_section": preset.paper_section if preset else "",
        "analysis": analysis,
        "tables": study_tables(found, analysis),
        "corrected": corrected_by(found),
        "n_uncorrected": uncorrected_releases(found).count(),
        "decisions": _decisions(found),
        "files": [(suffix.upper(), sibling(request, suffix)) for suffix in ("csv", "json")],
        "crumbs": [*_crumbs()[:-1], (_("Studies"), reverse("labels:studies")), (visible(found.title), "")],
    }
    return render(request, "labels/studies/study.html", context)


@require_safe
def study_csv(request: HttpRequest, study: str) -> HttpResponseBase:
    """Single ratings under pseudonyms, of raters who agreed to that."""
    return csv_answer(request, ratings_table(_published(study)))


@require_safe
def study_json(request: HttpRequest, study: str) -> HttpResponse:  # noqa: ARG001  (Django's signature)
    """Design, analysis, decisions and ratings."""
    return JsonResponse(study_document(_published(study)), json_dumps_params={"ensure_ascii": False, "indent": 1})


def _published(public_id: str) -> Study:
    studies = published_studies().select_related("release").defer("analysis", "release__groups")
    found = studies.filter(public_id=public_id.replace("\x00", "")).first()
    if found is None:
        links = [(visible(one.title), reverse("labels:study", args=[one.public_id])) for one in published_studies()[:5]]
        every = [(_("All studies"), reverse("labels:studies"))]
        raise PageNotFound(_("There is no published study of that name."), links or every)
    return found


def _became_public(study: Study) -> bool:
    """Whether its conversations were published while people could still rate them."""
    return Release.objects.filter(runs__studies=study, published_at__lt=study.closed_at).exists()


def _decisions(study: Study) -> list[dict[str, object]]:
    """What was decided about items on which raters disagreed, with how their ratings were split."""
    outcomes = {"present": _("The behaviour is there"), "absent": _("The behaviour is not there")}
    splits = {row["item"]: row["counts"] for row in public_analysis(study)["disagreements"]}
    return [
        {
            "item": row["item"],
            "metric": row["metric"],
            "outcome": outcomes.get(row["outcome"], _("It stays contested")),
            "split": split_words(splits.get(row["item"], {})),
            "reasons": row["reasons"],
        }
        for row in decisions_of(study)
    ]


def _crumbs() -> list[tuple[str, str]]:
    return [(_("Methodology"), reverse("labels:methodology")), (_("Studies"), "")]
