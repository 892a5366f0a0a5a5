"""`judgments/`: what judges said of the conversations of a release."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.models import Judgment, Release, Verdict
from impactbench.common.api.fields import TextOrNull
from labels.api.base import ItemList
from labels.api.filters import PASSED_VALUES, of_verdicts
from labels.api.parameters import METRIC, MODEL, PASSED, PROFILE
from labels.api.views.releases import judge_slug


class EvidenceSerializer(serializers.Serializer):
    """A quotation that the judge gave; `verified` says whether it stands in that turn."""

    turn = serializers.IntegerField(allow_null=True)
    quote = serializers.CharField()
    verified = serializers.BooleanField()


class JudgmentSerializer(serializers.Serializer):
    """One reading of a conversation by one judge. `present` and `passed` are null where it could not be judged."""

    conversation = serializers.CharField(source="conversation.public_id")
    judge = serializers.SerializerMethodField(help_text="Slug; null where the source did not publish it.")
    repeat = serializers.IntegerField()
    present = serializers.BooleanField(allow_null=True, help_text="Whether the behaviour is present.")
    passed = serializers.BooleanField(allow_null=True)
    justification = TextOrNull()
    evidence = serializers.SerializerMethodField()
    first_turn = serializers.IntegerField(allow_null=True)
    corrected_later = serializers.BooleanField(allow_null=True)
    state = serializers.CharField(help_text="`judged` or `unjudged`.")
    reason = TextOrNull(help_text="Why it is unjudged.")

    def get_judge(self, judgment: Judgment) -> str | None:
        return judge_slug(judgment.judge)

    @extend_schema_field(EvidenceSerializer(many=True))
    def get_evidence(self, judgment: Judgment) -> list[dict[str, Any]]:
        return [{name: item.get(name) for name in ("turn", "quote", "verified")} for item in judgment.evidence]


COLUMNS = (
    "repeat",
    "present",
    "passed",
    "justification",
    "evidence",
    "first_turn",
    "corrected_later",
    "state",
    "reason",
    "conversation__public_id",
    "judge__slug",
    "judge__language_model_id",
)


class JudgmentList(ItemList):
    """The judgments of the release's conversations that were saved when it was made, by all judges.

    `passed` is the judgment's own; which verdict counts stands at the conversation.
    """

    serializer_class = JudgmentSerializer
    queryset = Judgment.objects.none()
    parameters = (METRIC, MODEL, PROFILE, PASSED)

    def items(self, release: Release) -> QuerySet[Judgment]:
        values = {name: value for name, value in self.values.items() if name != PASSED.name}
        verdicts = Verdict.objects.filter(has_ended=True, **of_verdicts(release, values))
        judgments = Judgment.objects.filter(
            conversation__in=verdicts.values("conversation"), created_at__lte=release.published_at
        )
        if PASSED.name in self.values:
            judgments = judgments.filter(passed=PASSED_VALUES[self.values[PASSED.name]])
        return judgments.select_related("conversation", "judge").only(*COLUMNS)
