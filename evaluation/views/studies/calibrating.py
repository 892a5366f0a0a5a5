"""/studies/calibration/: which judges agree with what people have settled."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.selectors.studies.calibration_set import JudgeCalibration, calibration_set, judge_calibrations
from evaluation.services.prompts import judge_prompt_hash
from evaluation.studies.calibration import Answer
from evaluation.study_tables.numbers import estimate_words
from evaluation.views.studies.access import need_manager

_ANSWERS = {Answer.YES: "May be used", Answer.NO: "May not be used", Answer.TOO_FEW: "Too few to say"}


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A judge in words."""

    name: str
    prompt: str
    n: int
    agreement: str
    n_unjudged: int
    answer: str


@never_cache
@require_safe
def calibrating(request: HttpRequest) -> HttpResponse:
    """All judges that were asked about settled conversations. The number of queries is fixed."""
    need_manager(request)
    known = calibration_set()
    today = judge_prompt_hash()
    context = {
        "section": "studies",
        "known": known,
        "n_settled": len(known.conversations),
        "n_by_majority": len(known.conversations) - known.n_decided,
        "rows": [_row(one, today) for one in judge_calibrations(known)],
        "least": settings.CALIBRATION_RULES["least"],
        "setting": f"{100 * settings.CALIBRATION_RULES['setting']:.0f}",
    }
    return render(request, "evaluation/studies/calibration.html", context)


def _row(found: JudgeCalibration, today: str) -> JudgeRow:
    judge, result = found.judge, found.result
    read_by = "today’s prompt" if judge.prompt_hash == today else "another prompt"
    return JudgeRow(
        name=judge.language_model.name if judge.language_model else judge.slug,
        prompt=f"{read_by}, {judge.prompt_hash[:12]}" if judge.prompt_hash else "prompt not published",
        n=result.agreement.n,
        agreement=estimate_words(vars(result.agreement), is_share=True),
        n_unjudged=result.n_unjudged,
        answer=_ANSWERS[result.answer],
    )
