"""What experts' labels say of the rates of a release: the judge's own beside the corrected ones, by kind."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.models import CorrectedRates, LanguageModel, Release, Study
from evaluation.services.studies.correcting import NO_LABELS, NOT_ALL_RUNS, UNDECIDED
from evaluation.studies.labels import LEAST_LABELS
from evaluation.study_tables.numbers import estimate_words
from evaluation.study_tables.tables import Table
from evaluation.study_tables.words import kind_words
from labels.studied import StudyLink, study_link
from labels.transcripts import visible

_REASONS: dict[str, str | Promise] = {
    NOT_ALL_RUNS: gettext_lazy("The study drew from a part of these chats only."),
    UNDECIDED: gettext_lazy("The raters saw the verdicts, and not all of their disagreements were decided."),
    NO_LABELS: gettext_lazy("No chat that counts here has a label."),
    f"fewer than {LEAST_LABELS} labels": gettext_lazy("Too few labels: it takes 10"),
    "fewer than 2 metrics have labels": gettext_lazy("Labels of one metric only"),
    "no interval: the labels are all alike": gettext_lazy("the labels are all alike"),
}


@dataclass(frozen=True)
class CorrectedOf:
    """What one study says of one release; `by_model` is None where no single model has enough labels."""

    study: StudyLink
    release: Release
    says: str
    overall: Table | None
    by_model: Table | None
    reason: str


def corrected_for(release: Release) -> list[CorrectedOf]:
    """By study, the newest first. Two queries, one where there is none."""
    return _shown(CorrectedRates.objects.filter(release=release).order_by("-study__published_at", "-pk"))


def corrected_by(study: Study) -> list[CorrectedOf]:
    """By release, the newest first. Two queries, one where there is none."""
    return _shown(CorrectedRates.objects.filter(study=study).order_by("-release__published_at", "-pk"))


def _shown(found: QuerySet[CorrectedRates]) -> list[CorrectedOf]:
    made = list(found.select_related("study", "release"))
    slugs = {row["target"] for one in made for row in one.rates if row["target"]}
    names = dict(LanguageModel.objects.filter(slug__in=slugs).values_list("slug", "name")) if slugs else {}
    return [_one(one, names) for one in made]


def _one(found: CorrectedRates, names: dict[str, str]) -> CorrectedOf:
    # Good behaviour first, as everywhere.
    rates = sorted(found.rates, key=lambda row: row["polarity"] != "positive")
    of_models = [row for row in rates if row["target"]]
    tells = any(row["corrected"]["value"] is not None for row in of_models)
    slug = f"corrected-{found.study.public_id}-{found.release.slug}"
    names_of = {"study": visible(found.study.title), "release": visible(found.release.title)}
    # Two tables of one page never have one name.
    title = _("Rates of %(release)s with the labels of %(study)s") % names_of
    by_model = _("Rates of %(release)s with the labels of %(study)s, by model") % names_of
    return CorrectedOf(
        study=study_link(found),
        release=found.release,
        says=says(found),
        overall=_table(slug, title, [row for row in rates if not row["target"]], names),
        by_model=_table(f"{slug}-models", by_model, of_models, names) if tells else None,
        reason=_reason(found.reason),
    )


def says(found: CorrectedRates) -> str:
    """What the rates rest on, and what has no part in them."""
    labels = ngettext("%(n)s chat has a label.", "%(n)s chats have a label.", found.n_labels) % {"n": found.n_labels}
    settled = ngettext(
        "%(n)s of them was decided after a second look.",
        "%(n)s of them were decided after a second look.",
        found.n_adjudicated,
    ) % {"n": found.n_adjudicated}
    without = ngettext(
        "%(n)s rated chat has none, as nothing was clear: the rates may lean to the clear ones.",
        "%(n)s rated chats have none, as nothing was clear: the rates may lean to the clear ones.",
        found.n_unlabelled,
    ) % {"n": found.n_unlabelled}
    n_unused = found.n_labels - sum(row["labels"] for row in found.rates if not row["target"])
    unused = ngettext(
        "%(n)s of them is not counted: the judge gave no verdict, or the chat is not in this release.",
        "%(n)s of them are not counted: the judge gave no verdict, or the chat is not in this release.",
        n_unused,
    ) % {"n": n_unused}
    told = ((labels, True), (settled, found.n_adjudicated), (unused, n_unused), (without, found.n_unlabelled))
    return " ".join(sentence for sentence, is_said in told if is_said)


def _table(slug: str, title: str, rows: Iterable[dict[str, Any]], names: dict[str, str]) -> Table | None:
    columns = [
        _("Who"),
        _("Kind"),
        _("Good outcomes of 100, says the judge"),
        _("With the experts’ labels"),
        _("Labels"),
        _("Metrics with labels"),
        _("Chats judged"),
    ]
    cells = [_cells(row, names) for row in rows]
    return Table(slug, title, columns, cells) if cells else None


def _cells(row: dict[str, Any], names: dict[str, str]) -> list[str]:
    corrected = {**row["corrected"], "reason": _reason(row["corrected"]["reason"])}
    return [
        visible(names.get(row["target"], row["target"])) if row["target"] else _("All models"),
        kind_words(row["polarity"]),
        estimate_words(row["judge"], is_share=True),
        estimate_words(corrected, is_share=True),
        str(row["labels"]),
        str(row["metrics_labelled"]),
        f"{row['judged']:,}",
    ]


def _reason(reason: str) -> str:
    return str(_REASONS.get(reason, reason))
