"""In what the runs of one release differ where their verdicts would then not be comparable."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pandas as pd

from evaluation.models import Conversation, Run

# What a plan may set and what changes how conversations are held and judged (contract.md, 'Release').
SETTINGS = {
    "anchors": "anchors",
    "adversarial_guidance": "adversarial guidance",
    "typing_edits": "typing edits",
    "judge_repeats": "judge repeats",
    "allow_cut_replies": "allowance of cut replies",
    "structured_simulator": "structured simulator",
}
NOT_PUBLISHED = "not published"


def differences(runs: Sequence[Run], verdicts: pd.DataFrame, *, judge_is_named: bool) -> list[str]:
    """One sentence for each difference in judge, user simulator, prompts, turn limit, settings or metric wording."""
    return differences_in_making(runs, judge_is_named=judge_is_named) + _wordings(verdicts)


def differences_in_making(runs: Sequence[Run], *, judge_is_named: bool) -> list[str]:
    """`differences` as far as the runs alone tell, without their verdicts."""
    found: list[str] = []
    if not judge_is_named:
        found += _differing("judge", runs, _judges)
    found += _differing("user simulator", runs, lambda run: getattr(run.user_simulator, "slug", NOT_PUBLISHED))
    for name in sorted({name for run in runs for name in run.prompt_hashes or {}}):
        found += _differing(f"prompt {name}", runs, partial(_prompt, name))
    found += _differing("turn limit", runs, lambda run: str(run.turns or NOT_PUBLISHED))
    for key, title in SETTINGS.items():
        found += _differing(title, runs, partial(_setting, key))
    return found


def repeated_conversations(runs: Iterable[Run]) -> list[str]:
    """The (scenario, target, sample) that stand in the runs more than once, in words."""
    conversations = Conversation.objects.filter(run__in=list(runs)).exclude(state=Conversation.State.EXTRA)
    seen: dict[tuple[int, int, int], str] = {}
    repeated = []
    values = conversations.order_by("run_id", "pk").values_list(
        "scenario_id",
        "target_id",
        "sample",
        "run__slug",
        "target__slug",
        "scenario__base__metric_version__metric__slug",
    )
    for scenario, target, sample, run, model, metric in values.iterator():
        first = seen.setdefault((scenario, target, sample), run)
        if first != run:
            repeated.append(f"{metric}, model {model}, sample {sample} (runs {first} and {run})")
    return repeated


def _differing(name: str, runs: Sequence[Run], value_of: Callable[[Run], str]) -> list[str]:
    by_value: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        by_value[value_of(run)].append(run.slug)
    if len(by_value) == 1:
        return []
    parts = (f"{value} in {' and '.join(slugs)}" for value, slugs in sorted(by_value.items()))
    return [f"{name}: {', '.join(parts)}"]


def _judges(run: Run) -> str:
    return " and ".join(sorted(judge.slug for judge in run.judges.all())) or NOT_PUBLISHED


def _prompt(name: str, run: Run) -> str:
    prompt_hash = (run.prompt_hashes or {}).get(name)
    return prompt_hash[:12] if prompt_hash else NOT_PUBLISHED


def _setting(key: str, run: Run) -> str:
    return str(run.spec.get(key, NOT_PUBLISHED))


def _wordings(verdicts: pd.DataFrame) -> list[str]:
    """Metrics that the runs tested in more than one version."""
    versions = verdicts[["metric", "version"]].drop_duplicates().sort_values(["metric", "version"])
    found = []
    for metric, numbers in versions.groupby("metric")["version"]:
        if len(numbers) > 1:
            found.append(f"metric {metric}: versions {' and '.join(str(number) for number in numbers)}")
    return found
