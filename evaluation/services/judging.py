"""Who judges a run, and judging saved transcripts again."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count

from evaluation.models import Conversation, JudgeConfiguration, LanguageModel, Run
from evaluation.plans import MOST_REPEATS
from evaluation.services.prompts import judge_configuration
from impactbench.common.audit import record
from impactbench.common.errors import DomainError, UnusableInput


def judges_of(run: Run) -> list[tuple[JudgeConfiguration, LanguageModel, int]]:
    """Every judge of a run with its model and how often it judges each conversation."""
    found = []
    for judge in run.judges.select_related("language_model").order_by("slug"):
        if judge.language_model is not None:
            repeats = run.later_judges.get(judge.slug, run.spec["judge_repeats"])
            found.append((judge, judge.language_model, int(repeats)))
    return found


@transaction.atomic
def judge_again(run: Run, *, judges: Sequence[str], repeats: int) -> int:
    """Adds judges (slugs of language models) to a run at rest and returns how many conversations they have to read.

    Under today's prompts each makes its own judge configuration; saved judgments stay. Writes an audit event.
    Raises UnusableInput for an unknown model, DomainError when the run is not finished.
    """
    run = Run.objects.select_for_update().get(pk=run.pk)
    if run.kind != Run.Kind.EVALUATION:
        raise DomainError(f"run {run.slug} holds imported results; only runs of our own can be judged again")
    if run.state != Run.State.FINISHED:
        raise DomainError(f"run {run.slug} is {run.state}; it can be judged again once it is finished")
    if not 1 <= repeats <= MOST_REPEATS:
        raise UnusableInput(f"--repeats must be from 1 to {MOST_REPEATS}")
    for slug in judges:
        _add_judge(run, slug, repeats)
    run.save(update_fields=["later_judges"])
    wanted = sum(repeats for _, _, repeats in judges_of(run))
    finished = Conversation.objects.filter(run=run, state=Conversation.State.FINISHED)
    unread = finished.annotate(n_judgments=Count("judgments")).filter(n_judgments__lt=wanted)
    n_unread = Conversation.objects.filter(pk__in=unread.values("pk")).update(is_judged=False)
    record(actor=None, action="run-judged-again", target=run, details={"judges": list(judges), "repeats": repeats})
    return n_unread


def _add_judge(run: Run, slug: str, repeats: int) -> None:
    model = LanguageModel.objects.filter(slug=slug).first()
    if model is None or not model.litellm_model:
        raise UnusableInput(f"there is no language model {slug!r} that could judge; describe it in a plan first")
    judge = judge_configuration(model)
    already = run.judges.filter(pk=judge.pk).exists()
    before = run.later_judges.get(judge.slug, run.spec["judge_repeats"]) if already else 0
    run.later_judges[judge.slug] = max(repeats, before)
    run.judges.add(judge)
