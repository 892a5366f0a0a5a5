"""Nobody who rates reads a model's name, a hidden verdict or another's rating before they may, wherever they look.

Everything that could leak is made first, in words that stand nowhere else; then each person reads every address of
studies there is, pages and files, and the words found are compared by equality.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import MetricVersion, Run, Scenario, Study
from evaluation.selectors.studies.shown_items import without_names
from evaluation.services.studies import rating as ratings
from evaluation.services.studies.states import NotAllowed
from impactbench.accounts.models import User
from impactbench.common.models import OutgoingMail
from tests.submissions.access.people_and_states import our_routes
from tests.support.builders import (
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_run,
    make_scenario,
)
from tests.support.portal import make_person
from tests.support.studies import make_study, rate_all, take_seat
from tests.support.thorough import THOROUGH
from tests.support.workbooks import text_of_workbook

pytestmark = pytest.mark.django_db
MODEL, JUDGE, OTHER = "zqmodel", "zqverdict", "zqother"
# The others hide no more than these, and are looked at by `make fuzz`.
KINDS = (
    "judgment-review",
    "expert-review",
    *(("simulator-selection", "simulation-review", "scenario-review") if THOROUGH else ()),
)


@pytest.fixture
def people() -> dict[str, User]:
    names = {"manager": ("Mara", "editor"), "first": ("Rita",), "second": ("Otto", "operator"), "stranger": ("Sam",)}
    return {who: make_person(*name) for who, name in names.items()}


def _runs_that_could_leak() -> tuple[Run, ...]:
    """Two metrics, two scenarios each, models who name themselves, and a judge who names them too.

    A run for each of two simulated users, which have names like the models.
    """
    versions = [make_metric("m01"), make_metric("m02", polarity="negative")]
    scenarios = [make_scenario(version, number=number) for version in versions for number in (1, 2)]
    return tuple(_run(name, versions, scenarios) for name in ("one", "two"))


def _run(name: str, versions: list[MetricVersion], scenarios: list[Scenario]) -> Run:
    targets = [make_model(f"{MODEL}-{letter}", name=f"Zqmodel {letter}") for letter in ("left", "right")]
    simulator = make_model(f"{MODEL}-{name}", name=f"Zqmodel {name}")
    run = make_run(name, versions=versions, targets=targets, user_simulator=simulator)
    for scenario in scenarios:
        for target in targets:
            turns = [
                (
                    f"I am {simulator.name}. And you?",
                    f"I am {target.name}, also called {target.slug.upper()}. A zqhelper.",
                )
            ]
            conversation = make_conversation(run, scenario, target, turns=turns)
            make_judgment(
                conversation,
                justification=f"{JUDGE}: {target.name} says it.",
                evidence=[{"turn": 1, "quote": f"{target.name} {JUDGE}", "verified": True}],
            )
    return run


def _read(person: User, study: Study) -> str:
    """All that the person finds at the addresses of studies, and in letters."""
    client = Client()
    client.force_login(person)
    texts = []
    values = {"study": study.public_id, "seat": 1, "token": "unknown"}
    for name, _, parts in our_routes():
        if not name.startswith(("evaluation:stud", "accounts:data")):
            continue
        for number in range(1, 7) if parts & {"place", "number"} else (1,):
            address = reverse(name, kwargs={part: values.get(part, number) for part in parts})
            texts.append(_text(client.get(address)))
    letters = OutgoingMail.objects.filter(recipient=person)
    return " ".join([*texts, *(letter.subject + letter.text for letter in letters)]).lower()


def _text(response: Any) -> str:
    if response.status_code != 200:
        return ""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return text_of_workbook(body) if body.startswith(b"PK") else str(body.decode())


def _found(person: User, study: Study) -> set[str]:
    text = _read(person, study)
    return {word for word in (MODEL, JUDGE, OTHER) if word in text}


@pytest.mark.parametrize("kind", KINDS)
def test_rater_reads_nothing_that_is_hidden_before_they_may(kind: str, people: dict[str, User]) -> None:
    study = make_study(people["manager"], kind, runs=_runs_that_could_leak())
    first = take_seat(study, people["manager"], people["first"])
    second = take_seat(study, people["manager"], people["second"])
    for item in rate_all(second, people["second"]):
        for question, answer in item.answers.items():
            if answer == "Because of what is said there.":
                item.answers[question] = OTHER
        item.save()
    rate_all(first, people["first"])
    shown_by_design = {JUDGE} if kind == "judgment-review" else set()

    blind = {who: _found(people[who], study) for who in ("first", "stranger")}
    assert blind == {"first": shown_by_design, "stranger": set()}
    # An operator who rates reads their own words, and no more than any other rater.
    assert _found(people["second"], study) == {OTHER} | shown_by_design
    assert {MODEL, OTHER} <= _found(people["manager"], study) | ({MODEL} if kind == "scenario-review" else set())

    ratings.finish(first, actor=people["first"])
    assert _found(people["first"], study) == ({MODEL, JUDGE} if kind != "scenario-review" else set())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I am GPT-4o, made to help. gpt-4o!", "I am [hidden], made to help. [hidden]!"),
        ("As Luna Pro I say: lunar eclipse.", "As [hidden] I say: lunar eclipse."),
        ("o3 thinks so; Leo3 does not.", "[hidden] thinks so; Leo3 does not."),
    ],
)
def test_names_are_hidden_as_whole_words_in_any_case(text: str, shown: str) -> None:
    assert without_names(text, ("GPT-4o", "Luna Pro", "o3")) == shown


def test_a_study_tells_nothing_of_conversations_that_are_rated_blind_elsewhere(people: dict[str, User]) -> None:
    manager, rita = people["manager"], people["first"]
    runs = _runs_that_could_leak()[:1]
    blind = make_study(manager, "expert-review", runs=runs)
    first, seat = make_study(manager, "expert-review", runs=runs), take_seat(blind, manager, rita)
    done = take_seat(first, manager, rita)
    rate_all(done, rita)
    ratings.finish(done, actor=rita)

    assert _found(rita, first) == set()
    rate_all(seat, rita)
    ratings.finish(seat, actor=rita)
    assert _found(rita, first) == {MODEL, JUDGE}


def test_who_was_told_verdicts_cannot_rate_without_them(people: dict[str, User]) -> None:
    manager, rita = people["manager"], people["first"]
    shows = make_study(manager, "judgment-review", runs=_runs_that_could_leak()[:1])
    hides = make_study(manager, "expert-review", runs=tuple(shows.runs.all()))
    shared = set(shows.items.values_list("conversation", flat=True)) & set(
        hides.items.values_list("conversation", flat=True)
    )
    assert shared != set()

    take_seat(shows, manager, rita)
    with pytest.raises(NotAllowed, match="has shown you what is hidden here"):
        take_seat(hides, manager, rita)
    take_seat(hides, manager, people["second"])
    with pytest.raises(NotAllowed, match="This study shows verdicts that are hidden from you in"):
        take_seat(shows, manager, people["second"])
