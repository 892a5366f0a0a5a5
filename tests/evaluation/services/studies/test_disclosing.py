"""Publishing what an open study hides: said before, noted on the study, and declared by its raters."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from evaluation.models import RaterDeclaration, StudyDisclosure, StudyRater
from evaluation.selectors.studies.orders import items_of
from evaluation.services.studies import answering, closing, disclosing
from evaluation.services.studies import publishing as studies
from evaluation.services.studies.disclosing import OpenStudies
from evaluation.services.studies.rating import NotDeclared, form_of
from evaluation.services.studies.states import NotAllowed
from impactbench.accounts.models import User
from impactbench.common.models import AuditEvent
from tests.support.builders import make_release
from tests.support.portal import make_person
from tests.support.studies import answers_to, make_study, rate, rate_all, take_seat, the_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def rita() -> User:
    return make_person("Rita")


def _publish_run(*, despite: bool = True) -> None:
    make_release(run=the_run(), resamples=20, despite_open_studies=despite)


def test_release_of_runs_that_are_rated_blind_is_refused_until_somebody_says_so(manager: User, rita: User) -> None:
    study = make_study(manager)
    take_seat(study, manager, rita)
    make_study(manager, "scenario-review")  # it hides nothing that a release tells

    with pytest.raises(CommandError, match="“How far to trust it”: 1 rater has not finished") as refused:
        call_command("publish_release", "2026-a", "--run", "run", "--resamples", "20")
    assert "--despite-open-studies" in str(refused.value)
    assert StudyDisclosure.objects.count() == 0
    call_command("publish_release", "2026-a", "--run", "run", "--resamples", "20", "--despite-open-studies")

    noted = StudyDisclosure.objects.get()
    assert (noted.study, noted.release.slug if noted.release else "", noted.n_unfinished) == (study, "2026-a", 1)
    event = AuditEvent.objects.get(action="study-disclosed")
    assert event.details == {"release": "2026-a", "unfinished": 1}


def test_rater_says_what_they_know_before_the_next_rating_counts(manager: User, rita: User) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    first, second, third = items_of(rater.study, rater)[:3]
    rate(rater, first, rita)
    _publish_run()
    client = Client()
    client.force_login(rita)
    page = f"/studies/{rater.study.public_id}/"

    with pytest.raises(NotDeclared):
        rate(rater, second, rita)
    assert client.get(f"{page}2/").headers["Location"] == page
    given = {**answers_to(form_of(third)), "a": "next", "version": "0"}
    assert client.post(f"{page}3/", given).headers["Location"] == page
    assert client.post(f"{page}declare/", {"knows": "all of it"}).headers["Location"] == page
    assert "What do you know of the results?" in client.get(page).content.decode()
    assert client.post(f"{page}declare/", {"knows": "averages"}).headers["Location"] == f"{page}2/"

    kept = dict(rater.ratings.values_list("item__number", "state"))
    assert kept == {first.number: "submitted", second.number: "draft", third.number: "draft"}
    assert client.get(f"{page}2/").status_code == 200
    assert list(RaterDeclaration.objects.values_list("rater", "knows")) == [(rater.pk, "averages")]


def test_analysis_tells_what_was_public_and_what_raters_knew(manager: User, rita: User) -> None:
    study = make_study(manager)
    rater, finished = take_seat(study, manager, rita), take_seat(study, manager, otto := make_person("Otto"))
    rate_all(finished, otto)
    _publish_run()
    disclosing.declare(rater, "nothing", actor=rita)
    rate_all(rater, rita)
    with pytest.raises(NotAllowed):
        disclosing.declare(rater, "nothing", actor=otto)

    analysis = closing.close_study(study, actor=manager).analysis

    assert analysis is not None
    told = analysis["knowledge"]
    assert [(one["what"], one["name"]) for one in told["became_public"]] == [("release", "2026-a")]
    assert told["declared"] == {"nothing": 1, "averages": 0, "conversations": 0}
    assert (told["n_raters"], told["n_not_looked_up"]) == (2, 2)
    client = Client()
    client.force_login(manager)
    assert "1 had seen nothing" in client.get(f"/studies/{study.public_id}/analysis/").content.decode()
    studies.publish_study(StudyDisclosure.objects.get().study, actor=manager)
    assert "1 had seen nothing" in Client().get(f"/methodology/studies/{study.public_id}/").content.decode()
    assert "release 2026-a. 2 raters had not finished." in client.get(f"/studies/{study.public_id}/").content.decode()


def test_files_of_a_study_tell_another_one_of_the_same_conversations(manager: User, rita: User) -> None:
    study, other = make_study(manager), make_study(manager, "simulation-review", design={"n_conversations": 24})
    rater = take_seat(other, manager, rita)
    closed = closing.close_study(study, actor=manager)
    client = Client()
    client.force_login(manager)
    page, act = f"/studies/{study.public_id}/", f"/studies/{study.public_id}/act/"

    assert "“How far to trust it”: 1 rater has not finished" in client.get(page).content.decode()
    client.post(act, {"a": "publish"})
    with pytest.raises(OpenStudies):
        studies.publish_study(closed, actor=manager)
    assert not answering.needs_declaration(other)
    client.post(act, {"a": "publish", "despite_open_studies": "on"})

    assert StudyDisclosure.objects.get().other == closed
    assert answering.needs_declaration(other)
    with pytest.raises(NotDeclared):
        rate(StudyRater.objects.get(pk=rater.pk), items_of(other, rater)[0], rita)
