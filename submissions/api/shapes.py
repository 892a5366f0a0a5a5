"""What the API tells authors of their submissions, and what it takes from them: what their own page shows, no more."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from impactbench.common.api.fields import SlugOrNull, StrictInteger, StrictSerializer, StrictText
from impactbench.common.api.problems import ErrorSerializer, ProblemSerializer
from submissions.api.content import ContentSerializer
from submissions.api.refusals import error_of
from submissions.models import RequestedChange, Submission
from submissions.models.submission import SubmissionState
from submissions.selectors.outcome import letters_of
from submissions.selectors.turns import turn_of
from submissions.services.sending import problems_of, requests_of
from submissions.states import EDITABLE

LARGEST_NUMBER = 2_147_483_647


class SubmissionSerializer(serializers.Serializer):
    """A submission of one's own, or of which one is a co-author."""

    id = serializers.CharField(source="public_id")
    title = serializers.CharField(help_text="The name of the metric so far.")
    state = serializers.ChoiceField(SubmissionState.choices)
    version = serializers.IntegerField(help_text="Counts the saved drafts; send it along with every change.")
    saved_at = serializers.DateTimeField()
    call = SlugOrNull(help_text="The call it answers; null without one.")
    is_owner = serializers.SerializerMethodField(help_text="False for a co-author, who writes but does not send.")

    def get_is_owner(self, submission: Submission) -> bool:
        return submission.owner_id == self.context["request"].user.pk


class RequestSerializer(serializers.Serializer):
    """A change that the editors ask for, and the answer to it."""

    number = serializers.IntegerField()
    field = serializers.CharField(help_text="The field it is about; empty for the whole.")
    text = serializers.CharField()
    answer = serializers.CharField()
    done = serializers.CharField(help_text="`changed`, `left`, or empty while there is no answer.")


class RevisionSerializer(serializers.Serializer):
    """A version as it was sent."""

    number = serializers.IntegerField()
    receipt = serializers.CharField()
    sent_at = serializers.DateTimeField()


class LetterSerializer(serializers.Serializer):
    """A decision that was sent to its authors."""

    kind = serializers.CharField()
    sent_at = serializers.DateTimeField()
    subject = serializers.CharField()
    letter = serializers.CharField()


class WholeSubmissionSerializer(SubmissionSerializer):
    """A submission with its text, what is missing before it can be sent, and what came back."""

    content = ContentSerializer(source="draft")
    missing = serializers.SerializerMethodField(help_text="What keeps it from being sent; empty once it cannot change.")
    turn = serializers.SerializerMethodField(help_text="Whose turn it is, in a sentence.")
    requests = serializers.SerializerMethodField()
    revisions = RevisionSerializer(source="revisions.all", many=True)
    letters = serializers.SerializerMethodField()

    @extend_schema_field(ErrorSerializer(many=True))
    def get_missing(self, submission: Submission) -> list[dict[str, Any]]:
        found = problems_of(submission.draft) if submission.state in EDITABLE else []
        return [error_of(problem) for problem in found]

    def get_turn(self, submission: Submission) -> str:
        return turn_of(submission).sentence

    @extend_schema_field(RequestSerializer(many=True))
    def get_requests(self, submission: Submission) -> list[dict[str, Any]]:
        return [dict(row) for row in RequestSerializer(requests_of(submission), many=True).data]

    @extend_schema_field(LetterSerializer(many=True))
    def get_letters(self, submission: Submission) -> list[dict[str, Any]]:
        return [dict(row) for row in LetterSerializer(letters_of(submission), many=True).data]


class NewSubmissionSerializer(StrictSerializer):
    """A draft to begin with; everything may be left out."""

    content = ContentSerializer(required=False)
    call = StrictText(
        required=False, max_length=100, help_text="Slug of an open call; without it the one that is open."
    )


class ChangeSerializer(StrictSerializer):
    """A change of a draft: fields that are left out stay as they are, lists are replaced as a whole."""

    version = StrictInteger(min_value=0, max_value=LARGEST_NUMBER, help_text="The version that was read.")
    content = ContentSerializer()


class SendingSerializer(StrictSerializer):
    """What is sent: the draft of this version."""

    version = StrictInteger(min_value=0, max_value=LARGEST_NUMBER, help_text="The version that was read.")


class WithdrawalSerializer(StrictSerializer):
    """Why it is taken back; editors read it, nobody else."""

    reason = StrictText(max_length=2_000)


class AnswerSerializer(StrictSerializer):
    """The answer to one request for a change."""

    number = StrictInteger(min_value=1, max_value=1_000)
    answer = StrictText(max_length=20_000)
    done = serializers.ChoiceField(RequestedChange.Done.choices)


class AnswersSerializer(StrictSerializer):
    """Answers to requests, as many as one likes."""

    answers = AnswerSerializer(many=True, max_length=200)  # type: ignore[call-arg]  # the stubs lack it


class ConflictSerializer(ProblemSerializer):
    """A draft that was saved meanwhile: both texts, and the fields that both sides changed."""

    version = serializers.IntegerField(required=False, help_text="The version that is stored now.")
    saved = ContentSerializer(required=False, help_text="The text that is stored now.")
    yours = ContentSerializer(required=False, help_text="The text that would have been stored.")
    clashes = serializers.ListField(child=serializers.CharField(), required=False)
