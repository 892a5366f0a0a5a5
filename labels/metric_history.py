"""The versions of a metric that were ever shown: their dates, and what changed field by field."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import MetricVersion, Scenario
from labels import exploring
from labels.addresses import other_page
from labels.wording import KINDS

FIELDS = {
    "name": gettext_lazy("Name"),
    "plain_name": gettext_lazy("Name in plain words"),
    "plain_definition": gettext_lazy("Meaning in plain words"),
    "definition": gettext_lazy("The behaviour"),
    "polarity": gettext_lazy("Good or bad"),
    "judge_question": gettext_lazy("Question to the judge"),
    "interpretive_clause": gettext_lazy("Hard cases"),
    "examples_present": gettext_lazy("Examples of the behaviour"),
    "examples_absent": gettext_lazy("Examples without it"),
    "rationale": gettext_lazy("Why it matters"),
    "citations": gettext_lazy("Sources"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One field that reads differently than in the version before."""

    field: str | Promise
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One version; `is_shown` when the page is about it."""

    version: MetricVersion
    at: datetime
    href: str
    is_shown: bool
    changes: list[Change]


def history(request: HttpRequest, shown: MetricVersion, versions: list[MetricVersion]) -> list[Entry]:
    """The versions, given by number, newest first and each compared with the one before."""
    scenarios = _scenario_texts(versions) if len(versions) > 1 else {}
    path = exploring.metric_path(shown)
    entries = []
    for before, version in zip([None, *versions], versions, strict=False):
        entries.append(
            Entry(
                version=version,
                at=version.published_at or version.created_at,
                href=other_page(request, path, version=str(version.number)),
                is_shown=version.pk == shown.pk,
                changes=_changes(before, version, scenarios) if before else [],
            )
        )
    return entries[::-1]


def _changes(before: MetricVersion, after: MetricVersion, scenarios: dict[int, str]) -> list[Change]:
    pairs: list[tuple[str | Promise, str, str]] = [
        (name, _text(before, column), _text(after, column)) for column, name in FIELDS.items()
    ]
    pairs.append((_("Scenarios"), scenarios.get(before.pk, ""), scenarios.get(after.pk, "")))
    return [Change(name, old, new) for name, old, new in pairs if old != new]


def _text(version: MetricVersion, column: str) -> str:
    value = getattr(version, column)
    if column == "polarity":
        return str(KINDS[value].name) if value in KINDS else ""
    return "\n\n".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _scenario_texts(versions: Iterable[MetricVersion]) -> dict[int, str]:
    """What the simulated user is told, all scenarios of a version in one text, by the version's key."""
    rows = Scenario.objects.filter(base__metric_version__in=list(versions)).select_related("base", "profile")
    found: dict[int, list[str]] = {}
    for row in rows.order_by("base__number", "profile__order", "profile__slug"):
        turns = [
            _("Turn %(turn)s: %(words)s") % {"turn": anchor["turn"], "words": anchor["objective"]}
            for anchor in row.anchors
        ]
        head = _("Scenario %(number)s, %(profile)s") % {"number": row.base.number, "profile": row.profile.name}
        parts = [head, row.persona, row.base.goal, *turns,
                 row.target_system_prompt]  # fmt: skip
        found.setdefault(row.base.metric_version_id, []).append("\n".join(part for part in parts if part))
    return {key: "\n\n".join(texts) for key, texts in found.items()}
