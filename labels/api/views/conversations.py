"""`conversations/`: what simulated users and models said to each other, without anybody's private planning."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import Conversation, Release, Turn, Verdict
from impactbench.common.prepared import PreparedRows
from labels.api.base import ItemDetail, ItemList
from labels.api.filters import of_verdicts
from labels.api.parameters import METRIC, MODEL, PASSED, PROFILE
from labels.api.rows import RowSerializer

VERDICTS = Verdict.objects.filter(has_ended=True).values(
    "conversation_id", "passed", "reason",
    public_id=F("conversation__public_id"), sample=F("conversation__sample"), state=F("conversation__state"),
    ending=F("conversation__reason"), flags=F("conversation__flags"), scenario_id=F("conversation__scenario_id"),
    metric=F("metric_version__metric__slug"), model_slug=F("model__slug"), profile_slug=F("profile__slug"),
)  # fmt: skip
OF_A_RELEASE = PreparedRows(VERDICTS)
OF_PUBLISHED = PreparedRows(VERDICTS.filter(release__status=Release.Status.PUBLISHED))
# The same columns of a sample that has no verdict.
EXTRA = Conversation.objects.filter(state=Conversation.State.EXTRA).values(
    "public_id", "sample", "state", "flags", "scenario_id", "run_id",
    conversation_id=F("pk"), ending=F("reason"), metric=F("scenario__base__metric_version__metric__slug"),
    model_slug=F("target__slug"), profile_slug=F("scenario__profile__slug"),
)  # fmt: skip
TURN = ("number", "user", "target")
TURNS = Turn.objects.values("number", user=F("user_message"), target=F("reply"))
IN_ONE = PreparedRows(TURNS).order_by("number")


class TurnSerializer(serializers.Serializer):
    """One exchange; a side is null where an imported source lacks it."""

    number = serializers.IntegerField()
    user = serializers.CharField(allow_null=True)
    target = serializers.CharField(allow_null=True)


class ConversationSerializer(RowSerializer):
    """A conversation of a release, read from its verdict."""

    id = serializers.CharField()
    metric = serializers.CharField()
    scenario = serializers.IntegerField()
    model = serializers.CharField()
    profile = serializers.CharField()
    sample = serializers.IntegerField()
    state = serializers.CharField(
        help_text="`finished`; `failed`; or `extra`: a sample that its source left unjudged, outside every count.",
    )
    reason = serializers.CharField(
        allow_null=True, help_text="Why it has no verdict, or how it ended; null if unknown."
    )
    passed = serializers.BooleanField(allow_null=True, help_text="By the verdict that counts in the release.")
    flags = serializers.ListField(child=serializers.CharField())

    def item(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **row,
            "id": row["public_id"],
            "scenario": row["scenario_id"],
            "model": row["model_slug"],
            "profile": row["profile_slug"],
            "reason": row["reason"] or row["ending"] or None,
        }


class WholeConversationSerializer(ConversationSerializer):
    """A conversation with everything that was said in it."""

    turns = TurnSerializer(many=True)


def with_turns(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of many conversations with what was said in each, as the whole conversation has it. One query."""
    said: dict[int, list[dict[str, Any]]] = {row["conversation_id"]: [] for row in rows}
    for turn in TURNS.values("conversation_id", *TURN).filter(conversation__in=said).order_by("conversation", "number"):
        said[turn.pop("conversation_id")].append(turn)
    return [{**row, "turns": said[row["conversation_id"]]} for row in rows]


class ConversationList(ItemList):
    """The conversations of the release, without their turns."""

    serializer_class = ConversationSerializer
    queryset = Verdict.objects.none()
    ordering = "conversation_id"
    parameters = (METRIC, MODEL, PROFILE, PASSED)

    def items(self, release: Release) -> PreparedRows:
        return OF_A_RELEASE.filter(**of_verdicts(release, self.values))


class ConversationDetail(ItemDetail):
    """One conversation with its turns; without `release`, as the newest published release that has it tells it."""

    serializer_class = WholeConversationSerializer
    queryset = Verdict.objects.none()

    def get_object(self) -> dict[str, Any]:
        public_id = self.kwargs["public_id"]
        if "release" in self.values and self.release is not None:
            found = OF_A_RELEASE.filter(release=self.release.pk).order_by("pk")
        else:
            found = OF_PUBLISHED.order_by("-release__published_at", "-release__pk")
        conversation = found.filter(conversation__public_id=public_id).first() or self._extra_sample(public_id)
        if conversation is None:
            raise NotFound("There is no such conversation in a published release.")
        return {**conversation, "turns": IN_ONE.filter(conversation=conversation["conversation_id"])[:]}

    def _extra_sample(self, public_id: str) -> dict[str, Any] | None:
        """A sample beside those that count in the release, which says nothing of it."""
        extra = EXTRA.filter(public_id=public_id).first()
        if extra is None:
            return None
        releases = Release.objects.filter(runs=extra["run_id"])
        if "release" in self.values:
            is_shown = releases.filter(slug=self.values["release"]).exists()
        else:
            is_shown = releases.filter(status=Release.Status.PUBLISHED).exists()
        return {**extra, "passed": None, "reason": ""} if is_shown else None
