"""How far the judges of a release agree, from the judgments that were saved when it was made."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
from django.db.models import Count, Q, QuerySet

from evaluation.models import Conversation, JudgeConfiguration, Judgment, Release
from evaluation.selectors import kept
from evaluation.selectors.release_draws import weights_of
from evaluation.statistics.panel_agreement import POLARITIES, Agreement, panel_agreement

COLUMNS = ("conversation", "judge", "metric", "polarity", "profile", "n", "n_present")


def judgments_of(release: Release) -> QuerySet[Judgment]:
    """The judgments of a release's conversations that were saved when it was made, of all judges; later ones not."""
    judgments = Judgment.objects.filter(conversation__run__in=release.runs.all(), created_at__lte=release.published_at)
    return judgments.exclude(conversation__state=Conversation.State.EXTRA)


def release_agreement(release: Release) -> list[Agreement]:
    """The lines of `panel_agreement` in an order that stays, over all judges, also where the verdict of one counts.

    Judges go by their slugs; None is one whose source did not publish which model it was.
    """
    lines: list[Agreement] = kept.once(kept.name_of("agreement", [release]), lambda: _computed(release))
    return lines


def _computed(release: Release) -> list[Agreement]:
    polarities = set(release.metric_versions.values_list("polarity", flat=True))
    found = panel_agreement(
        _readings(judgments_of(release)),
        weights_of(release),
        polarities=[polarity for polarity in POLARITIES if polarity in polarities],
        profiles=list(release.profiles.values_list("slug", flat=True)),
    )
    return _with_public_names(found)


def _readings(judgments: QuerySet[Judgment]) -> pd.DataFrame:
    # Ordered here, because the database may count in any order.
    rows = (
        judgments.filter(state=Judgment.State.JUDGED, polarity__isnull=False)
        .order_by("conversation_id", "judge_id")
        .values_list(
            "conversation_id",
            "judge__slug",
            "conversation__scenario__base__metric_version__metric__slug",
            "polarity",
            "conversation__scenario__profile__slug",
        )
        .annotate(n=Count("pk"), n_present=Count("pk", filter=Q(present=True)))
    )
    return pd.DataFrame.from_records(list(rows), columns=list(COLUMNS))


def _with_public_names(lines: Sequence[Agreement]) -> list[Agreement]:
    unknown = set(JudgeConfiguration.objects.filter(language_model=None).values_list("slug", flat=True))
    return [
        replace(
            line,
            judge_a=None if line.judge_a in unknown else line.judge_a,
            judge_b=None if line.judge_b in unknown else line.judge_b,
        )
        for line in lines
    ]
