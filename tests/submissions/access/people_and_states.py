"""One submission in every state, everybody who could stand near it, and every address of the site filled in for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from evaluation.models import MetricVersion, Study, StudyItem, StudyRater, Suite
from impactbench.accounts.models import User
from impactbench.common import mail
from impactbench.common.private_files import store
from impactbench.common.uploads import CheckedUpload
from submissions.models import (
    Assignment,
    Attachment,
    Call,
    CoAuthor,
    Conflict,
    Decision,
    Extension,
    Submission,
    Suggestion,
    Trial,
)
from submissions.states import State
from tests.support.builders import make_metric, make_model, make_run
from tests.support.drafting import make_generated
from tests.support.editorial import make_case, make_reply
from tests.support.portal import (
    CONTENT,
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_submission,
)
from tests.support.source_files import make_import
from tests.support.trials import make_draft_trial

# In this order each person's outcomes are written in the table, one letter a state.
STATES = tuple(State)
PEOPLE = (
    "anonymous", "stranger", "owner", "co-author", "reviewer", "invited", "other reviewer", "conflicted",
    "owner with every role", "editor", "operator",
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """Everything the addresses of one submission need."""

    submission: Submission
    values: dict[str, Any]


def make_people() -> dict[str, User | None]:
    """Everybody; the owner of the second kind holds every role and owns nothing of `owner`."""
    return {
        "anonymous": None,
        "stranger": make_person("Sam Stranger", "expert"),
        "owner": make_person("Ada Author", "expert", email="ada@uni.example"),
        "co-author": make_person("Cleo Coauthor", "expert"),
        "reviewer": make_person("Rita Reviewer", "reviewer"),
        "invited": make_person("Ina Invited", "reviewer"),
        "other reviewer": make_person("Otto Other", "reviewer"),
        "conflicted": make_person("Cora Colleague", "reviewer", "editor", email="cora@uni.example"),
        "owner with every role": make_person("Olga Owner", "expert", "reviewer", "editor", "operator"),
        "editor": make_person("Ed Editor", "editor"),
        "operator": make_person("Opal Operator", "operator"),
    }


def make_scene(people: dict[str, User | None], state: State, owner: str = "owner") -> Scene:
    """A submission of that state with one of everything that hangs on a submission in it."""
    author = people[owner]
    assert author is not None
    submission = make_submission(author, state, CONTENT)
    co_author = people["co-author"]
    if owner == "owner" and co_author is not None:
        CoAuthor.objects.create(
            submission=submission, email=co_author.email, person=co_author, state=CoAuthor.State.CONFIRMED
        )
    values = {"public_id": submission.public_id, "number": 1, **_parts(submission, people)}
    return Scene(submission, values)


def _parts(submission: Submission, people: dict[str, Any]) -> dict[str, Any]:
    owner = submission.owner
    file = CheckedUpload("scale.txt", "text/plain", 5, "0" * 64, b"words")
    attachment = Attachment.objects.create(
        submission=submission, stored=store(file), name=file.name, content_type=file.content_type,
        size=file.size, sha256=file.sha256, added_by=owner, added_at=submission.created_at - timedelta(hours=1),
    )  # fmt: skip
    trial = Trial.objects.create(
        submission=submission, kind=Trial.Kind.EXAMPLES, state=Trial.State.DONE, asked_by=owner,
        content=submission.content, result={"rows": []},
    )  # fmt: skip
    found = {
        "attachment": attachment.pk,
        "trial": trial.pk,
        "extension": Extension.objects.create(submission=submission, reason="I was ill.").pk,
        "conflict": Conflict.objects.create(
            submission=submission, person=people["stranger"], kind=Conflict.Kind.FOUND, reason="They publish together."
        ).pk,
        "mail": mail.post(
            event=f"receipt-{submission.pk}", kind="receipt", to=owner, about=submission, subject="s", text="t"
        ).pk,
    }
    round_ = submission.rounds.order_by("-number").first()
    if round_ is not None:
        assignment = make_assignment(round_, people["reviewer"])
        make_review(assignment)
        make_assignment(round_, people["invited"], Assignment.State.INVITED)
        found["assignment"] = assignment.pk
        found["decision"] = _decision(submission, people["editor"]).pk
    return found


def _decision(submission: Submission, editor: User) -> Decision:
    kinds = {
        State.CHANGES_REQUESTED: (Decision.Kind.REQUEST_CHANGES, Decision.State.SENT),
        State.REJECTED: (Decision.Kind.REJECT, Decision.State.SENT),
        State.IN_REVIEW: (Decision.Kind.APPROVE, Decision.State.WAITING),
    }
    kind, state = kinds.get(State(submission.state), (Decision.Kind.APPROVE, Decision.State.SENT))
    decision = make_decision(submission, editor, kind, state)
    decision.release_at = timezone.now() + timedelta(days=1)
    decision.save(update_fields=["release_at"])
    return decision


def our_routes() -> Iterator[tuple[str, str, frozenset[str]]]:
    """(name, route, names of its parts) of every address of the site that is not Django's or allauth's."""
    yield from _walk(get_resolver(), "", "")


def _walk(resolver: URLResolver, prefix: str, namespace: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    for item in resolver.url_patterns:
        route = prefix + str(item.pattern)
        if isinstance(item, URLResolver):
            inner = ":".join(part for part in (namespace, item.namespace) if part)
            yield from _walk(item, route, inner)
        elif isinstance(item, URLPattern) and not _is_of_others(item):
            name = ":".join(part for part in (namespace, item.name or route) if part)
            yield name, route, frozenset(item.pattern.converters)


def _is_of_others(item: URLPattern) -> bool:
    view = getattr(item.callback, "view_class", None)
    module = view.__module__ if view else getattr(item.callback, "__module__", "")
    # allauth's old addresses lead on to its new ones, and its addresses of providers to the same work, checked more.
    return module.startswith(("allauth.", "django.contrib.", "django.views.", "impactbench.accounts.oidc."))


def client_of(person: User | None) -> Client:
    """A browser in which this person is signed in."""
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def make_public(people: dict[str, Any]) -> dict[str, Any]:
    """A call, a suggestion, a published case study and a reply: what belongs to no submission."""
    version = make_metric("m01", is_published=True)
    case = make_case()
    generated = make_generated(version)
    return {
        "call": Call.objects.create(slug="winter", title="Winter").slug,
        "suggestion": Suggestion.objects.create(metric=version.metric, kind="improvement", text="Say when.").pk,
        "person": people["reviewer"].pk,
        "benchmark": "autonomy",
        "metric": "m01",
        "case": case.slug,
        "conversation": case.conversation.public_id,
        "model": case.conversation.target.slug,
        "reply": make_reply(case.conversation.target).pk,
        "import": make_import(people["editor"]).pk,
        "suite": Suite.objects.create(slug="all").slug,
        "suite version": 1,
        "generated": generated.pk,
        "trial of a draft": make_draft_trial(generated, people["editor"]).pk,
        "run": make_run("pilot", versions=[version], targets=[make_model("luna")]).slug,
        "token": "unknown",
        "study": _study(version, people["stranger"]).public_id,
        "place": 1,
        "seat": 2,
    }


def _study(version: MetricVersion, rater: User) -> Study:
    """An open study of one item: the stranger rates in it, and somebody else was asked."""
    study = Study.objects.create(
        public_id="st-access", kind=Study.Kind.EXPERT_REVIEW, title="A study", seed=1, sampling_frame={},
        design={"raters": 2, "raters_per_item": 2}, n_raters=2, assignment={"1": [1], "2": [1]}, state="open",
    )  # fmt: skip
    StudyItem.objects.create(study=study, number=1, unit="metric", metric_version=version)
    StudyRater.objects.create(
        study=study, seat=1, user=rater, email=rater.email, state=StudyRater.State.ACCEPTED, order=[1],
        accepted_at=timezone.now(), consents_to_release=True,
    )  # fmt: skip
    StudyRater.objects.create(study=study, seat=2, plan=2, email="asked@rater.example")
    return study
