"""`agreement/`: how far several judges agree about the same conversations."""

from rest_framework import serializers

from evaluation.models import Judgment, Polarity, Release
from evaluation.selectors.release_agreement import release_agreement
from evaluation.statistics.panel_agreement import COEFFICIENTS, KINDS, METHODS, Agreement
from impactbench.common.api.paging import RowPages
from impactbench.common.api.problems import BadQuery, quoted
from labels.api.base import ItemList
from labels.api.filters import check_profile
from labels.api.parameters import AGREEMENT_KIND, JUDGE, POLARITY, PROFILE_OR_ALL

ALL_PROFILES = "all"


class AgreementSerializer(serializers.Serializer):
    """How far judges agree whether the behaviour is present.

    A judge's reading is the majority of its repeats; where these are split or unjudged it has none. All
    judgments that were saved when the release was made take part, also where the verdict of one judge counts.
    """

    kind = serializers.ChoiceField(
        KINDS,
        help_text=(
            "`pair`: two judges. `panel`: all judges. `judge-against-majority`: one judge and the majority of the "
            "others, with three judges or more."
        ),
    )
    judge_a = serializers.CharField(allow_null=True, help_text="Slug; null for the panel.")
    judge_b = serializers.CharField(allow_null=True, help_text="Slug of the second judge of a pair; else null.")
    polarity = serializers.ChoiceField(Polarity.choices)
    profile = serializers.CharField(help_text="`all` or the slug of a profile.")
    n = serializers.IntegerField(help_text="Conversations read by both sides; of the panel, by two judges or more.")
    n_metrics = serializers.IntegerField(help_text="Metrics of these conversations.")
    agreement = serializers.FloatField(
        allow_null=True,
        help_text="Share read alike; of the panel, the mean over conversations of the share of equal pairs.",
    )
    agreement_ci_low = serializers.FloatField(allow_null=True)
    agreement_ci_high = serializers.FloatField(allow_null=True)
    coefficient = serializers.FloatField(
        allow_null=True, help_text="Agreement beyond chance: 1 is full agreement, 0 what chance would give."
    )
    coefficient_name = serializers.ChoiceField(COEFFICIENTS, help_text="Krippendorff’s alpha for the panel.")
    ci_low = serializers.FloatField(allow_null=True, help_text="Of the coefficient.")
    ci_high = serializers.FloatField(allow_null=True)
    ci_method = serializers.ChoiceField(METHODS)
    n_draws = serializers.IntegerField(help_text="Draws of the bootstrap in which the coefficient has a value.")
    reason = serializers.CharField(
        help_text="Why a value or its interval is null; empty where there is nothing to say."
    )


class AgreementList(ItemList):
    """How far the judges of the release agree, by kind, judge, polarity and profile; polarities are never mixed."""

    serializer_class = AgreementSerializer
    queryset = Judgment.objects.none()
    pagination_class = RowPages
    parameters = (AGREEMENT_KIND, JUDGE, POLARITY, PROFILE_OR_ALL)

    def items(self, release: Release) -> list[Agreement]:  # type: ignore[override]  # computed, not stored
        lines = release_agreement(release)
        if "judge" in self.values:
            _check_judge(release, lines, self.values["judge"])
            lines = [line for line in lines if self.values["judge"] in (line.judge_a, line.judge_b)]
        if self.values.get("profile", ALL_PROFILES) != ALL_PROFILES:
            check_profile(release, self.values["profile"])
        wanted = {name: self.values[name] for name in ("kind", "polarity", "profile") if name in self.values}
        return [line for line in lines if all(getattr(line, name) == value for name, value in wanted.items())]


def _check_judge(release: Release, lines: list[Agreement], slug: str) -> None:
    judges = sorted({judge for line in lines for judge in (line.judge_a, line.judge_b) if judge is not None})
    if slug not in judges:
        known = f"known ones: {', '.join(judges)}" if judges else "it has one judge, whom nothing compares"
        raise BadQuery({"judge": f"Release {release.slug} compares no judge {quoted(slug)}; {known}."})
