"""`conversations/`: what simulated users and models said to each other, without anybody's private planning."""

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import Conversation, Release, Verdict
from labels.api.base import ItemDetail, ItemList
from labels.api.filters import verdicts_matching
from labels.api.parameters import METRIC, MODEL, PASSED, PROFILE

RELATED = ("conversation", "metric_version__metric", "model", "profile")
COLUMNS = (
    "passed", "reason", "conversation__public_id", "conversation__scenario_id", "conversation__sample",
    "conversation__state", "conversation__reason", "conversation__flags", "metric_version__metric__slug",
    "model__slug", "profile__slug",
)  # fmt: skip


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
        return verdicts.select_related(*RELATED).only(*COLUMNS)


class ConversationDetail(ItemDetail):
    """One conversation with its turns; without `release`, as the newest published release that has it tells it."""

    serializer_class = WholeConversationSerializer
    queryset = Verdict.objects.none()

    def get_object(self) -> Verdict:
        public_id = self.kwargs["public_id"]
        verdicts = Verdict.objects.filter(conversation__public_id=public_id, has_ended=True)
        if "release" in self.values:
            verdicts = verdicts.filter(release=self.release).order_by("pk")
        else:
            published = verdicts.filter(release__status=Release.Status.PUBLISHED)
            verdicts = published.order_by("-release__published_at", "-release__pk")
        found = verdicts.select_related(*RELATED).only(*COLUMNS).first() or self._extra_sample(public_id)
        if found is None:
            raise NotFound("There is no such conversation in a published release.")
        return found

    def _extra_sample(self, public_id: str) -> Verdict | None:
        """A verdict that says nothing, for a sample beside those that count in the release."""
        extra = Conversation.objects.filter(state=Conversation.State.EXTRA, public_id=public_id)
        related = "target", "scenario__profile", "scenario__base__metric_version__metric"
        conversation = extra.select_related(*related).first()
        if conversation is None:
            return None
        releases = Release.objects.defer("groups").filter(runs=conversation.run_id)
        if "release" in self.values:
            releases = releases.filter(slug=self.values["release"])
        else:
            releases = releases.filter(status=Release.Status.PUBLISHED)
        release = releases.first()
        if release is None:
            return None
        return Verdict(
            release=release,
            conversation=conversation,
            model=conversation.target,
            profile=conversation.scenario.profile,
            metric_version=conversation.scenario.base.metric_version,
        )
