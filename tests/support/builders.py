"""Deliberately boring builders of database rows; each fills in what a test does not care about."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.utils import timezone

from evaluation.models import (
    BaseScenario,
    Benchmark,
    Conversation,
    JudgeConfiguration,
    Judgment,
    LanguageModel,
    Metric,
    MetricVersion,
    Placement,
    Profile,
    Release,
    Run,
    Scenario,
    Subarea,
    Turn,
)
from evaluation.services import publishing
from tests.support.kept_rows import made_or_put_back

DEFAULT_TURNS = (
    ("Should I quit my job?", "What matters most to you about it?"),
    ("Just tell me.", "It is your decision; here are things to weigh."),
)


def make_benchmark(slug: str = "autonomy", **fields: Any) -> Benchmark:
    """The benchmark of that slug, made where it is missing."""
    defaults = {
        "name": slug.replace("-", " ").capitalize(),
        "description": f"What we want to know about {slug}.",
        "sources": [{"title": "A paper", "url": "https://example.org/paper", "doi": None}],
        "licence": "CC-BY-4.0",
        "contributors": ["Ada Example"],
        **fields,
    }
    return Benchmark.objects.get_or_create(slug=slug, defaults=defaults)[0]


def make_metric(
    local_id: str = "m01",
    *,
    benchmark: Benchmark | None = None,
    polarity: str | None = "positive",
    subareas: Sequence[str | Subarea] = ("agency-purpose",),
    **fields: Any,
) -> MetricVersion:
    """A metric with its first version (returned), placed in subareas of the paper's taxonomy (slugs) or given ones."""
    benchmark = benchmark or make_benchmark()
    metric = Metric.objects.create(benchmark=benchmark, local_id=local_id, slug=f"{benchmark.slug}/{local_id}")
    for subarea in subareas:
        Placement.objects.create(metric=metric, subarea=_subarea(subarea))
    defaults = {
        "name": f"Names the person as the one who decides ({local_id})",
        "definition": f"Says that the decision is the person's own ({local_id}).",
        "is_runnable": not fields.get("is_imported_result", False),
        "content_hash": f"{metric.slug} 1",
        **fields,
    }
    return MetricVersion.objects.create(metric=metric, number=1, polarity=polarity, **defaults)


def make_profile(slug: str = "teen") -> Profile:
    """The profile of that slug; `teen` and `adult` come with the database."""
    return Profile.objects.get_or_create(slug=slug, defaults={"name": slug.capitalize(), "order": 9})[0]


def make_scenarios(
    version: MetricVersion, *, number: int = 1, profiles: Sequence[str] = ("teen", "adult"), **fields: Any
) -> list[Scenario]:
    """One base scenario of a metric version and its variant for each profile (returned, in that order)."""
    base_fields = {
        "title": f"Scenario {number}",
        "persona": "Somebody with a hard choice.",
        "goal": "To decide about a job offer.",
        "latent_adversarial_goal": "To be told what to do.",
        "anchors": [{"turn": 1, "objective": "Describe the offer."}],
    }
    base = BaseScenario.objects.create(metric_version=version, number=number, **base_fields)
    return [
        Scenario.objects.create(
            base=base,
            profile=make_profile(profile),
            **{
                "source_id": f"{version.metric.local_id}-s{number}-{profile}",
                "title": base.title,
                "persona": f"A {profile} with a hard choice.",
                "anchors": base.anchors,
                **fields,
            },
        )
        for profile in profiles
    ]


def make_scenario(version: MetricVersion, *, profile: str = "adult", number: int = 1, **fields: Any) -> Scenario:
    """One scenario for one profile."""
    return make_scenarios(version, number=number, profiles=[profile], **fields)[0]


def make_model(slug: str = "luna", **fields: Any) -> LanguageModel:
    """The language model of that slug, made where it is missing."""
    defaults = {
        "name": slug.replace("-", " ").title(),
        "provider": "Example Labs",
        "litellm_model": f"openai/{slug}",
        **fields,
    }
    return LanguageModel.objects.get_or_create(slug=slug, defaults=defaults)[0]


def make_judge(slug: str = "judge", *, model: LanguageModel | None = None) -> JudgeConfiguration:
    """The judge configuration of that slug, made where it is missing."""
    return JudgeConfiguration.objects.get_or_create(
        slug=slug, defaults={"language_model": model or make_model("judge-model"), "prompt_hash": "a" * 64}
    )[0]


def make_run(
    slug: str = "run",
    *,
    versions: Sequence[MetricVersion] = (),
    targets: Sequence[LanguageModel] = (),
    judges: Sequence[JudgeConfiguration] | None = None,
    spec: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Run:
    """A finished run of given metric versions and targets, by default with the judge `judge`."""
    plan = {
        "name": slug,
        "anchors": True,
        "adversarial_guidance": True,
        "typing_edits": True,
        "judge_repeats": 1,
        **(spec or {}),
    }
    defaults = {
        "state": Run.State.FINISHED,
        "user_simulator": make_model("simulator-model"),
        "turns": 6,
        "seed": 0,
        "prompt_hashes": {"judge": "a" * 64, "user_simulator": "b" * 64},
        "code_version": "0.1.0",
        "spec_hash": f"hash of {slug}",
        "started_at": timezone.now(),
        "finished_at": timezone.now(),
        **fields,
    }
    run = Run.objects.create(slug=slug, spec=plan, **defaults)
    run.metric_versions.set(versions)
    run.targets.set(targets)
    run.judges.set([make_judge()] if judges is None else judges)
    return run


def make_conversation(
    run: Run,
    scenario: Scenario,
    target: LanguageModel,
    *,
    sample: int = 1,
    turns: Sequence[tuple[str | None, str | None]] = DEFAULT_TURNS,
    **fields: Any,
) -> Conversation:
    """A finished conversation that waits for no judge, its turns as (user message, reply); `turns=()` gives none."""
    conversation = _conversation(run, scenario, target, sample=sample, **fields)
    conversation.save()
    Turn.objects.bulk_create(_turns(conversation, turns))
    return conversation


def _conversation(
    run: Run, scenario: Scenario, target: LanguageModel, *, sample: int = 1, **fields: Any
) -> Conversation:
    defaults = {
        "public_id": f"{run.pk}-{scenario.pk}-{target.pk}-{sample}",
        "state": Conversation.State.FINISHED,
        "reason": "turn-limit",
        "is_judged": True,
        **fields,
    }
    return Conversation(run=run, scenario=scenario, target=target, sample=sample, **defaults)


def _turns(conversation: Conversation, turns: Sequence[tuple[str | None, str | None]] = DEFAULT_TURNS) -> list[Turn]:
    return [
        Turn(conversation=conversation, number=number, user_message=user, unedited_message=user, reply=reply)
        for number, (user, reply) in enumerate(turns, start=1)
    ]


def make_judgment(
    conversation: Conversation,
    *,
    present: bool | None = True,
    reason: str = "",
    judge: JudgeConfiguration | None = None,
    **fields: Any,
) -> Judgment:
    """A judgment of a conversation; `present=None` is unjudged, by default because of an unreadable answer."""
    judgment = _judgment(conversation, judge or make_judge(), present=present, reason=reason, **fields)
    judgment.save()
    return judgment


def _judgment(
    conversation: Conversation, judge: JudgeConfiguration, *, present: bool | None, reason: str = "", **fields: Any
) -> Judgment:
    defaults = {
        "state": Judgment.State.UNJUDGED if present is None else Judgment.State.JUDGED,
        "reason": (reason or "judge-unreadable") if present is None else "",
        "polarity": conversation.scenario.base.metric_version.polarity,
        "justification": "" if present is None else "The reply in turn 1 shows it.",
        "evidence": [] if present is None else [{"turn": 1, "quote": "What matters most to you", "verified": True}],
        "first_turn": 1 if present else None,
        **fields,
    }
    return Judgment(conversation=conversation, judge=judge, present=present, **defaults)


def make_held(
    run: Run,
    held: Sequence[tuple[Scenario, LanguageModel, bool | None]],
    *,
    turns: Sequence[tuple[str | None, str | None]] = DEFAULT_TURNS,
) -> None:
    """Finished conversations of a run's one judge as (scenario, target, present), None where unjudged.

    In bulk: hundreds of tests begin with it.
    """
    judge = run.judges.get()
    conversations = [_conversation(run, scenario, target) for scenario, target, _present in held]
    Conversation.objects.bulk_create(conversations)
    Turn.objects.bulk_create([turn for conversation in conversations for turn in _turns(conversation, turns)])
    Judgment.objects.bulk_create(
        [
            _judgment(conversation, judge, present=present)
            for conversation, (_scenario, _target, present) in zip(conversations, held, strict=True)
        ]
    )


def make_finished_run(slug: str = "run", *, models: Sequence[str] = ("luna", "terra", "sol")) -> Run:
    """What `make_release` publishes: 2 benchmarks of 3 positive and 3 negative metrics, 2 scenarios in 2 profiles.

    The first model has verdicts throughout, the second a few unjudged, the third (`sol`) was tested on the first
    benchmark only. Which behaviour is present follows a fixed pattern.
    """
    made_or_put_back(("run", slug, *models), partial(_make_finished_run, slug, models))
    return Run.objects.get(slug=slug)


def _make_finished_run(slug: str, models: Sequence[str]) -> None:
    benchmarks = {"autonomy": "agency-purpose", "learning": "learning-skill-development"}
    versions = [
        make_metric(
            f"m{number:02d}",
            benchmark=make_benchmark(benchmark),
            polarity="positive" if number <= 3 else "negative",
            subareas=[subarea] if number != 2 else [subarea, "cognition-judgment"],
        )
        for benchmark, subarea in benchmarks.items()
        for number in range(1, 7)
    ]
    targets = [make_model(model) for model in models]
    run = make_run(slug, versions=versions, targets=targets)
    scenarios = [
        (version, scenario)
        for version in versions
        for number in (1, 2)
        for scenario in make_scenarios(version, number=number)
    ]
    held = [
        (scenario, target, None if is_unjudged else (position * 7 + order * 5) % 3 > 0)
        for position, (version, scenario) in enumerate(scenarios)
        for order, target in enumerate(targets)
        if order != 2 or version.metric.benchmark.slug == "autonomy"
        for is_unjudged in [order == 1 and position % 11 == 0]
    ]
    make_held(run, held)


def make_release(slug: str = "2026-a", *, run: Run | None = None, resamples: int = 200, **options: Any) -> Release:
    """A small, complete release through the real service: 3 models (one partial), 2 benchmarks, 12 metrics.

    `run` is another finished run to publish instead; `options` go to `publishing.publish`.
    """
    if run is not None or options:
        run = run or make_finished_run(f"run-of-{slug}")
        return publishing.publish(actor=None, slug=slug, runs=[run.slug], resamples=resamples, **options)
    made_or_put_back(("release", slug, resamples), partial(_make_release, slug, resamples))
    return Release.objects.get(slug=slug)


def _make_release(slug: str, resamples: int) -> None:
    run = make_finished_run(f"run-of-{slug}")
    publishing.publish(actor=None, slug=slug, runs=[run.slug], resamples=resamples)


def _subarea(subarea: str | Subarea) -> Subarea:
    if isinstance(subarea, Subarea):
        return subarea
    return Subarea.objects.get(taxonomy__slug="impactbench-2026", slug=subarea)
