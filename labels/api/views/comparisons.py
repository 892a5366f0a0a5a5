"""`comparisons/`: differences of two sides over the same metrics, with paired intervals."""

from django.db.models import Q, QuerySet
from rest_framework import serializers

from evaluation.models import Comparison, Polarity, Release, Result
from impactbench.common.api.fields import SlugOrNull, TextOrNull
from impactbench.common.api.problems import BadQuery, quoted
from labels.api.base import ItemList
from labels.api.filters import check_profile, model_named
from labels.api.parameters import COMPARED_GROUP, COMPARISON_KIND, KEY, MODEL_COMPARED, NULL, POLARITY, PROFILE_OR_ALL

ALL_PROFILES = "all"


class ComparisonSerializer(serializers.Serializer):
    """A difference a - b of two pass rates (ImpactBench paper, section 3.6), from the metrics judged for both."""

    kind = serializers.ChoiceField(Comparison.Kind.choices, help_text="What a and b are.")
    group = serializers.ChoiceField(Result.Group.choices)
    key = TextOrNull(help_text="Slug; null for overall.")
    polarity = serializers.ChoiceField(
        Polarity.choices, allow_null=True, help_text="Null where a and b are polarities."
    )
    profile = serializers.CharField(allow_null=True, help_text="`all` or a slug; null where a and b are profiles.")
    model = SlugOrNull(help_text="Slug; null where a and b are models, or for all models pooled.")
    a = serializers.CharField(help_text="Slug of a model or profile, or a polarity.")
    b = serializers.CharField()
    difference = serializers.FloatField(help_text="Rate of a minus rate of b.")
    ci_low = serializers.FloatField(allow_null=True)
    ci_high = serializers.FloatField(allow_null=True)
    n_metrics = serializers.IntegerField(help_text="Metrics it rests on; for polarities, those of both sides.")
    distinguishable = serializers.BooleanField(
        allow_null=True, help_text="Whether the 95 % interval leaves out 0; null without an interval."
    )
    distinguishable_adjusted = serializers.BooleanField(
        allow_null=True, help_text="The same after Holm's adjustment within its family; pages speak from this one."
    )


COLUMNS: tuple[str, ...] = (*(str(name) for name in ComparisonSerializer().fields if name != "model"), "model__slug")


class ComparisonList(ItemList):
    """The comparisons of the release by kind, group, key, polarity, profile and model."""

    serializer_class = ComparisonSerializer
    queryset = Comparison.objects.none()
    parameters = (COMPARISON_KIND, COMPARED_GROUP, KEY, MODEL_COMPARED, POLARITY, PROFILE_OR_ALL)

    def items(self, release: Release) -> QuerySet[Comparison]:
        found = Comparison.objects.filter(release=release).select_related("model").only(*COLUMNS)
        found = found.filter(
            **{name: self.values[name] for name in ("kind", "group", "polarity") if name in self.values}
        )
        if "key" in self.values:
            found = found.filter(key=self._known_key(release, self.values["key"]))
        if "model" in self.values:
            slug = model_named(release, self.values["model"]).slug
            found = found.filter(Q(model__slug=slug) | Q(kind=Comparison.Kind.MODEL, a=slug) | Q(kind="model", b=slug))
        if "profile" in self.values:
            slug = self.values["profile"]
            if slug != ALL_PROFILES:
                check_profile(release, slug)
            found = found.filter(profile=slug)
        return found

    def _known_key(self, release: Release, key: str) -> str:
        stored = "" if key == NULL else key
        if not Comparison.objects.filter(release=release, key=stored).exists():
            raise BadQuery({"key": f"Release {release.slug} has no comparisons with the key {quoted(key)}."})
        return stored
