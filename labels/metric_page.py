"""Puts together what a metric's page and a scenario's page show: the squares, the counts and the scenarios."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.engine.judge import compose_rubric
from evaluation.engine.types import MetricBrief
from evaluation.models import LanguageModel, MetricVersion, Profile, Result, Verdict
from labels import bands
from labels.addresses import other_page
from labels.charts.strips import Square, square_links
from labels.queries import VerdictCount
from labels.reasons import why
from labels.sentences import all_models
from labels.transcripts import visible
from labels.wording import NO_DATA, hundred, part_of

# So many squares stand for a model and a profile; the pages of the scenarios have all of them.
MOST_SQUARES = 12
SCENARIOS = "#scn"
GOOD, NOT_GOOD = gettext_lazy("Good outcome"), gettext_lazy("Not a good outcome")


@dataclass
class Tally:
    """Verdicts counted: good outcomes (or, where good and bad are unknown, behaviour present) of those judged."""

    n_yes: int = 0
    n_judged: int = 0
    n: int = 0

    def add(self, counted: VerdictCount) -> None:
        self.n += counted.n
        self.n_judged += counted.n_judged
        self.n_yes += counted.n_yes

    @property
    def words(self) -> str:
        """'2 of 3', or a dash where nothing was judged."""
        return part_of(self.n_yes, self.n_judged) if self.n_judged else NO_DATA


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
    request: HttpRequest,
    version: MetricVersion,
    verdicts: Sequence[Verdict],
    counts: Iterable[VerdictCount],
    profiles: Sequence[Profile],
    came: str | None = None,
) -> tuple[list[ModelRow], list[Tally], Tally]:
    """The table of squares, models by name, the counts of each profile, and the counts of everything shown.

    `verdicts` become squares, the first of each model and profile at least; `counts` count all that are meant.
    `came` tells the conversations which list they are opened from.
    """
    rows: dict[int, ModelRow] = {}
    squares: dict[tuple[int, int], list[Verdict]] = {}
    totals = {profile.pk: Tally() for profile in profiles}
    everything = Tally()
    for verdict in verdicts:
        if verdict.profile_id not in totals:
            continue
        rows.setdefault(verdict.model_id, ModelRow(verdict.model))
        squares.setdefault((verdict.model_id, verdict.profile_id), []).append(verdict)
    for counted in counts:
        if counted.model in rows and counted.profile in totals:
            for tally in (rows[counted.model].tally, totals[counted.profile], everything):
                tally.add(counted)
    for model, row in rows.items():
        row.cells = [squares_of(request, version.polarity, squares.get((model, one.pk), []), came) for one in profiles]
    in_order = sorted(rows.values(), key=lambda row: (row.model.name.casefold(), row.model.slug))
    return in_order, list(totals.values()), everything


def squares_of(
    request: HttpRequest,
    polarity: str | None,
    verdicts: Sequence[Verdict],
    came: str | None = None,
    *,
    rest: str = SCENARIOS,
) -> SafeString | str:
    """Verdicts as squares (or as the words yes and no, where good and bad are unknown), each leading to its chat.

    Where they are the first of more (`queries.first_of_each`), a link to `rest` says how many more there are.
    """
    if not verdicts:
        return NO_DATA
    shown = _marks(request, polarity, verdicts, came)
    n_more = getattr(verdicts[0], "n_of_cell", 0) - len(verdicts)
    if n_more <= 0:
        return shown
    words = ngettext("and %(n)s more chat", "and %(n)s more chats", n_more) % {"n": f"{n_more:,}"}
    return format_html('{} <a class="sm" href="{}">{}</a>', shown, rest, words)


def _marks(request: HttpRequest, polarity: str | None, verdicts: Sequence[Verdict], came: str | None) -> SafeString:
    if polarity is not None:
        return square_links(polarity, [_square(request, verdict, came) for verdict in verdicts])
    words = format_html_join(
        " ",
        '<a href="{}">{}<span class="vh">, {}</span></a>',
        (
            (conversation_path(request, verdict, **_came(came)), _present(verdict), _place(verdict))
            for verdict in verdicts
        ),
    )
    return format_html('<span class="yes-no">{}</span>', words)


def _square(request: HttpRequest, verdict: Verdict, came: str | None) -> Square:
    path = conversation_path(request, verdict, **_came(came))
    return Square(path, verdict.passed, f"{_place(verdict)}: {outcome_words(verdict)}")


def _came(came: str | None) -> dict[str, object]:
    return {"from": came} if came else {}


def outcome_words(verdict: Verdict) -> str:
    """The verdict in words; without one, why there is none."""
    return {True: str(GOOD), False: str(NOT_GOOD), None: ""}[verdict.passed] or why_none(verdict)


def _place(verdict: Verdict) -> str:
    conversation = verdict.conversation
    words = {
        "model": visible(verdict.model.name),
        "profile": verdict.profile.name,
        "number": conversation.scenario.base.number,
        "sample": conversation.sample,
    }
    if conversation.sample > 1:
        return _("%(model)s, %(profile)s, scenario %(number)s, sample %(sample)s") % words
    return _("%(model)s, %(profile)s, scenario %(number)s") % words


def _present(verdict: Verdict) -> str:
    return {True: _("yes"), False: _("no"), None: NO_DATA}[verdict.present]


def why_none(verdict: Verdict) -> str:
    """Why there is no verdict, in words."""
    if verdict.reason:
        return why(verdict.reason)
    return _("No verdict") if verdict.has_ended else _("This chat was planned but never came to an end")


def conversation_path(request: HttpRequest, verdict: Verdict, **changes: object) -> str:
    """The address of a verdict's conversation, in the same release and among the same models."""
    path = reverse("labels:conversation", args=[verdict.conversation.public_id])
    return other_page(request, path, **{"m": chosen_models(request), **changes})


def chosen_models(request: HttpRequest) -> str:
    """The slugs in `m`, as an address has them; '' for all models."""
    return ",".join(part for part in request.GET.getlist("m") if part)


def scenario_rows(
    request: HttpRequest, version: MetricVersion, counts: Iterable[VerdictCount], profiles: Sequence[Profile]
) -> list[ScenarioRow]:
    """The scenarios of a metric version by number, each with its counts by profile."""
    tallies: dict[tuple[int, int], Tally] = {}
    for counted in counts:
        tallies.setdefault((counted.number, counted.profile), Tally()).add(counted)
    benchmark, local_id = version.metric.benchmark.slug, version.metric.local_id
    rows = []
    for base in version.base_scenarios.all():
        path = reverse("labels:scenario", args=[benchmark, local_id, base.number])
        said = [(one.name, tallies[base.number, one.pk]) for one in profiles if (base.number, one.pk) in tallies]
        title = base.title or next((one.title for one in base.variants.all() if one.title), "")
        address = other_page(request, path, version=request.GET.get("version"))
        rows.append(ScenarioRow(base.number, title or scenario_name(base.number), address, said))
    return rows


def scenario_name(number: int) -> str:
    """What a scenario without a title is called."""
    return _("Scenario %(number)s") % {"number": number}


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
    who = all_models(n_models) if n_models > 1 else _("All chats")
    words = {"who": who, "passed": result.n_passed, "n": f"{result.n_judged:,}"}
    if result.n_judged < bands.COUNTS_ONLY_BELOW:
        return _("%(who)s together: %(passed)s of %(n)s chats.") % words
    words |= {"rate": hundred(result.pass_rate), "range": bands.range_in_100(result.ci_low, result.ci_high)}
    said = _("%(who)s together: %(rate)s in 100, likely %(range)s (n %(n)s).") % words
    if result.ci_method == "wilson":
        said += " " + _("The real range is wider, because all chats share the same few scenarios.")
    if bands.is_hollow(result.n_judged):
        said += " " + _("Few chats: read the range, not the number.")
    return said
