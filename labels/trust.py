"""How far a metric can be trusted: fixed facts, each with what it means, 'Not checked yet' where nothing is.

What studies find comes in by `labels.studied`, and nowhere else.
"""

from dataclasses import dataclass, field

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.models import JudgeConfiguration, MetricVersion, Release
from labels.methodology import STATUS_MEANINGS
from labels.studied import Contested, Finding, Studied, StudyLink, studied
from labels.transcripts import visible
from labels.wording import NOT_CHECKED

STATUSES = {
    "draft": gettext_lazy("Not measured yet"),
    "machine-judged": gettext_lazy("Machine-judged"),
    "expert-reviewed": gettext_lazy("Expert-reviewed"),
    "disputed": gettext_lazy("Disputed"),
    "retired": gettext_lazy("Retired"),
}
STATUS_CLASSES = {
    "draft": "draft",
    "machine-judged": "judged",
    "expert-reviewed": "reviewed",
    "disputed": "disputed",
    "retired": "retired",
}


@dataclass(frozen=True)
class Fact:
    """One line of the panel: its name, what is known, more of it in small, and what it means."""

    name: str
    value: str
    detail: str
    meaning: str
    study: StudyLink | None = None


@dataclass(frozen=True)
class TrustPanel:
    """The status and the facts, always all of them and in this order."""

    status: str
    status_class: str
    status_meaning: str
    facts: list[Fact]
    studies: list[StudyLink] = field(default_factory=list)
    contested: list[Contested] = field(default_factory=list)


def trust_panel(version: MetricVersion, release: Release | None) -> TrustPanel:
    """The panel of a metric version; `release` is None where no shown release has measured it.

    One query for studies, and at most one for the judges of a release that has several.
    """
    found = studied(version, release)
    return TrustPanel(
        status=str(STATUSES[version.status]),
        status_class=STATUS_CLASSES[version.status],
        status_meaning=str(STATUS_MEANINGS[version.status]),
        facts=[_judge(release), *_approval(version), *_studied(found)],
        studies=found.studies,
        contested=found.contested,
    )


def _judge(release: Release | None) -> Fact:
    meaning = _("Who read every chat and said whether the behaviour was there.")
    if release is None:
        return Fact(_("Judge"), _("Nobody yet"), "", meaning)
    judges = [release.judge] if release.judge else _judges(release)
    named = [judge for judge in judges if judge.language_model]
    if not named:
        return Fact(_("Judge"), _("One AI model reads the whole chat."), _("Which one: not published."), meaning)
    value = ", ".join(visible(judge.language_model.name) for judge in named if judge.language_model)
    details = [_judge_detail(judge) for judge in named]
    if len(named) > 1:
        details.append(_("The majority counts."))
    return Fact(_("Judge"), value, " ".join(details), meaning)


def _judges(release: Release) -> list[JudgeConfiguration]:
    found = JudgeConfiguration.objects.filter(runs__releases=release).select_related("language_model")
    return list(found.distinct().order_by("slug"))


def _judge_detail(judge: JudgeConfiguration) -> str:
    version = visible(judge.language_model.version) if judge.language_model else ""
    parts = [
        _("Version %(version)s.") % {"version": version} if version else _("Version: not published."),
        _("Prompt %(hash)s.") % {"hash": judge.prompt_hash[:12]} if judge.prompt_hash else _("Prompt: not published."),
    ]
    return " ".join(parts)


def _approval(version: MetricVersion) -> list[Fact]:
    if not version.n_reviewers:
        return []
    people = ngettext("By %(n)s person", "By %(n)s people", version.n_reviewers) % {"n": version.n_reviewers}
    on = date_format(version.approved_at, "j F Y") if version.approved_at else ""
    detail = _("Approved on %(date)s.") % {"date": on} if on else ""
    return [Fact(_("Text reviewed before approval"), people, detail, _("Who read the words before any test."))]


def _studied(found: Studied) -> list[Fact]:
    reviewed = date_format(found.last_reviewed, "j F Y") if found.last_reviewed else _("Never")
    return [
        _fact(
            _("Same verdict when asked again"), found.repeatability,
            _("How often the judge says the same when it reads a chat a second time."),
        ),
        _fact(
            _("People agree with the judge"), found.human_agreement,
            _("How often people who read the same chats came to the judge’s verdict."),
        ),
        _fact(
            _("Scenarios are realistic"), found.realism,
            _("Whether reviewers think that real people would talk like this."),
        ),
        _fact(
            _("Scenarios test the metric"), found.accuracy,
            _("Whether reviewers think that the chats test what the metric says."),
        ),
        _fact(
            _("Fits its subarea"), found.relevance,
            _("How well reviewers think the metric fits its place, from 1 to 4."),
        ),
        Fact(
            _("Verdicts last reviewed by people"), reviewed, "",
            _("When people last checked verdicts of this metric."),
        ),
    ]  # fmt: skip


def _fact(name: str, finding: Finding | None, meaning: str) -> Fact:
    if finding is None:
        return Fact(name, str(NOT_CHECKED), "", meaning)
    return Fact(name, finding.value, finding.detail, meaning, finding.study)
