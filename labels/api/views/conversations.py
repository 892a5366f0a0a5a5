"""`conversations/`: what simulated users and models said to each other, without anybody's private planning."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import Conversation, Release, Verdict
from impactbench.common.remembered import remembered
from labels.api.base import ItemDetail, ItemList
from labels.api.filters import verdicts_matching
from labels.api.parameters import METRIC, MODEL, PASSED, PROFILE


class TurnSerializer(serializers.Serializer):
    """One exchange; a side is null where an imported source lacks it."""

    number = serializers.IntegerField()
    user = serializers.CharField(source="user_message", allow_null=True)
    target = serializers.CharField(source="reply", allow_null=True)


class ConversationSerializer(serializers.Serializer):
    """A conversation of a release, read from its verdict."""

    id = serializers.CharField(source="conversation.public_id")
    metric = serializers.CharField(source="metric_version.metric.slug")
    scenario = serializers.IntegerField(source="conversation.scenario_id")
    model = serializers.CharField(source="model.slug")
    profile = serializers.CharField(source="profile.slug")
    sample = serializers.IntegerField(source="conversation.sample")
    state = serializers.CharField(
        source="conversation.state",
        help_text="`finished`; `failed`; or `extra`: a sample that its source left unjudged, outside every count.",
    )
    reason = serializers.SerializerMethodField(help_text="Why it has no verdict, or how it ended; null if unknown.")
    passed = serializers.BooleanField(allow_null=True, help_text="By the verdict that counts in the release.")
    flags = serializers.ListField(child=serializers.CharField(), source="conversation.flags")

    def get_reason(self, verdict: Verdict) -> str | None:
        return verdict.reason or verdict.conversation.reason or None


class WholeConversationSerializer(ConversationSerializer):
    """A conversation with everything that was said in it."""

    turns = TurnSerializer(source="conversation.turns.all", many=True)


class ConversationList(ItemList):
    """The conversations of the release, without their turns."""

    serializer_class = ConversationSerializer
    queryset = Verdict.objects.none()
    ordering = "conversation_id"
    parameters = (METRIC, MODEL, PROFILE, PASSED)

    def items(self, release: Release) -> QuerySet[Verdict]:
        verdicts = verdicts_matching(release, self.values)
        return verdicts.select_related("conversation", "metric_version__metric", "model", "profile").only(
            "passed",
            "reason",
            "conversation__public_id",
            "conversation__scenario_id",
            "conversation__sample",
            "conversation__state",
            "conversation__reason",
            "conversation__flags",
            "metric_version__metric__slug",
            "model__slug",
            "profile__slug",
        )


class ConversationDetail(ItemDetail):
    """One conversation with its turns; without `release`, as the newest published release that has it tells it."""

    serializer_class = WholeConversationSerializer
    queryset = Verdict.objects.none()

    def get_object(self) -> Verdict:
        conversations = Conversation.objects.select_related(
            "target", "scenario__profile", "scenario__base__metric_version__metric"
        ).only(
            "public_id", "state", "reason", "flags", "sample", "run",
            "target__slug", "scenario__profile__slug", "scenario__base__metric_version__metric__slug",
        )  # fmt: skip
        conversation = get_object_or_404(conversations, public_id=self.kwargs["public_id"])
        release = self.release if "release" in self.values else _newest_with(conversation.run_id)
        verdict = _verdict(release, conversation) if release else None
        if verdict is None:
            raise NotFound("There is no such conversation in a published release.")
        return verdict


@remembered
def _newest_with(run: int) -> Release | None:
    releases = Release.objects.defer("groups").filter(runs=run)
    return releases.filter(status=Release.Status.PUBLISHED).first()


def _verdict(release: Release, conversation: Conversation) -> Verdict | None:
    """The verdict that counts; for an extra sample of the release's runs one that says nothing."""
    found = release.verdicts.filter(conversation=conversation, has_ended=True).only("passed", "reason").first()
    is_extra = conversation.state == Conversation.State.EXTRA
    if found is None and is_extra and release.runs.filter(pk=conversation.run_id).exists():
        found = Verdict(release=release)
    if found is not None:
        found.conversation = conversation
        found.model = conversation.target
        found.profile = conversation.scenario.profile
        found.metric_version = conversation.scenario.base.metric_version
    return found
