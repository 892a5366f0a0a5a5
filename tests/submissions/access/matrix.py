"""What everybody gets at every address in every state, as short words that a table can hold."""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core import signals
from django.db import close_old_connections, transaction
from django.http import HttpResponseBase
from django.template.base import Template
from django.test import Client, utils
from django.urls import reverse

from submissions.states import State
from tests.submissions.access.people_and_states import (
    PEOPLE,
    STATES,
    Scene,
    client_of,
    make_people,
    make_public,
    make_scene,
)
from tests.support.thorough import with_one_of

# One letter for each kind of answer; s and r are told apart by where they lead.
LETTERS = {200: "p", 400: "e", 401: "t", 403: "f", 404: "-", 405: "m", 409: "c", 410: "g", 422: "e", 429: "l"}
WRONG_METHOD = "m"
# What the parts of a route that have no name of their own stand for.
MEANINGS = {
    "submissions:attachment": {"key": "attachment"},
    "submissions:review-file": {"key": "attachment"},
    "submissions:trial": {"key": "trial"},
    "submissions:review-extension": {"pk": "extension"},
    "submissions:review-conflict-clear": {"pk": "conflict"},
    "submissions:review-mail": {"pk": "mail"},
    "submissions:review-assignment": {"pk": "assignment"},
    "submissions:review-decision-act": {"pk": "decision"},
    "submissions:review-person": {"pk": "person"},
    "submissions:review-call": {"slug": "call"},
    "submissions:suggestion": {"pk": "suggestion"},
    "submissions:notices-benchmark": {"slug": "benchmark"},
    "submissions:case-new": {"conversation": "conversation"},
    **{f"submissions:case{name}": {"slug": "case"} for name in ("", "-edit", "-preview", "-publish", "-retire")},
    **{f"submissions:reply{name}": {"pk": "reply"} for name in ("", "-withdraw")},
    **{f"submissions:import{name}": {"pk": "import"} for name in ("", "-csv", "-xlsx", "-json")},
    "submissions-api:import": {"pk": "import"},
    **{
        f"submissions:generated-{name}": {"slug": "benchmark", "pk": "generated"}
        for name in ("drafts", "csv", "xlsx", "json", "draft")
    },
    "submissions:generated-trial": {"slug": "benchmark", "pk": "generated", "key": "trial of a draft"},
    **{
        f"submissions:suite{name}": {"slug": "suite", "version": "suite version"}
        for name in ("", "-csv", "-xlsx", "-json")
    },
    "accounts:change-role": {"pk": "person"},
    "evaluation:": {"slug": "run"},
}
OF_A_SUBMISSION = frozenset({"attachment", "trial", "extension", "conflict", "mail", "assignment", "decision"})
METHODS = ("get", "post")
# In these, answers differ most from those in other states.
TELLING_STATES = (State.DRAFT, State.IN_REVIEW)


def letter(response: HttpResponseBase) -> str:
    """p page, s sign in first, r sent elsewhere, - not there, m wrong method, f refused with the text kept, e problem,
    c too late or changed meanwhile, g gone, t a token is needed and no session counts."""
    if 300 <= response.status_code < 400:
        return "s" if response.headers.get("Location", "").startswith("/accounts/login/") else "r"
    return LETTERS.get(response.status_code, str(response.status_code))


def ask(client: Client, method: str, path: str) -> str:
    """The letter of one answer; whatever a POST changed is taken back. A GET changes nothing, as another test shows."""
    if method == "get":
        return _letter_of(client.get(path))
    with transaction.atomic():
        found = _letter_of(getattr(client, method)(path))
        transaction.set_rollback(True)
    return found


def _letter_of(response: HttpResponseBase) -> str:
    found = letter(response)
    _close(response)
    return found


def _close(response: HttpResponseBase) -> None:
    """Let go of a file that is being sent, but not of the connection that the test goes on with."""
    signals.request_finished.disconnect(close_old_connections)
    response.close()
    signals.request_finished.connect(close_old_connections)


@contextmanager
def quiet() -> Iterator[None]:
    """For thousands of answers: no line in the log for each refusal, no copy of the context for each template.

    Django's test set-up keeps such copies for `response.context`, which nobody reads here, and they cost most of the
    time of a large page.
    """
    kept_for_tests = Template._render  # type: ignore[attr-defined]  # private, and so is its twin below
    logging.disable(logging.WARNING)
    Template._render = utils._TestState.saved_data.template_render  # type: ignore[attr-defined]
    try:
        yield
    finally:
        Template._render = kept_for_tests  # type: ignore[attr-defined]
        logging.disable(logging.NOTSET)


class Site:
    """Everybody, signed in, before one submission of every state."""

    def __init__(self) -> None:
        people = make_people()
        self.clients = {name: client_of(person) for name, person in people.items()}
        self.public = make_public(people)
        self.scenes = {state: make_scene(people, state) for state in STATES}
        self.own_scenes = {state: make_scene(people, state, "owner with every role") for state in STATES}

    def row(self, name: str, parts: frozenset[str], method: str, expected: str = "") -> str:
        """What each person gets, one letter a state; one letter where it is the same in all states.

        Who should get the same in all states, as `expected` says, is asked in three of them, others in each.
        """
        letters = out_of_words(expected)
        answers = {
            person: self._answers(name, parts, method, person, is_same=len(letters.get(person, "")) == 1)
            for person in PEOPLE
        }
        return in_words(answers)

    def _answers(self, name: str, parts: frozenset[str], method: str, person: str, *, is_same: bool) -> str:
        meanings = _meanings(name)
        is_about_one = "public_id" in parts or not OF_A_SUBMISSION.isdisjoint(meanings.values())
        scenes: dict[Any, Scene] = self.own_scenes if person == "owner with every role" else self.scenes
        states = with_one_of(TELLING_STATES, STATES, of=f"{name} {person}") if is_same else STATES
        found = ""
        for state in states if is_about_one else STATES[:1]:
            values = {**self.public, **scenes[state].values}
            filled = {part: values.get(meanings.get(part, part), 0) for part in parts}
            found += ask(self.clients[person], method, reverse(name, kwargs=filled))
            # Which methods an address takes is decided before it looks for anything.
            if found == WRONG_METHOD:
                return found
        return found[0] if len(set(found)) == 1 else found


def in_words(answers: dict[str, str]) -> str:
    """'anonymous: s; owner: prrp; others: -': people with the same answer together, the largest group as the others."""
    most = Counter(answers.values()).most_common(1)[0][0]
    groups: dict[str, list[str]] = {}
    for person, answer in answers.items():
        if answer != most:
            groups.setdefault(answer, []).append(person)
    named = [f"{', '.join(people)}: {answer}" for answer, people in groups.items()]
    return "; ".join([*named, f"others: {most}" if named else f"all: {most}"])


def out_of_words(row: str) -> dict[str, str]:
    """The letters of each person in what `in_words` wrote."""
    groups = dict(group.split(": ") for group in row.split("; ") if group)
    rest = groups.pop("others", "") or groups.pop("all", "")
    named = {person: letters for people, letters in groups.items() for person in people.split(", ")}
    return {person: named.get(person, rest) for person in PEOPLE} if row else {}


def _meanings(name: str) -> dict[str, str]:
    return MEANINGS.get(name) or MEANINGS.get(f"{name.split(':')[0]}:", {})
