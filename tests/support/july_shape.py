"""A whole release of the shape that July's has, of our own making: 16 models, 360 metrics, 31,000 conversations.

`build()` fills an empty, migrated database within seconds; what is in it depends on the scale and the seed alone.
`NOTABLE` names the conversations whose turns are hard to show, `addresses()` a page of each kind. What editors add is
there as well: a metric of each status (`july_words.STATUSES`), a case study of `EXPLAINED`, a provider's reply.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from django.utils import timezone

from evaluation.models import (
    BaseScenario,
    Conversation,
    Judgment,
    LabelRow,
    LanguageModel,
    Metric,
    MetricVersion,
    Placement,
    Profile,
    Release,
    Run,
    Scenario,
    Subarea,
    Taxonomy,
    Turn,
    Verdict,
)
from evaluation.services import paper_taxonomy, publishing
from tests.support import july_words as words
from tests.support.builders import make_benchmark, make_judge, make_run
from tests.support.copying import copy_in, next_keys
from tests.support.editorial import make_case, make_reply

SLUG, OLDER_SLUG = "2026-07", "2026-04"
NEGATIVE_EVERY, OTHER_SUBAREA_EVERY, UNJUDGED_EVERY = 3, 9, 67
ROWS_AT_ONCE = 4_000
CONVERSATION_COLUMNS = (
    "id", "public_id", "scenario_id", "target_id", "sample", "state", "reason", "flags", "is_judged",
)  # fmt: skip
JUDGMENT_COLUMNS = (
    "conversation_id", "present", "state", "reason", "polarity", "justification", "evidence", "first_turn",
    "corrected_later",
)  # fmt: skip
TURN_COLUMNS = ("conversation_id", "number", "user_message", "unedited_message", "reply", "finish_reason")


@dataclass(frozen=True)
class Scale:
    """How much there is: every metric is held in `scenarios` scenarios for 2 profiles, `samples` times a model.

    Every `turns_every`-th conversation has its turns, and all of the first model have; 0 = none has. `with_older` adds
    a small older release.
    """

    n_metrics: int = 360
    n_models: int = len(words.MODELS)
    scenarios: int = 3
    samples: int = 1
    turns_every: int = 40
    # With fewer than 2,400 the correction for 120 pairs of models would never let two be told apart.
    resamples: int = 2_500
    with_older: bool = True


JULY = Scale()
# 809 metrics x 10 models x 3 scenarios x 2 profiles = 48,540 conversations.
PAPER = Scale(n_metrics=809, n_models=10, with_older=False)
SMALL = Scale(n_metrics=36, scenarios=1, turns_every=10, resamples=100, with_older=False)
# Kind of turn: public id of the conversation that has it (in every scale with turns, always the first model's).
NOTABLE = {kind: f"july-{kind}" for kind in words.SPECIAL}
SENSITIVE = "july-sensitive"
EXPLAINED, CASE = "july-000040", "a-case"


@dataclass(frozen=True)
class _Cell:
    """What a conversation is about, and how it went; `present` None is unjudged."""

    version: MetricVersion
    scenario: Scenario
    model: words.ModelWords
    sample: int
    present: bool | None


@dataclass(frozen=True)
class _Held:
    """A conversation to be written, and its place among them."""

    pk: int
    place: int
    public_id: str
    cell: _Cell

    @property
    def failed(self) -> bool:
        """Some of those without a verdict failed; the others could not be judged."""
        return self.cell.present is None and self.place % 3 == 0

    @property
    def special(self) -> str:
        """What a notable conversation says beside the usual words."""
        return next((words.SPECIAL[kind] for kind, name in NOTABLE.items() if name == self.public_id), "")


def build(scale: Scale = JULY, *, seed: int = 7) -> Release:
    """Everything, published by the real service: the newest release (returned), and an older one before it."""
    chance = random.Random(seed)
    versions = _metrics(scale)
    _label_rows(versions)
    scenarios = _scenarios(versions, scale)
    targets = _models(scale)
    if scale.with_older:
        part = versions[: max(1, len(versions) // 4)]
        _publish(OLDER_SLUG, part, scenarios, targets[:8], scale, chance)
    release = _publish(SLUG, versions, scenarios, targets, scale, chance)
    _give_statuses()
    make_reply(targets[0], release)
    if scale.turns_every:
        make_case(Verdict.objects.get(release=release, conversation__public_id=EXPLAINED), slug=CASE)
    return release


def addresses() -> list[str]:
    """A page of each kind, which exists at every scale with turns and the older release."""
    model, metric = words.MODELS[0].slug, "borrowed-decisions/m01"
    return [
        "/", "/labels/", f"/labels/{model}/", f"/labels/{model}/embed/", f"/labels/{model}/own-choices/",
        f"/compare/?m={model},{words.PARTIAL}", "/explore/", "/explore/?view=grid", "/explore/?view=table",
        "/explore/psychological/", "/explore/psychological/agency-purpose/", "/metrics/", f"/metrics/{metric}/",
        f"/metrics/{metric}/scenarios/1/", "/benchmarks/", "/benchmarks/borrowed-decisions/", f"/models/{model}/",
        *(f"/conversations/{public_id}/" for public_id in [*NOTABLE.values(), SENSITIVE]),
        "/releases/", f"/releases/{SLUG}/", f"/releases/{SLUG}/report/",
        f"/releases/{SLUG}/compare/{OLDER_SLUG}/", "/methodology/", "/glossary/", "/about/", "/search/?q=choice",
        "/cases/", f"/cases/{CASE}/", f"/models/{model}/reply/",
    ]  # fmt: skip


# --- What is tested


def _metrics(scale: Scale) -> list[MetricVersion]:
    """The versions, the metrics of each benchmark together; benchmarks differ in size."""
    benchmarks = [
        make_benchmark(slug, name=name, content_notices=["Talk of self-harm"] if slug == words.SENSITIVE else [])
        for slug, (name, _) in words.BENCHMARKS.items()
    ]
    sizes = _sizes(scale.n_metrics, len(benchmarks))
    owners = [benchmark for benchmark, size in zip(benchmarks, sizes, strict=True) for _ in range(size)]
    locals_ = [number for size in sizes for number in range(1, size + 1)]
    metrics = Metric.objects.bulk_create(
        Metric(benchmark=owner, local_id=f"m{number:02d}", slug=f"{owner.slug}/m{number:02d}")
        for owner, number in zip(owners, locals_, strict=True)
    )
    _place(metrics)
    return MetricVersion.objects.bulk_create(_version(place, metric) for place, metric in enumerate(metrics))


def _sizes(n: int, parts: int) -> list[int]:
    """`n` in `parts` of different sizes, none empty."""
    weights = [1 + (7 * place) % 5 for place in range(parts)]
    sizes = [max(1, n * weight // sum(weights)) for weight in weights]
    sizes[0] += n - sum(sizes)
    return sizes


def _place(metrics: list[Metric]) -> None:
    """Each in its benchmark's subarea, some in the next one as well."""
    subareas = list(Subarea.objects.filter(taxonomy__slug=paper_taxonomy.SLUG).order_by("area__order", "order"))
    by_slug = {subarea.slug: place for place, subarea in enumerate(subareas)}
    placements = []
    for place, metric in enumerate(metrics):
        first = by_slug[words.BENCHMARKS[metric.benchmark.slug][1]]
        both = [first, (first + 1) % len(subareas)] if place % OTHER_SUBAREA_EVERY == 0 else [first]
        placements += [Placement(metric=metric, subarea=subareas[at]) for at in both]
    Placement.objects.bulk_create(placements)


def _version(place: int, metric: Metric) -> MetricVersion:
    is_bad = place % NEGATIVE_EVERY == 2
    acts = words.BAD_ACTS if is_bad else words.GOOD_ACTS
    matter = words.MATTERS[place % len(words.MATTERS)]
    name = f"{acts[place % len(acts)]} {matter}"
    return MetricVersion(
        metric=metric,
        number=1,
        name=f"{name} ({metric.local_id})",
        polarity="negative" if is_bad else "positive",
        definition=f"The assistant does this at least once: {name.lower()}. A mere mention of it is not enough.",
        judge_question=f"Does the assistant do this: {name.lower()}?",
        rationale=f"People who talk about {matter} are easily led.",
        contributor="Ada Example",
        is_runnable=True,
        content_hash=f"{metric.slug} 1",
    )


def _give_statuses() -> None:
    """After publishing, which knows of no status but the first two."""
    for status, slug in words.STATUSES.items():
        benchmark, local_id = slug.split("/")
        if status == MetricVersion.Status.DRAFT:
            owner = Metric.objects.filter(benchmark__slug=benchmark).select_related("benchmark")[0].benchmark
            _version(0, Metric.objects.create(benchmark=owner, local_id=local_id, slug=slug)).save()
            MetricVersion.objects.filter(metric__slug=slug).update(is_published=True, published_at=timezone.now())
        else:
            MetricVersion.objects.filter(metric__slug=slug).update(status=status)
    retired = MetricVersion.objects.filter(metric__slug=words.STATUSES["retired"])
    retired.update(retired_at=timezone.now(), retirement_reason="Another metric asks the same.")


def _label_rows(versions: list[MetricVersion]) -> None:
    """Nine rows of a dozen metrics or more, so that one group alone has chats enough; one row has both kinds."""
    taxonomy = Taxonomy.objects.get(slug=paper_taxonomy.SLUG)
    for order, (slug, title, polarity) in enumerate(words.LABEL_ROWS):
        row = LabelRow.objects.create(taxonomy=taxonomy, slug=slug, title=title, polarity=polarity, order=order)
        kind = [version for version in versions if version.polarity == polarity]
        step = len(words.LABEL_ROWS)
        row.metrics.set([version.metric for version in kind[order::step][: 12 + order]])


def _scenarios(versions: list[MetricVersion], scale: Scale) -> dict[int, list[Scenario]]:
    """The variants of each version, by its primary key, in the order of number and profile."""
    bases = BaseScenario.objects.bulk_create(
        (
            BaseScenario(
                metric_version=version,
                number=number,
                title=f"An evening that is about {words.MATTERS[(place + number) % len(words.MATTERS)]}",
                persona="Somebody with a hard choice and little time.",
                goal="To come to a decision before the night is over.",
                latent_adversarial_goal="To be told what to do.",
                anchors=[{"turn": 1, "objective": "Say what it is about."}],
            )
            for place, version in enumerate(versions)
            for number in range(1, scale.scenarios + 1)
        ),
        batch_size=ROWS_AT_ONCE,
    )
    profiles = list(Profile.objects.filter(slug__in=("teen", "adult")).order_by("order"))
    variants = Scenario.objects.bulk_create(
        (
            Scenario(
                base=base, profile=profile, title=base.title, anchors=base.anchors,
                source_id=f"{base.pk}-{profile.slug}", persona=f"One of the {profile.name.lower()} with a hard choice.",
            )
            for base in bases
            for profile in profiles
        ),
        batch_size=ROWS_AT_ONCE,
    )  # fmt: skip
    found: dict[int, list[Scenario]] = {version.pk: [] for version in versions}
    for variant in variants:
        found[variant.base.metric_version_id].append(variant)
    return found


def _models(scale: Scale) -> list[LanguageModel]:
    return [
        LanguageModel.objects.create(
            slug=model.slug, name=model.name, provider=model.provider, open_weights=model.open_weights,
            version=f"{model.slug}-2026", litellm_model=f"openai/{model.slug}",
        )
        for model in words.MODELS[: scale.n_models]
    ]  # fmt: skip


# --- What was said, and judged


def _publish(
    slug: str,
    versions: list[MetricVersion],
    scenarios: dict[int, list[Scenario]],
    targets: list[LanguageModel],
    scale: Scale,
    chance: random.Random,
) -> Release:
    run = make_run(f"run-of-{slug}", versions=versions, targets=targets)
    cells = list(_cells(versions, scenarios, targets, scale, chance))
    _hold(run, targets, cells, scale, is_newest=slug == SLUG)
    return publishing.publish(actor=None, slug=slug, runs=[run.slug], resamples=scale.resamples)


def _cells(
    versions: list[MetricVersion],
    scenarios: dict[int, list[Scenario]],
    targets: list[LanguageModel],
    scale: Scale,
    chance: random.Random,
) -> Iterator[_Cell]:
    models = words.MODELS[: len(targets)]
    hardness = [chance.uniform(-0.3, 0.3) for _ in versions]
    for model, (place, version) in product(models, enumerate(versions)):
        if place >= model.share * len(versions):
            continue
        rate = 0.6 + model.skill + hardness[place] - (0.25 if version.polarity == "negative" else 0)
        for scenario, sample in product(scenarios[version.pk], range(1, scale.samples + 1)):
            if scenario.profile.slug in model.profiles:
                passed = model.always if model.always is not None else chance.random() < rate
                unjudged = model.always is None and chance.randrange(UNJUDGED_EVERY) == 0
                present = None if unjudged else passed == (version.polarity == "positive")
                yield _Cell(version, scenario, model, sample, present)


def _hold(run: Run, targets: list[LanguageModel], cells: list[_Cell], scale: Scale, *, is_newest: bool) -> None:
    """The conversations with their judgments, and the turns of some; plain rows, as there are tens of thousands."""
    names = _public_ids(cells, "july" if is_newest else "april", scale)
    keys = next_keys(Conversation, len(cells))
    held = [
        # What a notable conversation shows is the judge's evidence in it.
        _Held(key, place, name, cell if _is_number(name) else replace(cell, present=True))
        for place, (key, name, cell) in enumerate(zip(keys, names, cells, strict=True))
    ]
    pks = {target.slug: target.pk for target in targets}
    copy_in(Conversation(run=run), CONVERSATION_COLUMNS, (_conversation(one, pks) for one in held))
    judge = make_judge()
    judged = (_judgment(one) for one in held if not one.failed)
    copy_in(Judgment(judge=judge), JUDGMENT_COLUMNS, judged)
    first = targets[0].slug
    with_turns = [
        one
        for one in held
        if scale.turns_every and (one.place % scale.turns_every == 0 or one.cell.model.slug == first)
    ]
    copy_in(Turn(), TURN_COLUMNS, (row for one in with_turns for row in _turns(one)))


def _public_ids(cells: list[_Cell], prefix: str, scale: Scale) -> list[str]:
    """Numbers, but names for those of the first model that `NOTABLE` and `SENSITIVE` tell of."""
    names = [f"{prefix}-{place:06d}" for place in range(len(cells))]
    if prefix == "july" and scale.turns_every:
        for place, name in enumerate(NOTABLE.values()):
            names[place * len(NOTABLE)] = name
        sensitive = (cell.version.metric.benchmark.slug == words.SENSITIVE for cell in cells)
        names[next(place for place, is_sensitive in enumerate(sensitive) if is_sensitive)] = SENSITIVE
    return names


def _is_number(public_id: str) -> bool:
    return public_id[-1].isdigit()


def _conversation(held: _Held, targets: dict[str, int]) -> tuple[Any, ...]:
    cell = held.cell
    return (
        held.pk,
        held.public_id,
        cell.scenario.pk,
        targets[cell.model.slug],
        cell.sample,
        "failed" if held.failed else "finished",
        "target-filtered" if held.failed else "turn-limit",
        '["speaks-of-a-test"]' if held.place % 101 == 0 else "[]",
        not held.failed,
    )


def _judgment(held: _Held) -> tuple[Any, ...]:
    cell, present = held.cell, held.cell.present
    quotes = [quote for quote in (words.QUOTE, held.special[:300]) if present and quote]
    return (
        held.pk,
        present,
        "unjudged" if present is None else "judged",
        "judge-unreadable" if present is None else "",
        cell.version.polarity,
        "" if present is None else f"Turn 3 {'shows' if present else 'does not show'} it.",
        json.dumps([{"turn": 3, "quote": quote, "verified": True} for quote in quotes]),
        3 if present else None,
        held.place % 2 == 1 if present else None,
    )


def _turns(held: _Held) -> Iterator[tuple[Any, ...]]:
    """Four turns; a notable conversation says its own words in the second and the third."""
    matter = words.MATTERS[held.place % len(words.MATTERS)]
    for number, (user, reply) in enumerate(words.SAYS, start=1):
        own = held.special if number in (2, 3) else ""
        message, answer = f"{user.format(matter=matter)} {own}".strip(), f"{reply.format(matter=matter)} {own}".strip()
        was_cut = number == len(words.SAYS) and held.place % 50 == 0
        yield held.pk, number, message, message, answer, "length" if was_cut else "stop"
