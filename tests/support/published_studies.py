"""Published studies of tests: rated to the end by people who all say the same, closed and published."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.models import Run, Study
from evaluation.services.studies import adjudicating, closing, publishing
from impactbench.accounts.models import User
from tests.support.portal import make_person
from tests.support.studies import make_study, rate_all, take_seat


def make_published_study(
    manager: User,
    kind: str = "expert-review",
    *,
    runs: tuple[Run, ...] = (),
    mains: Sequence[str] = ("pass", "pass"),
    all_agree: bool = False,
    contested: str = "",
) -> Study:
    """A small study with a rater for each of `mains`; the first agrees to single ratings being published, or all do.

    `contested` are the reasons why its first conversation stays so.
    """
    study = make_study(manager, kind, runs=runs)
    for number, main in enumerate(mains, start=1):
        person = make_person(f"Rater {number} of {study.public_id}")
        rate_all(take_seat(study, manager, person, release=all_agree or number == 1), person, main=main)
    closed = closing.close_study(study, actor=manager)
    if contested:
        item = study.items.filter(unit="conversation")[0]
        adjudicating.adjudicate(item, outcome="contested", reasons=contested, actor=manager)
    return publishing.publish_study(closed, actor=manager, despite_open_studies=True)
