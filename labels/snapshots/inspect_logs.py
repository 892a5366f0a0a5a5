"""A release as logs of Inspect: one `.eval` file a model, a sample for each conversation, for Inspect's own viewer.

An `.eval` file is a zip of `header.json`, `summaries.json` and a JSON file a sample (Inspect's documentation, "Eval
Logs"), so that the viewer opens one conversation without reading all.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import orjson

from evaluation.models import LanguageModel, Polarity, Release, Result
from impactbench.common.groups import in_groups
from labels.api.views.judgments import JudgmentList, JudgmentSerializer
from labels.snapshots.parts import AT_A_TIME, PARTS, view_of

# The version of the logs' own schema.
LOG_VERSION = 2
# How Inspect marks that a sample is right, wrong, or has no answer.
VALUES = {True: "C", False: "I", None: "N"}
WANTED = {Polarity.POSITIVE: "present", Polarity.NEGATIVE: "absent", None: "unknown"}
SAID = {True: "present", False: "absent", None: "unjudged"}

Item = Mapping[str, Any]


def write_inspect_logs(release: Release, folder: Path) -> int:
    """One log a model of the release in the new folder. Returns how many conversations are in them."""
    folder.mkdir()
    metrics = {row["slug"]: row for row in PARTS["metrics"].rows(release)}
    models = release.targets.order_by("slug")
    return sum(_write_log(release, model, metrics, folder / f"{release.slug}_{model.slug}.eval") for model in models)


def _write_log(release: Release, model: LanguageModel, metrics: Mapping[str, Item], file: Path) -> int:
    summaries = []
    with ZipFile(file, "x", ZIP_DEFLATED) as log:
        for conversation, judgments in _conversations(release, model):
            sample = _sample(conversation, judgments, metrics[conversation["metric"]])
            log.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", orjson.dumps(sample))
            summaries.append(_summary(sample))
        log.writestr("summaries.json", orjson.dumps(summaries))
        log.writestr("header.json", orjson.dumps(_header(release, model, summaries)))
    return len(summaries)


def _conversations(release: Release, model: LanguageModel) -> Iterator[tuple[Item, list[Item]]]:
    """Each conversation of the model with what judges said of it."""
    rows = PARTS["conversations"].rows(release, model=model.slug)
    judgments = view_of(JudgmentList, release).get_queryset()
    for together in in_groups(rows, AT_A_TIME):
        of: defaultdict[str, list[Item]] = defaultdict(list)
        ids = [row["id"] for row in together]
        for judgment in judgments.filter(conversation__public_id__in=ids).order_by("pk"):
            of[judgment.conversation.public_id].append(JudgmentSerializer(judgment).data)
        yield from ((row, of[row["id"]]) for row in together)


def _sample(conversation: Item, judgments: list[Item], metric: Item) -> dict[str, Any]:
    messages = list(_messages(conversation))
    told = ("metric", "scenario", "profile", "state", "reason", "flags")
    sample: dict[str, Any] = {
        "id": conversation["id"],
        "epoch": conversation["sample"],
        "input": next((message["content"] for message in messages if message["role"] == "user"), ""),
        "target": WANTED[metric["polarity"]],
        "messages": messages,
        "scores": {"verdict": _verdict(conversation), **_scores(judgments)},
        "metadata": {
            **{name: conversation[name] for name in told},
            **{name: metric[name] for name in ("benchmark", "name", "polarity", "definition", "interpretive_clause")},
        },
    }
    said = [message for message in messages if message["role"] == "assistant"]
    if said:
        choices = [{"message": said[-1], "stop_reason": "stop"}]
        sample["output"] = {"model": conversation["model"], "choices": choices, "completion": said[-1]["content"]}
    return sample


def _messages(conversation: Item) -> Iterator[dict[str, str]]:
    for turn in conversation["turns"]:
        if turn["user"] is not None:
            yield {"role": "user", "content": turn["user"]}
        if turn["target"] is not None:
            yield {"role": "assistant", "content": turn["target"], "model": conversation["model"]}


def _verdict(conversation: Item) -> dict[str, Any]:
    """The verdict that counts in the release: passed by polarity, over all its judgments."""
    return {"value": VALUES[conversation["passed"]], "explanation": conversation["reason"]}


def _scores(judgments: list[Item]) -> dict[str, dict[str, Any]]:
    return {
        f"{judgment['judge'] or 'judge'} {judgment['repeat']}": {
            "value": VALUES[judgment["passed"]],
            "answer": SAID[judgment["present"]],
            "explanation": judgment["justification"],
            "metadata": {"evidence": judgment["evidence"], "reason": judgment["reason"]},
        }
        for judgment in judgments
    }


def _summary(sample: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "input", "target", "metadata")
    scores = {name: {"value": score["value"]} for name, score in sample["scores"].items()}
    n = len(sample["messages"])
    return {**{name: sample[name] for name in kept}, "scores": scores, "completed": True, "message_count": n}


def _header(release: Release, model: LanguageModel, summaries: list[dict[str, Any]]) -> dict[str, Any]:
    n = len(summaries)
    moment = release.published_at.isoformat()
    return {
        "version": LOG_VERSION,
        "status": "success",
        "eval": {
            "eval_id": f"{release.slug}-{model.slug}",
            "run_id": release.slug,
            "task_id": f"{release.slug}-{model.slug}",
            "created": moment,
            "task": f"impactbench/{release.slug}",
            "task_version": 0,
            "dataset": {"name": release.slug, "samples": n, "sample_ids": [sample["id"] for sample in summaries]},
            "model": model.slug,
            "config": {},
            "metadata": {"content_hash": release.content_hash, "status": release.status},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": n, "completed_samples": n, "scores": _pass_rates(release, model)},
        "stats": {"started_at": moment, "completed_at": moment, "model_usage": {}},
    }


def _pass_rates(release: Release, model: LanguageModel) -> list[dict[str, Any]]:
    """The release's own pass rates of the model, one a polarity; none where nothing was judged."""
    overall = Result.objects.filter(release=release, model=model, group="overall", profile="all")
    rates = {result.polarity: result.pass_rate for result in overall if result.pass_rate is not None}
    metrics = {
        f"pass rate, {polarity} metrics": {"name": f"pass rate, {polarity} metrics", "value": rate}
        for polarity, rate in sorted(rates.items())
    }
    return [{"name": "verdict", "scorer": "verdict", "params": {}, "metrics": metrics}]
