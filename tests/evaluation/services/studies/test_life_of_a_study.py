"""A study from its design to its findings, and what the database keeps of it."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.utils import timezone

from evaluation.models import Rating, Study, StudyFinding, StudyItem, StudyRater
from evaluation.selectors.studies.candidates import Source, candidates, fingerprint
from evaluation.selectors.studies.frames import ratings_frame
from evaluation.selectors.studies.orders import items_of, letters_of
from evaluation.services.studies import (
    adjudicating,
    answering,
    closing,
    inviting,
    leaving,
    opening,
    publishing,
    reminding,
)
from evaluation.services.studies import rating as ratings
from evaluation.services.studies.answering import Consent
from evaluation.services.studies.designing import Wish, Words, design_study, discard
from evaluation.services.studies.rating import StaleRating, UnfinishedRating
from evaluation.services.studies.states import NotAllowed, WrongState
from evaluation.studies.designs import design_of
from impactbench.accounts.erasure import erase_account
from impactbench.accounts.models import User
from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent, OutgoingMail
from tests.support.builders import make_release
from tests.support.portal import make_person
from tests.support.studies import answers_to, invited, make_study, rate, rate_all, take_seat, the_run, token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def rita() -> User:
    return make_person("Rita")


@pytest.fixture
def otto() -> User:
    return make_person("Otto")


def _of_study() -> list[str]:
    return list(AuditEvent.objects.filter(action__startswith="study-").order_by("pk").values_list("action", flat=True))


def test_study_goes_from_its_design_to_its_findings(manager: User, rita: User, otto: User) -> None:
    study = make_study(manager)
    first, second = take_seat(study, manager, rita), take_seat(study, manager, otto, release=False)
    rate_all(first, rita, main="pass")
    rate_all(second, otto, main="fail")
    ratings.finish(first, actor=rita)

    closed = closing.close_study(study, actor=manager)
    frozen = closed.analysis
    item = study.items.filter(unit="conversation").first()
    assert item is not None
    adjudicating.adjudicate(item, outcome="contested", reasons="Both have a point.", actor=manager)
    published = publishing.publish_study(closed, actor=manager)

    assert frozen is not None
    assert frozen == closing.analysis_of(published)
    assert (frozen["n_items"], frozen["n_ratings"], frozen["n_raters"]) == (5, 10, 2)
    findings = {finding.metric_version_id: finding.values for finding in StudyFinding.objects.filter(study=study)}
    assert set(findings) == {None, item.metric_version_id}
    assert findings[None]["n_ratings"] == 10
    assert [row["outcome"] for row in findings[item.metric_version_id]["adjudications"]] == ["contested"]
    assert set(ratings_frame(published)["rater"]) == {"Rater 1", "Rater 2"}
    assert set(ratings_frame(published, released=True)["rater"]) == {"Rater 1"}
    assert _of_study() == [
        "study-designed",
        "study-open",
        *["study-rater-invited", "study-rater-accepted"] * 2,
        *["study-rating-submitted"] * 10,
        "study-rater-finished",
        "study-close",
        "study-adjudicated",
        "study-publish",
    ]


def test_same_seed_on_the_same_run_draws_the_same_items(manager: User) -> None:
    first, second = make_study(manager, opens=False), make_study(manager, opens=False)

    def drawn(study: Study) -> list[tuple[object, ...]]:
        return list(study.items.values_list("number", "unit", "metric_version", "conversation", "target"))

    assert drawn(first) == drawn(second)
    assert first.assignment == second.assignment
    assert first.sampling_frame["sha256"] == fingerprint(candidates(first.kind, Source((the_run(),))))


@pytest.mark.parametrize("kind", ["scenario-review", "simulation-review", "judgment-review", "expert-review"])
def test_study_of_each_kind_can_be_rated_to_its_end(kind: str, manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager, kind), manager, rita)
    rate_all(rater, rita)

    data = closing.close_study(rater.study, actor=manager).analysis

    assert data is not None
    assert data["n_ratings"] == len(rater.order) > 0
    assert data["times"][0]["sum_seconds"] == 60 * len(rater.order)


def test_study_without_anything_to_draw_is_refused(manager: User) -> None:
    run = the_run()
    wish = Wish("simulator-selection", design_of("simulator-selection", {}), Source((run,)), 1)
    empty = Wish("judgment-review", design_of("judgment-review", {"profiles": ["nobody"]}), Source((run,)), 1)

    with pytest.raises(DomainError, match="There is nothing to draw from run run"):
        design_study(empty, Words("Nothing"), actor=manager)
    assert design_study(wish, Words("One simulator"), actor=manager).short != []


def test_only_who_runs_studies_and_does_not_rate_in_it_runs_it(manager: User, rita: User) -> None:
    study = make_study(manager)
    operator = make_person("Opal", "operator")
    take_seat(study, manager, operator)

    for person in (rita, operator):
        with pytest.raises(NotAllowed):
            closing.close_study(study, actor=person)
    with pytest.raises(DomainError, match="Whoever designed a study cannot rate in it"):
        inviting.invite(study, [manager.email], actor=manager)
    token = invited(study, manager, "somebody@else.example")
    with pytest.raises(NotAllowed, match="You designed this study"):
        answering.accept(token, Consent(True, True), person=manager)


def test_invitation_opens_once_and_only_with_all_that_must_be_said(manager: User, rita: User, otto: User) -> None:
    study = make_study(manager, runs=(make_release().runs.get(),))
    token = invited(study, manager, rita.email)

    with pytest.raises(DomainError, match="Say whether your single ratings may be published"):
        answering.accept(token, Consent(agrees=True, release=None), person=rita)
    with pytest.raises(DomainError, match="who has seen the results cannot rate without them"):
        answering.accept(token, Consent(agrees=True, release=False), person=rita)
    rater = answering.accept(token, Consent(True, False, has_not_looked_up=True), person=rita)

    assert (rater.pseudonym, rater.consents_to_release, len(rater.order)) == ("Rater 1", False, 5)
    with pytest.raises(DomainError, match="no longer good"):
        answering.accept(token, Consent(True, True, True), person=otto)


def test_invitations_of_a_draft_go_out_when_it_opens_and_new_links_void_old_ones(manager: User) -> None:
    study = make_study(manager, opens=False)
    inviting.invite(study, ["a@x.example", " A@x.example, ", "b@x.example", ""], actor=manager)
    assert OutgoingMail.objects.filter(event=inviting.INVITED).count() == 0

    opening.open_study(study, actor=manager)
    before = token_of("a@x.example")
    inviting.invite(study, ["a@x.example"], actor=manager)
    after = token_of("a@x.example")
    inviting.uninvite(study, 2, actor=manager)

    assert answering.invitation(before) is None
    assert answering.invitation(after) is not None
    assert answering.invitation(token_of("b@x.example")) is None
    assert list(study.raters.values_list("seat", "plan", "state")) == [(1, 1, "invited"), (2, 2, "declined")]
    with pytest.raises(DomainError, match="“nobody” is not an e-mail address"):
        inviting.invite(study, ["c@x.example", "nobody"], actor=manager)


def test_who_comes_for_somebody_takes_what_they_left(manager: User, rita: User, otto: User) -> None:
    study = make_study(manager, "simulation-review")
    first, _ = take_seat(study, manager, rita), take_seat(study, manager, otto)
    leaving.withdraw(first, keeps_ratings=False, actor=rita)

    third = take_seat(study, manager, make_person("Tina"))

    assert (third.seat, third.plan) == (3, 1)
    assert sorted(third.order) == sorted(first.order)


def test_order_is_frozen_and_letters_are_dealt_within_a_scenario(manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    items = items_of(rater.study, rater)
    letters = letters_of(rater.study, rater, items)

    assert [item.unit for item in items] == ["metric", *["conversation"] * 4]
    assert [letters[item.number] for item in items[1:]] == ["A", "B", "A", "B"]
    assert items[1].scenario_id == items[2].scenario_id != items[3].scenario_id


def test_two_windows_never_overwrite_each_other(manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    item = items_of(rater.study, rater)[0]

    kept = ratings.save(rater, item, {"relevance": "3"}, version=0, seconds=5, actor=rita)
    again = ratings.save(rater, item, {"relevance": "3"}, version=0, seconds=5, actor=rita)
    with pytest.raises(StaleRating) as stale:
        ratings.save(rater, item, {"relevance": "2"}, version=0, seconds=5, actor=rita)
    newer = ratings.save(rater, item, {"relevance": "2"}, version=1, seconds=10**9, actor=rita)

    assert (kept.version, again.version, stale.value.rating.answers) == (1, 1, {"relevance": 3})
    assert (newer.version, newer.answers, newer.seconds) == (2, {"relevance": 2}, 10 + ratings.MOST_SECONDS)


def test_unfinished_rating_is_kept_and_counts_nowhere(manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    item = items_of(rater.study, rater)[1]

    with pytest.raises(UnfinishedRating) as unfinished:
        ratings.submit(rater, item, {"outcome": "pass"}, version=0, seconds=5, actor=rita)

    assert "confidence" in unfinished.value.problems
    assert Rating.objects.get().state == "draft"
    assert closing.analysis_of(rater.study)["n_ratings"] == 0


def test_submitted_rating_stays_so_while_it_is_complete(manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    item = items_of(rater.study, rater)[1]
    given = answers_to(ratings.form_of(item))
    ratings.submit(rater, item, given, version=0, seconds=5, actor=rita)

    complete = ratings.save(rater, item, {**given, "why": "On second thoughts."}, version=1, seconds=0, actor=rita)
    assert complete.state == "submitted"
    broken = ratings.save(rater, item, {**given, "why": ""}, version=2, seconds=0, actor=rita)
    assert broken.state == "draft"


def test_skipping_needs_no_reason_and_finishing_needs_every_item(manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    items = items_of(rater.study, rater)
    for item in items[:-1]:
        ratings.skip(rater, item, seconds=1, actor=rita)
    with pytest.raises(WrongState, match="1 still waits for you"):
        ratings.finish(rater, actor=rita)

    rate(rater, items[-1], rita)
    ratings.finish(rater, actor=rita)

    assert rater.state == "finished"
    with pytest.raises(WrongState, match="can no longer be changed"):
        ratings.skip(rater, items[0], seconds=0, actor=rita)


def test_nobody_rates_for_another_or_what_they_were_not_asked(manager: User, rita: User, otto: User) -> None:
    study = make_study(manager)
    rater = take_seat(study, manager, rita)
    item = items_of(study, rater)[0]
    elsewhere = make_study(manager).items.first()
    assert elsewhere is not None

    with pytest.raises(NotAllowed):
        ratings.save(rater, item, {}, version=0, seconds=0, actor=otto)
    with pytest.raises(NotAllowed):
        ratings.save(rater, elsewhere, {}, version=0, seconds=0, actor=rita)


def test_leaving_takes_the_answers_along_or_leaves_them(manager: User, rita: User, otto: User) -> None:
    study = make_study(manager)
    first, second = take_seat(study, manager, rita), take_seat(study, manager, otto)
    rate_all(first, rita)
    rate_all(second, otto)
    leaving.withdraw(first, keeps_ratings=True, actor=rita)
    assert closing.close_study(study, actor=manager).analysis["n_ratings"] == 10  # type: ignore[index]

    leaving.withdraw(second, keeps_ratings=False, actor=otto)

    study.refresh_from_db()
    assert study.analysis is not None
    assert study.analysis["n_ratings"] == 5
    assert set(Rating.objects.filter(rater=second).values_list("state", flat=True)) == {"dropped"}
    publishing.publish_study(study, actor=manager)
    with pytest.raises(WrongState):
        leaving.withdraw(first, keeps_ratings=False, actor=rita)


def test_database_keeps_ratings_items_decisions_and_findings(manager: User, rita: User) -> None:
    study = make_study(manager)
    rater = take_seat(study, manager, rita)
    rate_all(rater, rita)
    item = study.items.last()
    assert item is not None
    decision = adjudicating.adjudicate(item, outcome="present", reasons="It is.", actor=manager)
    publishing.publish_study(closing.close_study(study, actor=manager), actor=manager)
    other = make_study(manager).items.get(number=1)

    refused = [
        lambda: Rating.objects.all().delete(),
        lambda: Rating.objects.update(answers={}, state="dropped"),
        lambda: StudyItem.objects.filter(study=study).update(number=99),
        lambda: StudyItem.objects.filter(pk=item.pk).delete(),
        lambda: type(decision).objects.update(outcome="absent"),
        lambda: type(decision).objects.all().delete(),
        lambda: StudyFinding.objects.update(values={}),
        lambda: StudyFinding.objects.all().delete(),
        lambda: Study.objects.filter(pk=study.pk).update(seed=1),
        lambda: Study.objects.filter(pk=study.pk).update(analysis={"n": 1}),
        lambda: Rating.objects.create(item=other, rater=rater),
    ]
    for act in refused:
        with (
            pytest.raises((IntegrityError, Exception), match=r"frozen|joins|protected|referenced"),
            transaction.atomic(),
        ):
            act()


def test_draft_can_be_thrown_away_and_an_open_study_cannot(manager: User) -> None:
    draft, open_one = make_study(manager, opens=False), make_study(manager)

    discard(draft, actor=manager)

    assert list(Study.objects.all()) == [open_one]
    with pytest.raises(WrongState):
        discard(open_one, actor=manager)


def test_clock_reminds_once_after_days_without_a_word(manager: User, rita: User) -> None:
    study = make_study(manager)
    take_seat(study, manager, rita)
    invited(study, manager, "later@x.example")
    soon, later = timezone.now() + timedelta(days=2), timezone.now() + timedelta(days=4)

    assert (reminding.remind_all(soon), reminding.remind_all(later), reminding.remind_all(later)) == (0, 2, 0)
    letter = OutgoingMail.objects.get(event="study-reminder")
    assert (letter.recipient, reminding.is_unfinished(letter)) == (rita, True)
    closing.close_study(study, actor=manager)
    letter.refresh_from_db()
    assert (letter.state, reminding.is_unfinished(letter)) == ("cancelled", False)


def test_erasure_forgets_the_person_and_keeps_the_ratings(manager: User, rita: User) -> None:
    study = make_study(manager)
    rater = take_seat(study, manager, rita)
    rate_all(rater, rita)
    invited(make_study(manager), manager, rita.email)

    erase_account(rita)

    rater.refresh_from_db()
    assert (rater.user, rater.email, rater.pseudonym, rater.state) == (None, "", "Rater 1", "withdrawn")
    assert Rating.objects.filter(rater=rater, state="submitted").count() == 5
    assert list(StudyRater.objects.exclude(pk=rater.pk).values_list("email", "state")) == [("", "declined")]
    assert not OutgoingMail.objects.filter(event=inviting.INVITED).exists()


def test_link_is_good_for_the_invited_address_alone_unless_the_manager_opens_it(
    manager: User, rita: User, otto: User
) -> None:
    study = make_study(manager)
    token = invited(study, manager, rita.email)
    consent = Consent(agrees=True, release=True)

    for answer in (
        lambda: answering.accept(token, consent, person=otto),
        lambda: answering.decline(token, person=otto),
    ):
        with pytest.raises(NotAllowed, match="sent to an e-mail address that is not yours"):
            answer()
    EmailAddress.objects.create(user=otto, email="desk@home.example", verified=False)
    waiting = invited(study, manager, "desk@home.example")
    with pytest.raises(NotAllowed, match="not yours"):
        answering.accept(waiting, consent, person=otto)
    assert answering.accept(token, consent, person=rita).pseudonym == "Rater 1"
    Study.objects.update(has_open_links=True)
    assert answering.accept(waiting, consent, person=otto).pseudonym == "Rater 2"


def test_more_raters_than_planned_are_told_to_the_manager_and_can_be_ended(
    manager: User, rita: User, otto: User
) -> None:
    study = make_study(manager)
    for person in (rita, otto):
        take_seat(study, manager, person)
    letters = OutgoingMail.objects.filter(event=answering.MORE_THAN_PLANNED)
    assert letters.count() == 0

    take_seat(study, manager, make_person("Tina"))
    Study.objects.update(most_raters=3)

    assert [letter.recipient for letter in letters] == [manager]
    with pytest.raises(NotAllowed, match="takes 3 raters, and all places are taken"):
        take_seat(study, manager, make_person("Uma"))
