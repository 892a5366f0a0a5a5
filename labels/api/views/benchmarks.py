"""`benchmarks/`: where the metrics of a release come from."""

from django.db.models import Count, Q, QuerySet
from rest_framework import serializers

from evaluation.models import Benchmark, Release
from impactbench.common.api.fields import TextOrNull
from labels.api.base import ItemDetail, ItemList


class BenchmarkSerializer(serializers.Serializer):
    """A family of metrics, with the number of them in the release by polarity."""

    slug = serializers.CharField()
    name = serializers.CharField()
    n_positive = serializers.IntegerField()
    n_negative = serializers.IntegerField()
    licence = TextOrNull()
    source_url = serializers.SerializerMethodField(help_text="The first source that has a web address.")

    def get_source_url(self, benchmark: Benchmark) -> str | None:
        addresses = [str(source.get("url") or "") for source in benchmark.sources if isinstance(source, dict)]
        return next((url for url in addresses if url.startswith(("https://", "http://"))), None)


def measured_benchmarks(release: Release) -> QuerySet[Benchmark]:
    """The benchmarks with metrics in the release, each with its numbers of positive and negative ones."""

    def number(polarity: str) -> Count:
        return Count("metrics__versions", filter=Q(metrics__versions__polarity=polarity), distinct=True)

    return Benchmark.objects.filter(metrics__versions__releases=release).annotate(
        n_positive=number("positive"), n_negative=number("negative")
    )


class BenchmarkList(ItemList):
    """The benchmarks of the release, by slug."""

    serializer_class = BenchmarkSerializer
    queryset = Benchmark.objects.none()
    ordering = "slug"

    def items(self, release: Release) -> QuerySet[Benchmark]:
        return measured_benchmarks(release)


class BenchmarkDetail(ItemDetail):
    """One benchmark of the release."""

    serializer_class = BenchmarkSerializer
    queryset = Benchmark.objects.none()

    def items(self, release: Release) -> QuerySet[Benchmark]:
        return measured_benchmarks(release)
