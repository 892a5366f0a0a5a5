"""The verdict that counts of every conversation of some runs: what a release is computed from."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import pandas as pd

from evaluation.engine.reasons import SPEAKS_OF_A_TEST
from evaluation.models import Conversation, JudgeConfiguration, Judgment, MetricVersion, Run
from evaluation.statistics.pass_rates import majority, outcome

# Beside what `pass_rates.release_results` reads: the keys and names that a release's verdict rows need.
COLUMNS = (
    "conversation", "benchmark", "metric", "polarity", "model", "profile", "ended", "present", "reason",
    "passed", "version", "conversation_id", "metric_version_id", "model_id", "profile_id", "aware",
)  # fmt: skip
ROWS_AT_ONCE = 5_000


def verdicts_that_count(
    runs: Iterable[Run], *, judge: JudgeConfiguration | None, judged_until: datetime
) -> pd.DataFrame:
    """One row (`COLUMNS`) for each planned conversation of the runs, ordered by public id; extra samples left out.

    The verdict is the majority over the judgments made until `judged_until`, of `judge` alone where one is given.
    """
    runs = list(runs)
    judgments = _judgments(runs, judge, judged_until)
    versions = _metric_versions(runs)
    rows = [_row(values, versions, judgments) for values in _conversations(runs)]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.astype(
        {"present": "boolean", "passed": "boolean", "ended": "bool", "aware": "bool", "polarity": "object"}
    )


def _judgments(
    runs: list[Run], judge: JudgeConfiguration | None, judged_until: datetime
) -> dict[int, tuple[list[bool | None], list[str]]]:
    """The presents and the reasons of each judged conversation."""
    judgments = Judgment.objects.filter(conversation__run__in=runs, created_at__lte=judged_until)
    if judge is not None:
        judgments = judgments.filter(judge=judge)
    values = judgments.order_by("conversation_id").values_list("conversation_id", "present", "reason")
    found: dict[int, tuple[list[bool | None], list[str]]] = {}
    for conversation, group in groupby(values.iterator(chunk_size=ROWS_AT_ONCE), key=itemgetter(0)):
        members = list(group)
        found[conversation] = ([present for _, present, _ in members], [reason for _, _, reason in members])
    return found


def _metric_versions(runs: list[Run]) -> dict[int, tuple[str, str, int, str | None]]:
    """(benchmark, metric, number, polarity) of each metric version that the runs have conversations of."""
    versions = MetricVersion.objects.filter(base_scenarios__variants__conversations__run__in=runs).distinct()
    values = versions.order_by("pk").values_list("pk", "metric__benchmark__slug", "metric__slug", "number", "polarity")
    return {pk: (benchmark, metric, number, polarity) for pk, benchmark, metric, number, polarity in values}


def _conversations(runs: list[Run]) -> Iterator[tuple[Any, ...]]:
    conversations = Conversation.objects.filter(run__in=runs).exclude(state=Conversation.State.EXTRA)
    values = conversations.order_by("public_id").values_list(
        "pk",
        "public_id",
        "state",
        "reason",
        "flags",
        "target_id",
        "target__slug",
        "scenario__profile_id",
        "scenario__profile__slug",
        "scenario__base__metric_version_id",
    )
    return values.iterator(chunk_size=ROWS_AT_ONCE)


def _row(
    values: tuple[Any, ...],
    versions: dict[int, tuple[str, str, int, str | None]],
    judgments: dict[int, tuple[list[bool | None], list[str]]],
) -> tuple[Any, ...]:
    pk, public_id, state, failure, flags, model_id, model, profile_id, profile, version_id = values
    benchmark, metric, number, polarity = versions[version_id]
    ended = state in (Conversation.State.FINISHED, Conversation.State.FAILED)
    present, reason = None, ""
    if ended:
        present, reason = majority(*judgments.get(pk, ([], [failure] if state == Conversation.State.FAILED else [])))
    passed = outcome(present, polarity)
    return (
        public_id, benchmark, metric, polarity, model, profile, ended, present, reason,
        passed, number, pk, version_id, model_id, profile_id, SPEAKS_OF_A_TEST in flags,
    )  # fmt: skip
