"""`results/`: every pass rate of a release, with its counts and its interval."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from evaluation.models import Polarity, Release, Result
from impactbench.common.api.fields import SlugOrNull, TextOrNull
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.prepared import PreparedRows
from labels.api.base import ItemList
from labels.api.filters import check_profile, model_named
from labels.api.parameters import GROUP, KEY, MODEL_OR_ALL, NULL, POLARITY, PROFILE_OR_ALL
from labels.api.rows import RowSerializer

METHODS = ("metric-cluster-bootstrap", "wilson", "none")
ALL_PROFILES = "all"


class ResultSerializer(RowSerializer):
    """A pass rate (ImpactBench paper, section 3.6). Rates are 0 to 1, never rounded, null where nothing was judged."""

    group = serializers.ChoiceField(Result.Group.choices)
    key = TextOrNull(help_text="Slug; null for overall.")
    model = SlugOrNull(help_text="Slug; null for all models pooled.")
    polarity = serializers.ChoiceField(Polarity.choices)
    profile = serializers.CharField(help_text="`all` or the slug of a profile.")
    n_metrics = serializers.IntegerField(help_text="Metrics with a judged conversation.")
    n_planned = serializers.IntegerField()
    n_conversations = serializers.IntegerField(help_text="Conversations that ended: judged and unjudged.")
    n_judged = serializers.IntegerField()
    n_unjudged = serializers.IntegerField()
    n_passed = serializers.IntegerField()
    pass_rate = serializers.FloatField(allow_null=True)
    ci_low = serializers.FloatField(allow_null=True)
    ci_high = serializers.FloatField(allow_null=True)
    ci_method = serializers.ChoiceField(METHODS)
    n_draws = serializers.IntegerField(help_text="Draws of the bootstrap that gave this cell a metric.")
    coverage = serializers.FloatField(help_text="Share of the group's metrics with a judged conversation.")

    def item(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**row, "key": row["key"] or None, "model": row["model__slug"]}


COLUMNS = ("pk", *(str(name) for name in ResultSerializer().fields if name != "model"), "model__slug")
RESULTS = PreparedRows(Result.objects.values(*COLUMNS))


class ResultList(ItemList):
    """The pass rates of the release by group, model, polarity and profile."""

    serializer_class = ResultSerializer
    queryset = Result.objects.none()
    parameters = (GROUP, KEY, MODEL_OR_ALL, POLARITY, PROFILE_OR_ALL)

    def items(self, release: Release) -> PreparedRows:
        results = RESULTS.filter(release=release.pk)
        if "group" in self.values:
            results = results.choose(group=self.values["group"])
        if "polarity" in self.values:
            results = results.filter(polarity=self.values["polarity"])
        if "key" in self.values:
            results = results.filter(key="" if self.values["key"] == NULL else self.values["key"])
        if "model" in self.values:
            slug = self.values["model"]
            results = results.filter(model=None if slug == NULL else model_named(release, slug).pk)
        if "profile" in self.values:
            if self.values["profile"] != ALL_PROFILES:
                check_profile(release, self.values["profile"])
            results = results.filter(profile=self.values["profile"])
        return results

    def check_empty(self) -> None:
        key = self.values.get("key", NULL)
        if key != NULL and self.release and not Result.objects.filter(release=self.release, key=key).exists():
            raise BadQuery({"key": f"Release {self.release.slug} has no results with the key {quoted(key)}."})
