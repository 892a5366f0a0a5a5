"""`sensitivity/`: how far the results hang on which benchmarks are in and how much each counts."""

from django.db.models import QuerySet
from rest_framework import serializers

from evaluation.models import Polarity, Release, Sensitivity
from impactbench.common.api.fields import SlugOrNull
from labels.api.base import ItemList
from labels.api.filters import check_benchmark, model_named
from labels.api.parameters import BENCHMARK, MODEL, POLARITY, SENSITIVITY_KIND, SENSITIVITY_KINDS


class SensitivitySerializer(serializers.Serializer):
    """One analysis (ImpactBench paper, sections 3.6, 4.7 and 4.10); the members that do not apply are null."""

    kind = serializers.ChoiceField(SENSITIVITY_KINDS)
    model = SlugOrNull()
    benchmark = serializers.CharField(allow_null=True, help_text="The benchmark left out or set against the rest.")
    polarity = serializers.ChoiceField(Polarity.choices, allow_null=True)
    across = serializers.CharField(allow_null=True, help_text="`models` or `subareas`.")
    profile_a = serializers.CharField(allow_null=True)
    profile_b = serializers.CharField(allow_null=True)
    value = serializers.FloatField(allow_null=True, help_text="A rate or a correlation; null where undefined.")
    n = serializers.IntegerField(help_text="What the value rests on: conversations, benchmarks or pairs.")
    reason = serializers.CharField(help_text="Why there is no value; empty where there is one.")


class SensitivityList(ItemList):
    """The sensitivity analyses of the release by kind, model, benchmark and polarity."""

    serializer_class = SensitivitySerializer
    queryset = Sensitivity.objects.none()
    parameters = (SENSITIVITY_KIND, MODEL, BENCHMARK, POLARITY)

    def items(self, release: Release) -> QuerySet[Sensitivity]:
        found = Sensitivity.objects.filter(release=release).select_related("model")
        found = found.filter(**{name: self.values[name] for name in ("kind", "polarity") if name in self.values})
        if "model" in self.values:
            found = found.filter(model=model_named(release, self.values["model"]))
        if "benchmark" in self.values:
            check_benchmark(release, self.values["benchmark"])
            found = found.filter(benchmark=self.values["benchmark"])
        return found
