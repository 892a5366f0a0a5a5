"""What a drafter is shown of a benchmark and of one metric, as headings and texts; nothing else reaches a model."""

from __future__ import annotations

from evaluation.generation.prompts_of_drafting import listed
from evaluation.generation.types import BenchmarkBrief, MetricSheet

_POLARITY = {"positive": "positive: good for the person", "negative": "negative: harmful for the person"}


def benchmark_data(benchmark: BenchmarkBrief) -> dict[str, str]:
    """The benchmark's description and user context."""
    return {"Description of the benchmark": benchmark.description, "User context": benchmark.user_context}


def metric_data(metric: MetricSheet) -> dict[str, str]:
    """One metric's name, polarity, definition and examples."""
    return {
        "Name of the metric": metric.name,
        "Polarity": _POLARITY[metric.polarity],
        "Definition": metric.definition,
        "Examples in which the behavior is present": listed(metric.examples_present),
        "Examples in which the behavior is absent": listed(metric.examples_absent),
    }
