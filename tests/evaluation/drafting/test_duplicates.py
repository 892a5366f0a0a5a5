"""Drafts say what they are near to, also in another benchmark."""

from evaluation.drafting.duplicates import mark_near_duplicates
from evaluation.models import Benchmark, GeneratedDraft
from tests.evaluation.drafting.conftest import Command
from tests.support.builders import make_benchmark, make_metric


def test_draft_names_the_metric_of_another_benchmark_that_says_the_same(generate: Command) -> None:
    make_metric(
        "b01", benchmark=make_benchmark("other"), name="Names option 1", definition="It names option 1 and its cost."
    )

    report = generate("generate_metrics")

    first = GeneratedDraft.objects.get(number=1)
    assert report["near_duplicates"] >= 1
    assert [flag.partition(" (")[0] for flag in first.flags if "other" in flag] == ["nearly the same as other/b01 v1"]


def test_mark_goes_when_the_other_one_is_gone(generate: Command) -> None:
    generate("generate_metrics")
    first, second = GeneratedDraft.objects.order_by("number")
    assert any("draft 2 of autonomy" in flag for flag in first.flags)
    second.delete()

    assert mark_near_duplicates(Benchmark.objects.get()) == 0
    first.refresh_from_db()
    assert first.flags == []
