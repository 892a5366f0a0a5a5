"""Marks drafts that say nearly what another draft, metric or scenario says, within and across benchmarks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evaluation.models import BaseScenario, Benchmark, GeneratedDraft, MetricVersion

Kind, State = GeneratedDraft.Kind, GeneratedDraft.State
MARK = "nearly the same as "
# Nobody reads more of them at one draft.
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class NearDraft:
    """A draft that waits for a decision, and what it is near to, in words; `score` is 0 to 1."""

    draft: GeneratedDraft
    other: str
    score: float


@dataclass(frozen=True, slots=True)
class _Text:
    name: str
    text: str
    draft: GeneratedDraft | None = None


def near_drafts(benchmark: Benchmark) -> list[NearDraft]:
    """What the undecided metrics and base scenarios that were drafted for a benchmark are near to, nearest first."""
    return [
        near for kind, others in ((Kind.METRIC, _metrics()), (Kind.SCENARIO, _scenarios()))
        for near in _near(benchmark, [*_drafts(kind), *others])
    ]  # fmt: skip


def mark_near_duplicates(benchmark: Benchmark) -> int:
    """Say it at the undecided drafts of a benchmark, in place of what was said before; how many are near to another."""
    found: dict[int, list[str]] = defaultdict(list)
    for near in near_drafts(benchmark):
        found[near.draft.pk].append(f"{MARK}{near.other} ({near.score:.2f})")
    undecided = GeneratedDraft.objects.filter(benchmark=benchmark, state=State.PROPOSED)
    changed = []
    for draft in undecided:
        flags = [flag for flag in draft.flags if not flag.startswith(MARK)] + found[draft.pk][:MOST_NAMED]
        if flags != draft.flags:
            draft.flags = flags
            changed.append(draft)
    GeneratedDraft.objects.bulk_update(changed, ["flags"], batch_size=500)
    return sum(bool(near) for near in found.values())


def _near(benchmark: Benchmark, texts: list[_Text]) -> Iterable[NearDraft]:
    from evaluation.generation.near_duplicates import near_duplicates  # noqa: PLC0415  (numpy, only when it is asked)

    asked = [place for place, text in enumerate(texts) if _is_asked(text, benchmark)]
    for pair in near_duplicates([text.text for text in texts], of=asked) if asked else ():
        for one, other in ((texts[pair.first], texts[pair.second]), (texts[pair.second], texts[pair.first])):
            if one.draft and _is_asked(one, benchmark):
                yield NearDraft(one.draft, other.name, pair.score)


def _is_asked(text: _Text, benchmark: Benchmark) -> bool:
    draft = text.draft
    return draft is not None and draft.benchmark_id == benchmark.pk and draft.state == State.PROPOSED


def _drafts(kind: str) -> Iterable[_Text]:
    """Drafts that stand or wait; what was taken over counts by what it became."""
    drafts = GeneratedDraft.objects.filter(kind=kind, became="").exclude(state__in=[State.REMOVED, State.MERGED])
    for draft in drafts.select_related("metric_version__metric", "benchmark"):
        content = draft.content
        if kind == Kind.METRIC:
            name = f"draft {draft.number} of {draft.benchmark.slug}"
            yield _Text(name, f"{content['name']}\n{content['definition']}", draft)
        else:
            yield _Text(f"{draft.metric_version} drafted scenario {draft.number}", _told(content), draft)


def _metrics() -> Iterable[_Text]:
    newest = MetricVersion.objects.order_by("metric_id", "-number").distinct("metric_id").select_related("metric")
    for version in newest:
        yield _Text(str(version), f"{version.name}\n{version.definition}")


def _scenarios() -> Iterable[_Text]:
    bases = BaseScenario.objects.exclude(goal="").select_related("metric_version__metric")
    newest = bases.order_by("metric_version__metric_id", "number", "-metric_version__number").distinct(
        "metric_version__metric_id", "number"
    )
    for base in newest:
        fields = ("title", "persona", "goal", "latent_adversarial_goal", "anchors")
        yield _Text(str(base), _told({name: getattr(base, name) for name in fields}))


def _told(content: dict[str, Any]) -> str:
    objectives = [anchor["objective"] for anchor in content["anchors"]]
    return "\n".join([content["title"], content["persona"], content["goal"], *objectives])
