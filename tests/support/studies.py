"""Studies of tests: small ones on a finished run, raters who take their seats, and answers to every question."""

from __future__ import annotations

import re
from typing import Any

from evaluation.models import Rating, Run, Study, StudyItem, StudyRater
from evaluation.selectors.studies.candidates import Source
from evaluation.selectors.studies.orders import items_of
from evaluation.services.studies import answering, inviting, rating
from evaluation.services.studies.answering import Consent
from evaluation.services.studies.designing import Wish, Words, design_study
from evaluation.services.studies.opening import open_study
from evaluation.studies.designs import design_of
from evaluation.studies.questions import Form, QuestionKind
from impactbench.accounts.models import User
from impactbench.common.models import OutgoingMail
from tests.support.builders import make_finished_run

# The fewest numbers with which each kind makes sense.
SMALL: dict[str, dict[str, Any]] = {
    "scenario-review": {"raters": 2, "raters_per_item": 2, "n_metrics": 2},
    "simulation-review": {"raters": 2, "raters_per_item": 2, "n_conversations": 3},
    "judgment-review": {"raters": 2, "raters_per_item": 2, "n_judgments": 3},
    "expert-review": {
        "raters": 2,
        "raters_per_item": 2,
        "n_metrics": 1,
        "scenarios_per_metric": 2,
        "targets_per_scenario": 2,
    },
    "simulator-selection": {"raters": 2, "raters_per_item": 2, "n_scenarios": 2, "n_simulators": 2},
}


def make_study(
    manager: User,
    kind: str = "expert-review",
    *,
    runs: tuple[Run, ...] = (),
    opens: bool = True,
    design: dict[str, Any] | None = None,
) -> Study:
    """A small study of a kind that the manager designed, by default open and of a run that is not public."""
    source = Source(runs or (the_run(),))
    wish = Wish(kind, design_of(kind, SMALL[kind] | (design or {})), source, seed=7)
    words = Words("How far to trust it", "Read each one to its end.", "What you answer is kept.", 3)
    study = design_study(wish, words, actor=manager)
    return open_study(study, actor=manager) if opens else study


def the_run() -> Run:
    """The finished run of this test, made where it is missing."""
    return Run.objects.filter(slug="run").first() or make_finished_run()


def invited(study: Study, manager: User, address: str) -> str:
    """The token of the link that was written to this address."""
    inviting.invite(study, [address], actor=manager)
    return token_of(address)


def token_of(address: str) -> str:
    """The token of the newest link that was written there."""
    letter = OutgoingMail.objects.filter(event=inviting.INVITED, address=address).order_by("-pk").first()
    assert letter is not None
    found = re.search(r"/studies/invitation/([^/\s]+)/", letter.text)
    assert found is not None
    return found[1]


def take_seat(study: Study, manager: User, person: User, *, release: bool = True) -> StudyRater:
    """The person is invited and accepts."""
    consent = Consent(agrees=True, release=release, has_not_looked_up=True)
    return answering.accept(invited(study, manager, person.email), consent, person=person)


def answers_to(form: Form, *, main: str = "", text: str = "Because of what is said there.") -> dict[str, Any]:
    """An answer to every question that asks for one; `main` is chosen wherever it can be, else the last option."""
    found: dict[str, Any] = {}
    for question in form.questions:
        values = [option.value for option in question.options]
        if question.kind is QuestionKind.TEXT:
            found[question.key] = text
        elif question.kind is QuestionKind.TURNS:
            found[question.key] = ["1"]
        elif question.kind is QuestionKind.SEVERAL:
            found[question.key] = values[:1]
        else:
            found[question.key] = main if main in values else values[-1]
    return found


def rate_all(rater: StudyRater, person: User, *, main: str = "", seconds: int = 60) -> list[Rating]:
    """The rater submits every item in order."""
    return [rate(rater, item, person, main=main, seconds=seconds) for item in items_of(rater.study, rater)]


def rate(rater: StudyRater, item: StudyItem, person: User, *, main: str = "", seconds: int = 60) -> Rating:
    """The rater submits one item."""
    given = answers_to(rating.form_of(item), main=main)
    return rating.submit(rater, item, given, version=0, seconds=seconds, actor=person)
