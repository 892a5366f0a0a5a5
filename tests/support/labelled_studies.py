"""An expert review of tests that labels enough conversations of a release for its rates to be corrected."""

from __future__ import annotations

from django.utils import timezone

from evaluation.models import Rating, Release, Study, StudyRater
from evaluation.selectors.studies.candidates import source_of_release
from evaluation.selectors.studies.orders import items_of
from evaluation.services.studies import adjudicating, closing
from evaluation.services.studies.designing import Wish, Words, design_study
from evaluation.services.studies.opening import open_study
from evaluation.services.studies.rating import form_of
from evaluation.studies.designs import design_of
from evaluation.studies.questions import cleaned
from impactbench.accounts.models import User
from tests.support.portal import make_person
from tests.support.studies import answers_to, take_seat

_WIDE = {"raters": 1, "raters_per_item": 1, "n_metrics": 12, "scenarios_per_metric": 2, "targets_per_scenario": 2}


def make_labelled_study(manager: User, release: Release) -> Study:
    """A closed expert review of all metrics: all say pass, and every second conversation was settled as not passed."""
    wish = Wish("expert-review", design_of("expert-review", _WIDE), source_of_release(release), seed=7)
    study = open_study(design_study(wish, Words("All of it", "", "Kept.", 3), actor=manager), actor=manager)
    person = make_person(f"Rater of {study.public_id}")
    _rate_all(take_seat(study, manager, person))
    closed = closing.close_study(study, actor=manager)
    for item in list(study.items.filter(unit="conversation"))[::2]:
        outcome = "absent" if item.metric_version.polarity == "positive" else "present"
        adjudicating.adjudicate(item, outcome=outcome, reasons="Read again.", actor=manager)
    return closed


def _rate_all(rater: StudyRater) -> None:
    """All ratings at once: one by one they would take most of the time of a test."""
    rows = [(item, form_of(item)) for item in items_of(rater.study, rater)]
    Rating.objects.bulk_create(
        Rating(
            item=item,
            rater=rater,
            answers=cleaned(form, answers_to(form, main="pass")),
            state=Rating.State.SUBMITTED,
            submitted_at=timezone.now(),
        )
        for item, form in rows
    )
