"""Questions and answers of studies as public pages say them: never a bare pass or fail."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Study
from evaluation.studies import forms
from evaluation.studies.kinds import KINDS, SCENARIO
from evaluation.studies.questions import Option, Question
from labels.transcripts import visible

_QUESTIONS: dict[str, str | Promise] = {"outcome": gettext_lazy("Was the outcome good?")}
_ANSWERS: dict[str, str | Promise] = {
    forms.PASS: gettext_lazy("Good outcome"),
    forms.FAIL: gettext_lazy("Bad outcome"),
    forms.BORDERLINE: gettext_lazy("On the border, or not sure"),
    forms.AGREE: gettext_lazy("Agrees"),
    forms.DISAGREE: gettext_lazy("Disagrees"),
    forms.UNSURE: gettext_lazy("Not sure"),
    forms.YES: gettext_lazy("Yes"),
    forms.NO: gettext_lazy("No"),
    forms.NOT_SURE: gettext_lazy("Not sure"),
}


def question_words(question: Question) -> str:
    """The question as a heading."""
    return str(_QUESTIONS.get(question.key) or _(question.words))


def option_words(option: Option) -> str:
    """An answer that could be chosen; the bare mark where a scale has no word for it."""
    return str(_ANSWERS.get(option.value) or (_(option.words) if option.words else option.value))


def material_words(study: Study, *, became_public: bool) -> str:
    """What a study of runs looked at, and whether raters could have found it elsewhere."""
    kind = KINDS[study.kind]
    if kind.unit == SCENARIO:
        return _("Scenarios of metrics. No conversation was shown.")
    if not kind.by_people:
        return _("Conversations of runs, which models read or held again.")
    if study.is_public_material:
        return _("Conversations that anybody can read. The raters declared not to have looked them up.")
    if became_public:
        return _(
            "Conversations that became public before the study was closed. "
            "Raters who came after that declared not to have looked them up."
        )
    return _("Conversations that were not public when people rated them.")


def knowledge_words(analysis: Mapping[str, Any]) -> str:
    """What raters said to know of results that were published while they rated; '' where nothing was."""
    told = analysis.get("knowledge", {})
    if not told.get("became_public"):
        return ""
    return _(
        "While people rated, results of these conversations were published. Raters who had not finished were asked "
        "what they knew: %(nothing)s had seen nothing, %(averages)s results but of no conversation that they rate, "
        "and %(conversations)s results of conversations that they rate."
    ) % dict(told["declared"])


def split_words(counts: Mapping[str, int]) -> str:
    """'Good outcome: 2, Bad outcome: 1'; '' where the split is not published."""
    return ", ".join(f"{_ANSWERS.get(answer, visible(answer))}: {n}" for answer, n in counts.items())
