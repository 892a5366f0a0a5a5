"""Whether the judges of a plan may be used, by what people have settled; no say where nothing is settled."""

from __future__ import annotations

from evaluation.models import LanguageModel, Run
from evaluation.selectors.studies.calibration_set import CalibrationSet, calibration_set, judge_calibrations
from evaluation.services.plan_resolving import ResolvedPlan
from evaluation.services.prompts import judge_prompt_hash
from evaluation.studies.calibration import Answer, Calibration


def refuse_failing_judges(resolved: ResolvedPlan) -> None:
    """Raise FileProblem at a judge that is known to agree too little, under today's prompts.

    A run that exists already goes on, and saved conversations may be judged again by anybody (`rejudging`): that is
    how a judge comes to be known.
    """
    known = calibration_set()
    if not known.conversations or Run.objects.filter(slug=resolved.plan.name).exists():
        return
    found = _calibrations(known)
    for word, model in zip(resolved.plan.judges, resolved.judges, strict=True):
        calibration = found.get(model.slug)
        if calibration is not None and calibration.answer is Answer.NO:
            resolved.plan.refuse(_refusal(model, calibration), word)


def calibration_notes(resolved: ResolvedPlan) -> tuple[str, ...]:
    """A sentence for each judge of which too little is known to say whether it may be used."""
    known = calibration_set()
    if not known.conversations:
        return ()
    found = _calibrations(known)
    return tuple(
        _note(model, found.get(model.slug), len(known.conversations))
        for model in resolved.judges
        if model.slug not in found or found[model.slug].answer is Answer.TOO_FEW
    )


def _calibrations(known: CalibrationSet) -> dict[str, Calibration]:
    """By the slug of the model, of judges that read by today's prompts."""
    today = judge_prompt_hash()
    return {
        one.judge.language_model.slug: one.result
        for one in judge_calibrations(known)
        if one.judge.language_model is not None and one.judge.prompt_hash == today
    }


def _refusal(model: LanguageModel, found: Calibration) -> str:
    agreement = found.agreement
    return (
        f"judge {model.slug!r} agrees too little with what people settled: in {_hundred(agreement.value)} of 100 of "
        f"{agreement.n} conversations (95 % interval from {_hundred(agreement.low)}), and the lower end must reach "
        f"{_hundred(found.setting)}; take another judge, see /studies/calibration/"
    )


def _note(model: LanguageModel, found: Calibration | None, n_settled: int) -> str:
    n = 0 if found is None else found.agreement.n
    return (
        f"Whether judge {model.slug} agrees with people is not known yet: it was asked about {n} of the {n_settled} "
        f"conversations that people settled, which are too few."
    )


def _hundred(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.0f}"
