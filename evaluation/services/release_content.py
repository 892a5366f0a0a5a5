"""The numbers of a release and their fingerprint, in one canonical form for making and for verifying it."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from evaluation.models import Release, Result, Verdict
from evaluation.selectors.release_groups import Groups, statistics_groups
from evaluation.statistics import pass_rates

# One record is a tuple of these; the first ones name it, the others are what it says.
VERDICT_FIELDS = (
    "conversation", "metric", "version", "model", "profile", "ended", "present", "passed", "reason",
)  # fmt: skip
RESULT_NAMES = ("group", "key", "model", "polarity", "profile")
RESULT_FIELDS = pass_rates.COLUMNS

Record = tuple[Any, ...]


def computed_results(verdicts: pd.DataFrame, groups: Groups, *, resamples: int, seed: int) -> list[Record]:
    """Every result of a release as records of `RESULT_FIELDS`; the key of `overall` is ''."""
    table = pass_rates.release_results(
        verdicts,
        statistics_groups(groups),
        profiles=sorted(set(verdicts["profile"])),
        models=sorted(set(verdicts["model"])),
        resamples=resamples,
        seed=seed,
    )
    table["key"] = ["" if key is None else key for key in table["key"]]
    return list(zip(*(table[name].tolist() for name in RESULT_FIELDS), strict=True))


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


def stored_results(release: Release) -> list[Record]:
    """The results of a release as the database holds them, in the same form."""
    columns = ["model__slug" if name == "model" else name for name in RESULT_FIELDS]
    return list(Result.objects.filter(release=release).order_by("pk").values_list(*columns))


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


def content_hash(verdicts: Iterable[Record], results: Iterable[Record]) -> str:
    """sha256 over all verdicts and results, whatever their order; floats count to their last bit."""
    digest = hashlib.sha256()
    for records in (verdicts, results):
        for line in sorted(canonical(record) for record in records):
            digest.update(line.encode() + b"\n")
        digest.update(b"\n")
    return digest.hexdigest()


def canonical(record: Record) -> str:
    """A record as one line of JSON; Python writes a float with the digits that give back its exact bits."""
    return json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
