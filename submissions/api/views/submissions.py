"""`submissions/`: what a person proposes, written, sent and withdrawn by a program of theirs."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from impactbench.accounts.api.once import KEY_PARAMETER, once
from impactbench.common.api.paging import CursorPages
from impactbench.common.api.parameters import CURSOR, PAGE_SIZE
from impactbench.common.api.problems import MEDIA_TYPE, Refused, quoted
from submissions.api import examples
from submissions.api.base import PortalView
from submissions.api.refusals import stale
from submissions.api.shapes import (
    AnswersSerializer,
    ChangeSerializer,
    ConflictSerializer,
    NewSubmissionSerializer,
    SendingSerializer,
    SubmissionSerializer,
    WholeSubmissionSerializer,
    WithdrawalSerializer,
)
from submissions.clashes import compare
from submissions.content import Content
from submissions.models import Call, Submission
from submissions.saving_limit import saves_too_often
from submissions.selectors.draft_versions import content_of
from submissions.selectors.visible import submission_for, written_by
from submissions.services.answers import answer
from submissions.services.calls import open_calls
from submissions.services.drafts import StaleDraft, open_draft, save_draft
from submissions.services.sending import resend, send, withdraw
from submissions.standing import Standing
from submissions.states import State

TOO_OFTEN = "You saved very often within a minute. Nothing was changed."
WHOLE = {200: WholeSubmissionSerializer, (409, MEDIA_TYPE): ConflictSerializer}


class SubmissionList(PortalView, ListAPIView):
    """The submissions of the person, newest first."""

    noun = "submissions"
    serializer_class = SubmissionSerializer
    queryset = Submission.objects.none()
    pagination_class = CursorPages
    ordering = "-pk"
    parameters = (CURSOR, PAGE_SIZE)

    def get_queryset(self) -> QuerySet[Submission]:
        return written_by(self.request.user).select_related("call")

    @extend_schema(
        examples=[examples.NEW],
        parameters=[KEY_PARAMETER],
        request=NewSubmissionSerializer,
        responses={201: WholeSubmissionSerializer},
    )
    @once
    def post(self, request: Request) -> Response:
        """A new draft."""
        values = self.checked(NewSubmissionSerializer)
        _refuse_a_flood(request.user)
        content = Content.from_json(values.get("content", {}))
        made = open_draft(request.user, content=content, call=_call(values.get("call")))
        location = reverse("submissions-api:submission", args=[made.public_id])
        return self.answer(WholeSubmissionSerializer, made, HTTPStatus.CREATED, location)


class SubmissionView(PortalView):
    """An address of one submission, for its authors alone."""

    noun = "submissions"

    def submission(self, public_id: str) -> Submission:
        """The submission. Raises Http404 for everybody but its authors."""
        return submission_for(self.request.user, public_id, Standing.AUTHOR)[0]

    def whole(self, public_id: str) -> Response:
        """The submission as it is now."""
        return self.answer(WholeSubmissionSerializer, self.submission(public_id))


class SubmissionDetail(SubmissionView):
    """One submission."""

    @extend_schema(responses=WholeSubmissionSerializer)
    def get(self, request: Request, public_id: str) -> Response:  # noqa: ARG002  (a view's signature)
        """One submission with its text, what is missing in it, and what came back."""
        return self.whole(public_id)

    @extend_schema(examples=[examples.CHANGE], request=ChangeSerializer, responses=WHOLE)
    def patch(self, request: Request, public_id: str) -> Response:
        """Change the text of a draft, or of one that changes are asked for. Once more is as good as once."""
        submission, values = self.submission(public_id), self.checked(ChangeSerializer)
        _refuse_a_flood(request.user)
        _change(submission, values["content"], values["version"], request.user)
        return self.whole(public_id)


class SubmissionSending(SubmissionView):
    """Send a submission."""

    @extend_schema(examples=[examples.SENDING], request=SendingSerializer, responses=WHOLE)
    def post(self, request: Request, public_id: str) -> Response:
        """Send a draft, or the next version where changes were asked for. Once more is as good as once."""
        submission, values = self.submission(public_id), self.checked(SendingSerializer)
        is_again = submission.state == State.CHANGES_REQUESTED or submission.revisions.count() > 1
        act = resend if is_again else send
        act(submission, version=values["version"], actor=request.user)
        return self.whole(public_id)


class SubmissionWithdrawal(SubmissionView):
    """Withdraw a submission."""

    @extend_schema(examples=[examples.WITHDRAWAL], request=WithdrawalSerializer, responses=WholeSubmissionSerializer)
    def post(self, request: Request, public_id: str) -> Response:
        """Take back what was sent and is not decided."""
        submission, values = self.submission(public_id), self.checked(WithdrawalSerializer)
        withdraw(submission, actor=request.user, reason=values["reason"])
        return self.whole(public_id)


class SubmissionAnswers(SubmissionView):
    """Answer what the editors ask for."""

    @extend_schema(examples=[examples.ANSWERS], request=AnswersSerializer, responses=WholeSubmissionSerializer)
    def post(self, request: Request, public_id: str) -> Response:
        """Answer requests for changes: all of these answers are kept, or none."""
        submission, values = self.submission(public_id), self.checked(AnswersSerializer)
        with transaction.atomic():
            for place, row in enumerate(values["answers"], start=1):
                _answer(submission, row, place, request.user)
        return self.whole(public_id)


def _change(submission: Submission, given: dict[str, Any], version: int, actor: Any) -> None:
    """Raises Refused (409) with both texts where the draft was saved meanwhile, and what `save_draft` raises."""
    mine = Content.from_json({**submission.draft.to_json(), **given})
    try:
        # What was put on a newer text than the program has seen is not stored, unless nothing changes.
        if version != submission.version and mine != submission.draft:
            raise StaleDraft(submission)
        save_draft(submission, mine, version=version, actor=actor)
    except StaleDraft as error:
        base = content_of(error.submission, version)
        yours = Content.from_json({**(base or error.submission.draft).to_json(), **given})
        clashes = [clash.field for clash in compare(base, yours, error.submission.draft).clashes]
        raise stale(error, yours=yours.to_json(), clashes=clashes) from error


def _answer(submission: Submission, row: dict[str, Any], place: int, actor: Any) -> None:
    kept = answer(submission, row["number"], text=row["answer"], done=row["done"], actor=actor)
    if kept is None:
        told = f"There is no request {row['number']}."
        errors = [{"field": "answers", "number": place, "detail": told}]
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, told, errors)


def _call(slug: str | None) -> Call | None:
    """The open call of that name; without a name the first that is open, as on the page."""
    found = open_calls().filter(slug=slug).first() if slug is not None else open_calls().first()
    if found is None and slug is not None:
        told = f"There is no open call {quoted(slug)}. Leave it out for the one that is open."
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, told, [{"field": "call", "detail": told}])
    return found


def _refuse_a_flood(user: Any) -> None:
    if saves_too_often(user):
        raise Throttled(wait=60, detail=TOO_OFTEN)
