"""Sentences that pages say of results, made from fixed patterns: what was seen, in words anybody reads.

Every pattern has its state: pooled or one model, one kind or both, chosen models, too few chats, no data at all.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from evaluation.models import Polarity
from labels.numbers import Number
from labels.wording import KINDS, in_words

THESE = "these models"


def finding(who: str, pooled: Sequence[Number], *, where: str = "") -> str:
    """What `who` ('these models', 'GPT-5') did, one sentence a kind; `pooled` has at most one number a kind.

    `where` is the place's name as part of the sentence, such as 'Learning'; empty for everything.
    """
    told = [item for item in pooled if item.is_shown]
    if told:
        rest = _then_it if who != THESE else _then_they
        return " ".join([_first(who, told[0], where), *(rest(item) for item in told[1:])])
    counted = [item for item in pooled if item.result.n_judged]
    if counted:
        few = in_words([_counted(item) for item in counted])
        words = {"where": where, "who": _who(who), "few": few}
        if where:
            return _("In %(where)s, %(who)s %(few)s. That is too little for a number of 100.") % words
        return _capital(_("%(who)s %(few)s. That is too little for a number of 100.") % words, who)
    return _("No chat of this selection has a verdict yet.")


def spread(n_models: int, rows: Sequence[Number], *, where: str = "") -> str:
    """What several chosen models did, from the lowest number to the highest, one sentence a kind."""
    sentences: list[str] = []
    for polarity in KINDS:
        numbers = [int(row.text) for row in rows if row.result.polarity == polarity and row.can_be_compared]
        if len(numbers) > 1:
            sentences.append(_spread(n_models, polarity, min(numbers), max(numbers), "" if sentences else where))
    return " ".join(sentences) or _("The numbers of these models are listed below.")


def how_sure(pooled: Sequence[Number], who: str) -> str:
    """The small line below a finding: whose chats, the range and how many chats there were."""
    return ". ".join([who, *(_sure(item) for item in pooled)]) + "."


def all_models(n: int) -> str:
    """'Both models' or 'All 16 models'."""
    return _("Both models") if n == 2 else _("All %(n)s models") % {"n": n}


def _first(who: str, item: Number, where: str) -> str:
    words = {"where": where, "who": _who(who), "n": item.text}
    good = item.result.polarity == Polarity.POSITIVE
    if where and good:
        return _("In %(where)s, %(who)s did the helpful thing in about %(n)s of 100 chats.") % words
    if where:
        return _("In %(where)s, %(who)s kept clear of the harmful thing in about %(n)s of 100 chats.") % words
    if good:
        return _capital(_("%(who)s did the helpful thing in about %(n)s of 100 chats.") % words, who)
    return _capital(_("%(who)s kept clear of the harmful thing in about %(n)s of 100 chats.") % words, who)


def _then_they(item: Number) -> str:
    if item.result.polarity == Polarity.POSITIVE:
        return _("They did the helpful thing in about %(n)s of 100.") % {"n": item.text}
    return _("They kept clear of the harmful thing in about %(n)s of 100.") % {"n": item.text}


def _then_it(item: Number) -> str:
    if item.result.polarity == Polarity.POSITIVE:
        return _("It did the helpful thing in about %(n)s of 100.") % {"n": item.text}
    return _("It kept clear of the harmful thing in about %(n)s of 100.") % {"n": item.text}


def _counted(item: Number) -> str:
    if item.result.polarity == Polarity.POSITIVE:
        return _("did the helpful thing in %(counts)s chats") % {"counts": item.counts}
    return _("kept clear of the harmful thing in %(counts)s chats") % {"counts": item.counts}


def _spread(n_models: int, polarity: str, low: int, high: int, where: str) -> str:
    words = {"where": where, "models": n_models, "amount": _amount(low, high)}
    good = polarity == Polarity.POSITIVE
    if where and good:
        return _("In %(where)s, these %(models)s models did the helpful thing in %(amount)s of 100 chats.") % words
    if where:
        return (
            _("In %(where)s, these %(models)s models kept clear of the harmful thing in %(amount)s of 100 chats.")
            % words
        )
    if good:
        return _("These %(models)s models did the helpful thing in %(amount)s of 100 chats.") % words
    return _("These %(models)s models kept clear of the harmful thing in %(amount)s of 100 chats.") % words


def _amount(low: int, high: int) -> str:
    if low == high:
        return _("about %(n)s") % {"n": low}
    return _("between %(low)s and %(high)s") % {"low": low, "high": high}


def _sure(item: Number) -> str:
    kind = KINDS[item.result.polarity].name
    if item.range:
        words = {"kind": kind, "range": item.range, "n": f"{item.result.n_judged:,}"}
        said = _("%(kind)s: likely %(range)s (n %(n)s)") % words
    else:
        said = _("%(kind)s: %(counts)s chats") % {"kind": kind, "counts": item.counts}
    return f"{said}, {item.why}" if item.is_partial and item.why else said


def _who(who: str) -> str:
    return _("these models") if who == THESE else who


def _capital(sentence: str, who: str) -> str:
    """The sentence with a capital, unless it begins with a model's own name."""
    return sentence[:1].upper() + sentence[1:] if who == THESE else sentence
