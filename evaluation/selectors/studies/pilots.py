"""What ratings that are there already tell for the next plan."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.models import Rating, Study
from evaluation.selectors.studies.frames import ratings_frame
from evaluation.studies.kinds import KINDS
from evaluation.studies.pilot import spread, used_shares
from evaluation.studies.questions import QuestionKind

# With fewer ratings, what they tell is mostly chance.
LEAST_RATINGS = 10
# The question of a plan, and the questions of forms whose answers tell something for it.
_KINDS = {"agreement": QuestionKind.CHOICE, "mean": QuestionKind.SCALE}


@dataclass(frozen=True)
class Pilot:
    """One question of a study that has ratings: `value` names it in an address."""

    study: Study
    unit: str
    question: str
    words: str

    @property
    def value(self) -> str:
        return f"{self.study.public_id}:{self.unit}:{self.question}"


def pilots(what: str) -> list[Pilot]:
    """The questions of closed studies that can tell what a plan for `what` expects; newest studies first."""
    if what not in _KINDS:
        return []
    submitted = Q(items__ratings__state=Rating.State.SUBMITTED)
    studies = Study.objects.filter(state__in=(Study.State.CLOSED, Study.State.PUBLISHED))
    counted = studies.annotate(n=Count("items__ratings", filter=submitted)).filter(n__gte=LEAST_RATINGS)
    return [
        Pilot(study, unit, question.key, question.words)
        for study in counted.order_by("-pk")
        for unit, form in KINDS[study.kind].forms.items()
        for question in form.questions
        if question.kind is _KINDS[what]
    ]


def values_of(pilot: Pilot, what: str) -> dict[str, str]:
    """What the ratings say, by the names of the planning form's fields; nothing where they are too few to say it."""
    ratings = ratings_frame(pilot.study)
    ratings = ratings[ratings["unit"] == pilot.unit]
    if what == "agreement":
        shares = used_shares(ratings, pilot.question)
        return {"shares": ", ".join(f"{share:.4f}" for share in shares.values())} if len(shares) > 1 else {}
    found = spread(ratings, pilot.question)
    told = {"sd_items": found.sd_items, "sd_raters": found.sd_raters}
    return {name: f"{value:.2f}" for name, value in told.items() if value is not None}
