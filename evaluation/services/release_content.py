"""The numbers of a release and their fingerprint, in one canonical form for making and for verifying it."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.db.models import QuerySet

from evaluation.models import Comparison, Release, Result, Sensitivity, Verdict
from evaluation.selectors.release_groups import Groups, statistics_groups
from evaluation.statistics import pass_rates, release_comparisons, release_sensitivity
from evaluation.statistics.release_numbers import release_numbers

CONTENT_VERSION = 2

# One record is a tuple of these; the first ones name it, the others are what it says.
VERDICT_FIELDS = (
    "conversation", "metric", "version", "model", "profile", "ended", "present", "passed", "reason",
)  # fmt: skip
RESULT_NAMES = ("group", "key", "model", "polarity", "profile")
RESULT_FIELDS = pass_rates.COLUMNS
COMPARISON_NAMES = ("kind", "group", "key", "polarity", "profile", "model", "a", "b")
COMPARISON_FIELDS = release_comparisons.COLUMNS
SENSITIVITY_NAMES = ("kind", "model", "benchmark", "polarity", "across", "profile_a", "profile_b")
SENSITIVITY_FIELDS = release_sensitivity.COLUMNS

Record = tuple[Any, ...]


@dataclass(frozen=True)
class Numbers:
    """Every number of a release, each kind as records of its `_FIELDS`; the key of `overall` is ''."""

    results: list[Record]
    comparisons: list[Record]
    sensitivity: list[Record]


def computed_numbers(verdicts: pd.DataFrame, groups: Groups, *, resamples: int, seed: int) -> Numbers:
    """Every number of a release from its verdicts. Raises ValueError where they contradict themselves."""
    found = release_numbers(
        verdicts,
        statistics_groups(groups),
        profiles=sorted(set(verdicts["profile"])),
        models=sorted(set(verdicts["model"])),
        resamples=resamples,
        seed=seed,
    )
    return Numbers(
        results=_records(found.results, RESULT_FIELDS),
        comparisons=_records(found.comparisons, COMPARISON_FIELDS),
        sensitivity=_records(found.sensitivity, SENSITIVITY_FIELDS),
    )


def _records(table: pd.DataFrame, fields: Sequence[str]) -> list[Record]:
    if table.empty:
        return []
    columns = {name: table[name].tolist() for name in fields}
    if "key" in columns:
        columns["key"] = ["" if key is None else key for key in columns["key"]]
    return list(zip(*columns.values(), strict=True))


def computed_verdicts(verdicts: pd.DataFrame) -> list[Record]:
    """The verdicts as records of `VERDICT_FIELDS`."""
    return [tuple(row[name] for name in VERDICT_FIELDS) for row in plain_rows(verdicts)]


def plain_rows(verdicts: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table of verdicts as plain Python values, None where there is none."""
    plain = verdicts.astype(object)
    return [
        {str(name): value for name, value in row.items()} for row in plain.where(plain.notna(), None).to_dict("records")
    ]


def counts(verdicts: pd.DataFrame) -> dict[str, int]:
    """The whole-release counts, by the name of their column; conversations are those that ended."""
    n_ended = int(verdicts["ended"].sum())
    n_judged = int(verdicts["present"].notna().sum())
    return {
        "n_models": verdicts["model"].nunique(),
        "n_benchmarks": verdicts["benchmark"].nunique(),
        "n_metrics": verdicts["metric"].nunique(),
        "n_conversations": n_ended,
        "n_judged": n_judged,
        "n_unjudged": n_ended - n_judged,
    }


def stored_numbers(release: Release) -> Numbers:
    """The numbers of a release as the database holds them, in the same form."""
    return Numbers(
        results=_stored(Result.objects.filter(release=release), RESULT_FIELDS),
        comparisons=_stored(Comparison.objects.filter(release=release), COMPARISON_FIELDS),
        sensitivity=_stored(Sensitivity.objects.filter(release=release), SENSITIVITY_FIELDS),
    )


def _stored(rows: QuerySet[Any], fields: Sequence[str]) -> list[Record]:
    columns = ["model__slug" if name == "model" else name for name in fields]
    return list(rows.order_by("pk").values_list(*columns))


def stored_verdicts(release: Release) -> list[Record]:
    """The verdicts of a release as the database holds them, in the same form."""
    return list(
        Verdict.objects.filter(release=release)
        .order_by("conversation__public_id")
        .values_list(
            "conversation__public_id",
            "metric_version__metric__slug",
            "metric_version__number",
            "model__slug",
            "profile__slug",
            "has_ended",
            "present",
            "passed",
            "reason",
        )
    )


def content_hash(
    verdicts: Iterable[Record], numbers: Numbers, inputs: Mapping[str, str], *, version: int = CONTENT_VERSION
) -> str:
    """sha256 over everything in a release, whatever the order of rows; floats count to their last bit.

    Version 1, of releases made before there were comparisons, covers verdicts and results only.
    """
    parts: list[Iterable[Record]] = [verdicts, numbers.results]
    if version >= 2:
        parts += [numbers.comparisons, numbers.sensitivity, list(inputs.items())]
    digest = hashlib.sha256()
    for records in parts:
        for line in sorted(canonical(record) for record in records):
            digest.update(line.encode() + b"\n")
        digest.update(b"\n")
    return digest.hexdigest()


def canonical(record: Record) -> str:
    """A record as one line of JSON; Python writes a float with the digits that give back its exact bits."""
    return json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
