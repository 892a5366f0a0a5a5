"""Closes a study and freezes its analysis; the same ratings always give the same one."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import Study
from evaluation.selectors.studies.disclosed import knowledge_in
from evaluation.selectors.studies.frames import items_frame, ratings_frame
from evaluation.services.studies.machine.analysing import machine_analysis
from evaluation.services.studies.machine.starting import refuse_unfinished
from evaluation.services.studies.states import WrongState, managed, move
from evaluation.studies.analysis import analyse
from evaluation.studies.designs import design_of
from evaluation.studies.kinds import KINDS
from impactbench.common import mail
from impactbench.common.audit import record


def analysis_of(study: Study) -> dict[str, Any]:
    """What ratings or runs say now, as JSON: live while the study is open, equal to the frozen one afterwards."""
    if not KINDS[study.kind].by_people:
        return machine_analysis(study)
    design = design_of(study.kind, study.design)
    found = dict(analyse(study.kind, design, ratings_frame(study), items_frame(study)).as_data())
    knowledge = knowledge_in(study)
    return {**found, "knowledge": knowledge} if knowledge else found


@transaction.atomic
def close_study(study: Study, *, actor: Any) -> Study:
    """No rating changes from here on. Raises NotAllowed, or WrongState unless the study is open.

    A study by machine is closed once its runs are over; what its auditor has not read by then is left out.
    """
    fresh = managed(study, actor)
    if not KINDS[fresh.kind].by_people:
        refuse_unfinished(fresh)
    moved = move(fresh, "close", actor=actor, closed_at=timezone.now(), analysis=analysis_of(fresh))
    for rater in moved.raters.all():
        mail.cancel(about=rater)
    return moved


@transaction.atomic
def analyse_again(study: Study, *, actor: Any) -> Study:
    """Analyse a closed study anew, with newer code. Raises NotAllowed, or WrongState unless it is closed."""
    fresh = managed(study, actor)
    if fresh.state != Study.State.CLOSED:
        raise WrongState("Only a closed study that is not published yet is analysed anew.")
    return freeze_again(fresh, actor=actor)


@transaction.atomic
def freeze_again(study: Study, *, actor: Any = None) -> Study:
    """Put the analysis of a closed study in the place of the old one; also after a rater has taken ratings back."""
    Study.objects.filter(pk=study.pk, state=Study.State.CLOSED).update(analysis=analysis_of(study))
    study.refresh_from_db(fields=["analysis"])
    record(actor=actor, action="study-analysed-again", target=study)
    return study
