"""Puts together what a metric's page and a scenario's page show: the squares, the counts and the trust panel."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.engine.judge import compose_rubric
from evaluation.engine.types import MetricBrief
from evaluation.models import LanguageModel, MetricVersion, Profile, Release, Result, Verdict
from labels import bands
from labels.addresses import other_page
from labels.charts.strips import Square, square_links
from labels.reasons import why
from labels.sentences import all_models
from labels.wording import NO_DATA, hundred

GOOD, NOT_GOOD = "Good outcome", "Not a good outcome"


@dataclass
class Tally:
    """Verdicts counted: good outcomes (or, where good and bad are unknown, behaviour present) of those judged."""

    n_yes: int = 0
    n_judged: int = 0
    n: int = 0

    def add(self, verdict: Verdict, polarity: str | None) -> None:
        answer = verdict.passed if polarity else verdict.present
        self.n += 1
        self.n_judged += answer is not None
        self.n_yes += answer is True

    @property
    def words(self) -> str:
        """'2 of 3', or a dash where nothing was judged."""
        return f"{self.n_yes} of {self.n_judged}" if self.n_judged else NO_DATA


@dataclass
class ModelRow:
    """One model's verdicts on a metric, by profile."""

    model: LanguageModel
    cells: list[SafeString | str] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


@dataclass
class ScenarioRow:
    """One scenario of a metric with its counts by profile."""

    number: int
    title: str
    href: str
    tallies: list[tuple[str, Tally]]


def model_rows(
    request: HttpRequest, version: MetricVersion, verdicts: Sequence[Verdict], profiles: Sequence[Profile]
) -> tuple[list[ModelRow], list[Tally], Tally]:
    """The table of squares, models by name, the counts of each profile, and the counts of everything shown."""
    rows: dict[int, ModelRow] = {}
    squares: dict[tuple[int, int], list[Verdict]] = {}
    totals = {profile.pk: Tally() for profile in profiles}
    everything = Tally()
    for verdict in verdicts:
        if verdict.profile_id not in totals:
            continue
        row = rows.setdefault(verdict.model_id, ModelRow(verdict.model))
        row.tally.add(verdict, version.polarity)
        totals[verdict.profile_id].add(verdict, version.polarity)
        everything.add(verdict, version.polarity)
        squares.setdefault((verdict.model_id, verdict.profile_id), []).append(verdict)
    for model, row in rows.items():
        row.cells = [squares_of(request, version.polarity, squares.get((model, one.pk), [])) for one in profiles]
    in_order = sorted(rows.values(), key=lambda row: (row.model.name.casefold(), row.model.slug))
    return in_order, list(totals.values()), everything


def squares_of(request: HttpRequest, polarity: str | None, verdicts: Iterable[Verdict]) -> SafeString | str:
    """Verdicts as squares (or as the words yes and no, where good and bad are unknown), each leading to its chat."""
    verdicts = list(verdicts)
    if not verdicts:
        return NO_DATA
    if polarity is not None:
        return square_links(polarity, [_square(request, verdict) for verdict in verdicts])
    words = format_html_join(
        " ",
        '<a href="{}">{}<span class="vh">, {}</span></a>',
        ((conversation_path(request, verdict), _present(verdict), _place(verdict)) for verdict in verdicts),
    )
    return format_html('<span class="yes-no">{}</span>', words)


def _square(request: HttpRequest, verdict: Verdict) -> Square:
    outcome = {True: GOOD, False: NOT_GOOD, None: why_none(verdict)}[verdict.passed]
    return Square(conversation_path(request, verdict), verdict.passed, f"{_place(verdict)}: {outcome}")


def _place(verdict: Verdict) -> str:
    conversation = verdict.conversation
    sample = f", sample {conversation.sample}" if conversation.sample > 1 else ""
    return f"{verdict.model.name}, {verdict.profile.name}, scenario {conversation.scenario.base.number}{sample}"


def _present(verdict: Verdict) -> str:
    return {True: "yes", False: "no", None: NO_DATA}[verdict.present]


def why_none(verdict: Verdict) -> str:
    """Why there is no verdict, in words."""
    if verdict.reason:
        return why(verdict.reason)
    return "No verdict" if verdict.has_ended else "This chat was planned but never came to an end"


def conversation_path(request: HttpRequest, verdict: Verdict, **changes: object) -> str:
    """The address of a verdict's conversation, in the same release."""
    return other_page(request, reverse("labels:conversation", args=[verdict.conversation.public_id]), **changes)


def scenario_rows(
    request: HttpRequest, version: MetricVersion, verdicts: Sequence[Verdict], profiles: Sequence[Profile]
) -> list[ScenarioRow]:
    """The scenarios of a metric version by number, each with its counts by profile."""
    tallies: dict[tuple[int, int], Tally] = {}
    for verdict in verdicts:
        number = verdict.conversation.scenario.base.number
        tallies.setdefault((number, verdict.profile_id), Tally()).add(verdict, version.polarity)
    benchmark, local_id = version.metric.benchmark.slug, version.metric.local_id
    rows = []
    for base in version.base_scenarios.all():
        path = reverse("labels:scenario", args=[benchmark, local_id, base.number])
        counted = [(one.name, tallies[base.number, one.pk]) for one in profiles if (base.number, one.pk) in tallies]
        title = base.title or next((one.title for one in base.variants.all() if one.title), "")
        address = other_page(request, path, version=request.GET.get("version"))
        rows.append(ScenarioRow(base.number, title or f"Scenario {base.number}", address, counted))
    return rows


def rubric(version: MetricVersion) -> str:
    """What the judge reads of a metric; empty where the source did not publish a definition."""
    if not version.definition:
        return ""
    return compose_rubric(
        MetricBrief(
            name=version.name,
            polarity="negative" if version.polarity == "negative" else "positive",
            definition=version.definition,
            judge_question=version.judge_question,
            interpretive_clause=version.interpretive_clause,
        )
    )


def pooled_sentence(result: Result | None, n_models: int) -> str:
    """All models together on one metric, with the range and what it leaves out; counts alone where there are few."""
    if result is None or result.pass_rate is None:
        return ""
    who = f"{all_models(n_models)} together" if n_models > 1 else "All chats together"
    if result.n_judged < bands.COUNTS_ONLY_BELOW:
        return f"{who}: {result.n_passed} of {result.n_judged} chats."
    wider = "; the real range is wider, because all chats share the same few scenarios"
    basis = f"n {result.n_judged:,}{wider if result.ci_method == 'wilson' else ''}"
    likely = bands.range_in_100(result.ci_low, result.ci_high)
    few = " Few chats: read the range, not the number." if bands.is_hollow(result.n_judged) else ""
    return f"{who}: {hundred(result.pass_rate)} in 100, likely {likely} ({basis}).{few}"


def judge_words(release: Release | None) -> tuple[str, str]:
    """Who judged, and what is known of it."""
    if release is None:
        return "Nobody yet", ""
    judge = release.judge
    if judge is not None and judge.language_model is not None:
        version = judge.language_model.version
        return judge.language_model.name, f"Version {version}." if version else ""
    if release.is_imported:
        return "One AI model reads the whole chat.", "Which one: not published."
    return "Several AI judges; the majority counts.", ""
