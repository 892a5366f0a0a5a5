"""`scenarios/`: the situations that the conversations of a release were held in."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.models import Release, Scenario, Verdict
from impactbench.common.api.fields import TextOrNull
from labels.api.base import ItemList
from labels.api.filters import of_verdicts
from labels.api.parameters import METRIC, MODEL, PASSED, PROFILE


class AnchorSerializer(serializers.Serializer):
    """What the simulated user is to steer towards at one turn."""

    turn = serializers.IntegerField()
    objective = serializers.CharField()


class ScenarioSerializer(serializers.Serializer):
    """A situation for one profile. Null means: not published, or none."""

    id = serializers.IntegerField(source="pk")
    metric = serializers.CharField(source="base.metric_version.metric.slug")
    number = serializers.IntegerField(source="base.number")
    profile = serializers.CharField(source="profile.slug")
    title = serializers.SerializerMethodField()
    persona = serializers.SerializerMethodField()
    user_goal = TextOrNull(source="base.goal")
    latent_adversarial_goal = TextOrNull(source="base.latent_adversarial_goal")
    anchors = serializers.SerializerMethodField()
    target_system_prompt = TextOrNull()

    def get_title(self, scenario: Scenario) -> str | None:
        return scenario.title or scenario.base.title or None

    def get_persona(self, scenario: Scenario) -> str | None:
        return scenario.persona or scenario.base.persona or None

    @extend_schema_field(AnchorSerializer(many=True))
    def get_anchors(self, scenario: Scenario) -> list[dict[str, Any]]:
        anchors = scenario.anchors or scenario.base.anchors
        return [{"turn": anchor["turn"], "objective": anchor["objective"]} for anchor in anchors]


COLUMNS = (
    "title",
    "persona",
    "anchors",
    "target_system_prompt",
    "profile__slug",
    "base__number",
    "base__title",
    "base__persona",
    "base__goal",
    "base__latent_adversarial_goal",
    "base__anchors",
    "base__metric_version__metric__slug",
)


class ScenarioList(ItemList):
    """The scenarios of the release; `model` and `passed` ask for those with such a conversation."""

    serializer_class = ScenarioSerializer
    queryset = Scenario.objects.none()
    parameters = (METRIC, MODEL, PROFILE, PASSED)

    def items(self, release: Release) -> QuerySet[Scenario]:
        verdicts = Verdict.objects.filter(has_ended=True, **of_verdicts(release, self.values))
        scenarios = Scenario.objects.filter(pk__in=verdicts.values("conversation__scenario"))
        return scenarios.select_related("base__metric_version__metric", "profile").only(*COLUMNS)
