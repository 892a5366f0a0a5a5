"""What a release rests on, in one canonical form: a fingerprint for each part, taken when it is made and checked later.

A change of any judgment, transcript, wording, scenario or model setting after publication shows as the part's name.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from evaluation.models import (
    Conversation,
    JudgeConfiguration,
    Judgment,
    LanguageModel,
    MetricVersion,
    Run,
    Scenario,
    Taxonomy,
    Turn,
)

ROWS_AT_ONCE = 5_000
VERSION_COLUMNS = (
    "metric__slug", "number", "name", "polarity", "definition", "judge_question", "interpretive_clause",
    "examples_present", "examples_absent",
)  # fmt: skip
SCENARIO_COLUMNS = (
    "base__metric_version__metric__slug", "base__metric_version__number", "base__number", "profile__slug",
    "base__persona", "base__goal", "base__latent_adversarial_goal", "base__anchors",
    "persona", "anchors", "attributes", "target_system_prompt", "turns",
)  # fmt: skip
MODEL_COLUMNS = (
    "slug", "name", "provider", "version", "litellm_model", "api_base", "parameters", "system_prompt", "open_weights",
)  # fmt: skip
JUDGMENT_COLUMNS = (
    "conversation__public_id", "judge__slug", "repeat", "state", "reason", "present", "justification", "evidence",
    "first_turn", "corrected_later",
)  # fmt: skip
TURN_COLUMNS = ("conversation__public_id", "number", "user_message", "reply")


def input_hashes(runs: Sequence[Run], taxonomy: Taxonomy, *, judged_until: Any) -> dict[str, str]:
    """A sha256 for each part of what a release of these runs rests on, whatever the order of rows in the database.

    Imported results may be completed later by their source's archives (transcripts, wordings, reasons), so of them
    only what the numbers rest on is pinned.
    """
    # Extra samples stand outside every number, and archives that come later may bring them.
    conversations = Conversation.objects.filter(run__in=runs).exclude(state=Conversation.State.EXTRA)
    scenarios = Scenario.objects.filter(conversations__run__in=runs).distinct()
    versions = MetricVersion.objects.filter(base_scenarios__variants__in=scenarios).distinct()
    judgments = Judgment.objects.filter(conversation__run__in=runs, created_at__lte=judged_until)
    models = LanguageModel.objects.filter(pk__in=_model_ids(runs, judgments))
    judges = JudgeConfiguration.objects.filter(judgments__in=judgments).distinct()
    is_imported = any(run.kind == Run.Kind.IMPORTED for run in runs)
    parts: dict[str, Iterable[Any]] = {
        "taxonomy": [(taxonomy.slug, taxonomy.version)],
        "runs": runs_of(runs),
        "metric wordings": versions.values_list(*VERSION_COLUMNS),
        "scenarios": scenarios.values_list(*SCENARIO_COLUMNS),
        "models": models.values_list(*MODEL_COLUMNS),
        "judges": judges.values_list("slug", "language_model__slug", "prompt_hash"),
        "conversations": conversations.values_list("public_id", "target__slug", "state", "reason", "sample"),
        "transcripts": Turn.objects.filter(conversation__run__in=runs).values_list(*TURN_COLUMNS),
        "judgments": judgments.values_list(*JUDGMENT_COLUMNS),
    }
    if is_imported:
        parts = {name: parts[name] for name in ("taxonomy", "runs", "conversations")}
        parts["judgments"] = judgments.values_list(
            "conversation__public_id", "judge__slug", "repeat", "present", "reason"
        )
    return {name: _digest(_streamed(rows)) for name, rows in parts.items()}


def runs_of(runs: Sequence[Run]) -> list[tuple[Any, ...]]:
    """The plans of the runs and what was used to carry them out."""
    return [(run.slug, run.kind, run.spec, run.spec_hash, run.prompt_hashes, run.code_version) for run in runs]


def changed_parts(published: dict[str, str], recomputed: dict[str, str]) -> list[str]:
    """The names of the parts whose fingerprints differ."""
    return sorted(name for name in published.keys() | recomputed.keys() if published.get(name) != recomputed.get(name))


def _model_ids(runs: Sequence[Run], judgments: QuerySet[Judgment]) -> set[int]:
    """The targets, the simulators and the judges; of those asked to judge again, whoever has given `judgments`."""
    targets = Conversation.objects.filter(run__in=runs).values_list("target_id", flat=True).distinct()
    simulators = {run.user_simulator_id for run in runs if run.user_simulator_id is not None}
    later = {slug for run in runs for slug in run.later_judges}
    judges = JudgeConfiguration.objects.filter(runs__in=runs, language_model__isnull=False)
    judges = judges.filter(~Q(slug__in=later) | Q(pk__in=judgments.values("judge")))
    return {*targets, *simulators, *judges.values_list("language_model_id", flat=True)}


def _streamed(rows: Any) -> Iterator[Any]:
    return iter(rows) if isinstance(rows, list) else rows.order_by().iterator(chunk_size=ROWS_AT_ONCE)


def _digest(rows: Iterator[Any]) -> str:
    """A hash of the set of rows: each row's own hash, sorted, so that the order does not matter."""
    lines = sorted(hashlib.sha256(_line(row)).digest() for row in rows)
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _line(row: Any) -> bytes:
    return json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str).encode()
