"""What a person answers to an invitation: yes with all that must be said beforehand, or no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.addresses import study_page
from evaluation.models import Study, StudyRater
from evaluation.selectors.studies.disclosed import is_public
from evaluation.selectors.studies.elsewhere import why_not_blind
from evaluation.selectors.studies.orders import own_order
from evaluation.services.studies.inviting import hash_of
from evaluation.services.studies.states import NotAllowed, WrongState, locked
from impactbench.accounts.organisations import verified_addresses
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

State = StudyRater.State
TAKING_PART = (State.ACCEPTED, State.FINISHED)
MORE_THAN_PLANNED = "study-more-raters"


@dataclass(frozen=True)
class Consent:
    """What a rater says before the first item."""

    agrees: bool
    # May each single rating be published under the pseudonym? None: not answered.
    release: bool | None
    has_not_looked_up: bool = False


def invitation(token: str) -> StudyRater | None:
    """The invitation that a link opens, if it is still good; reading it changes nothing."""
    rater = StudyRater.objects.select_related("study").filter(token_hash=hash_of(token), state=State.INVITED).first()
    if rater is None or rater.study.state != Study.State.OPEN:
        return None
    return rater if rater.expires_at is not None and rater.expires_at > timezone.now() else None


def why_not(rater: StudyRater, person: Any) -> str:
    """Why this person cannot answer this invitation, in a sentence; '' where they can. The link stays good."""
    if not rater.study.has_open_links and rater.email not in verified_addresses(person):
        return "This invitation was sent to an e-mail address that is not yours: sign in with the account that has it."
    return ""


def n_taking_part(study: Study) -> int:
    """How many people rate in the study, or have finished."""
    return study.raters.filter(state__in=TAKING_PART).count()


def why_full(study: Study) -> str:
    """Why nobody can take part any more, in a sentence; '' while people can."""
    if study.most_raters is None or n_taking_part(study) < study.most_raters:
        return ""
    return f"This study takes {study.most_raters} raters, and all places are taken. Thank you for being ready to help."


def missing(study: Study, consent: Consent) -> dict[str, str]:
    """What has still to be said, by field, in sentences; {} when all is."""
    found = {}
    if not consent.agrees:
        found["agrees"] = "Tick this box to take part, or say no below."
    if consent.release is None:
        found["release"] = "Say whether your single ratings may be published under a pseudonym. Both answers are fine."
    if needs_declaration(study) and not consent.has_not_looked_up:
        found["looked_up"] = "Tick this box, or say no below: who has seen the results cannot rate without them."
    return found


def needs_declaration(study: Study) -> bool:
    """Whether raters have to declare that they did not look anything up: it is public by now, and hidden here."""
    return study.kind != Study.Kind.SCENARIO_REVIEW and is_public(study)


@transaction.atomic
def accept(token: str, consent: Consent, *, person: Any) -> StudyRater:
    """The signed-in person takes the seat, and the order of its items is frozen; the link works once.

    Raises DomainError for a void link or a missing consent, NotAllowed for who may not rate here: it was sent to
    somebody else, all places are taken, or they know too much.
    """
    rater = _held(token)
    study = rater.study
    if found := missing(study, consent):
        raise DomainError(next(iter(found.values())))
    if study.created_by_id == person.pk:
        raise NotAllowed("You designed this study, so you cannot rate in it.")
    if study.raters.filter(user=person.pk).exists():
        raise NotAllowed("You take part in this study already.")
    if reason := why_not(rater, person) or why_full(study):
        raise NotAllowed(reason)
    if reason := why_not_blind(person, study, study.assignment.get(str(rater.plan), [])):
        raise NotAllowed(reason)
    rater.user, rater.state, rater.token_hash = person, State.ACCEPTED, ""
    rater.accepted_at, rater.consents_to_release = timezone.now(), consent.release
    rater.has_not_looked_up = consent.has_not_looked_up
    rater.order = own_order(study, rater)
    rater.save()
    details = {"seat": rater.seat, "release": consent.release, "has_not_looked_up": consent.has_not_looked_up}
    record(actor=person, action="study-rater-accepted", target=study, details=details)
    _tell_of_more(study)
    return rater


@transaction.atomic
def decline(token: str, *, person: Any) -> StudyRater:
    """Say no. Raises DomainError for a void link, NotAllowed for one that was sent to somebody else."""
    rater = _held(token)
    if reason := why_not(rater, person):
        raise NotAllowed(reason)
    rater.state, rater.token_hash = State.DECLINED, ""
    rater.save(update_fields=["state", "token_hash"])
    record(actor=person, action="study-rater-declined", target=rater.study, details={"seat": rater.seat})
    return rater


@transaction.atomic
def change_consent(rater: StudyRater, *, release: bool, actor: Any) -> StudyRater:
    """Change one's mind on the publication of single ratings, until the study is published."""
    study = locked(rater.study)
    if rater.user_id != actor.pk:
        raise NotAllowed("Only the rater decides on this.")
    if study.state == Study.State.PUBLISHED:
        raise WrongState("The study is published, so this cannot be changed any more.")
    StudyRater.objects.filter(pk=rater.pk).update(consents_to_release=release)
    rater.consents_to_release = release
    record(actor=actor, action="study-consent-changed", target=study, details={"seat": rater.seat, "release": release})
    return rater


def _tell_of_more(study: Study) -> None:
    """Write once to whoever designed the study that more people rate than were planned."""
    if study.created_by is None or n_taking_part(study) <= study.n_raters:
        return
    mail.post(
        event=MORE_THAN_PLANNED,
        kind="study",
        to=study.created_by,
        about=study,
        subject="More people rate in your study than planned",
        text=(
            f"{mail.defuse(study.title)}\n\nYou planned {study.n_raters} raters, and more have accepted now. "
            "Whoever comes beyond that rates items that somebody else rates too. Invitations can be taken back here:\n"
            f"{study_page(study)}\n"
        ),
    )


def _held(token: str) -> StudyRater:
    found = invitation(token)
    if found is not None:
        locked(found.study)
        found = invitation(token)
    if found is None:
        raise DomainError("This invitation is no longer good. Ask the people who run the study for a new one.")
    return found
