"""What a comparison says in words: one statement a row, and three sentences about the whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import LanguageModel
from labels.differences import Difference, Said
from labels.wording import in_words

if TYPE_CHECKING:
    from labels.comparing import ComparedBlock


@dataclass(frozen=True)
class Pair:
    """Two models and what may be said of a - b."""

    a: LanguageModel
    b: LanguageModel
    difference: Difference

    @property
    def words(self) -> str:
        """'A higher than B', 'Can't tell apart', 'Not enough data: few chats'."""
        words = self.difference.words(self.a.name, self.b.name)
        why = self.difference.why
        return _("%(words)s: %(why)s") % {"words": words, "why": why} if why else words


def row_words(models: Sequence[LanguageModel], pairs: Sequence[Pair]) -> str:
    """All pairs of one row as one statement: 'A and B higher than C; can't tell A and B apart'.

    Who is higher comes first, then what is missing, then what cannot be told apart.
    """
    if len(pairs) == 1:
        return pairs[0].words
    if all(pair.difference.said is Said.NOT_COMPARED for pair in pairs):
        return _("Not compared in this release")
    parts = [*_higher(models, pairs), *_missing(models, pairs)]
    tied = [pair for pair in pairs if pair.difference.said is Said.TIED]
    if tied:
        parts.append(_tied(tied, is_everything=len(tied) == len(pairs), is_rest=bool(parts)))
    text = "; ".join(parts)
    starts_with_name = any(text.startswith(model.name) for model in models)
    return text if starts_with_name else text[:1].upper() + text[1:]


def _higher(models: Sequence[LanguageModel], pairs: Sequence[Pair]) -> list[str]:
    """'A and B higher than C', one for each set of models that are lower."""
    below: dict[int, list[str]] = {model.pk: [] for model in models}
    for pair in pairs:
        if pair.difference.said is Said.HIGHER:
            below[pair.a.pk].append(pair.b.name)
        elif pair.difference.said is Said.LOWER:
            below[pair.b.pk].append(pair.a.name)
    grouped: dict[tuple[str, ...], list[str]] = {}
    for model in models:
        if below[model.pk]:
            grouped.setdefault(tuple(below[model.pk]), []).append(model.name)
    most_first = sorted(grouped.items(), key=lambda item: -len(item[0]))
    return [
        _("%(a)s higher than %(b)s") % {"a": in_words(names), "b": in_words(list(lower))} for lower, names in most_first
    ]


def _missing(models: Sequence[LanguageModel], pairs: Sequence[Pair]) -> list[str]:
    """The models that no statement can be made about, and pairs of others that share too little."""
    lacking = [pair for pair in pairs if pair.difference.said is Said.NOT_ENOUGH]
    if not lacking:
        return []
    if len(lacking) == len(pairs):
        reasons = "; ".join(dict.fromkeys(pair.difference.why for pair in lacking))
        return [_("not enough data: %(why)s") % {"why": reasons}]
    alone = [m for m in models if all(pair in lacking for pair in pairs if m.pk in (pair.a.pk, pair.b.pk))]
    names = {model.name for model in alone}
    parts = [_("not enough data on %(names)s") % {"names": in_words([model.name for model in alone])}] if alone else []
    parts += [
        _("not enough data for %(a)s beside %(b)s") % {"a": pair.a.name, "b": pair.b.name}
        for pair in lacking
        if not names & {pair.a.name, pair.b.name}
    ]
    return parts


def _tied(tied: Sequence[Pair], *, is_everything: bool, is_rest: bool) -> str:
    if is_everything:
        return _("can’t tell apart")
    members = list(dict.fromkeys(model.name for pair in tied for model in (pair.a, pair.b)))
    if len(tied) == len(members) * (len(members) - 1) // 2 or not is_rest:
        return _("can’t tell %(names)s apart") % {"names": in_words(members)}
    return _("can’t tell the other pairs apart")


def summary(blocks: Sequence["ComparedBlock"], models: Sequence[LanguageModel]) -> list[str]:
    """Three sentences: what each kind shows over all metrics and row by row, and what "higher" asks for."""
    said = [_of_kind(block, models) for block in blocks]
    return [*said, _("“Higher” is said only where chance alone would rarely do it, after a correction for all pairs.")]


def _of_kind(block: "ComparedBlock", models: Sequence[LanguageModel]) -> str:
    """'Promotes good, all 246 metrics: A higher than B. On 9 rows: ...'"""
    words = {"kind": block.kind.name, "words": _running(block.everything.words, models)}
    whole = _("%(kind)s, all metrics together: %(words)s.") % words
    if not block.n_rows:
        return whole
    rows = ngettext("On the %(n)s row: %(parts)s.", "On the %(n)s rows: %(parts)s.", block.n_rows)
    return f"{whole} {rows % {'n': block.n_rows, 'parts': _of_rows(block, models)}}"


def _running(words: str, models: Sequence[LanguageModel]) -> str:
    """A statement inside a sentence: its own capital falls, a model's name keeps it."""
    return words if any(words.startswith(model.name) for model in models) else words[:1].lower() + words[1:]


def _of_rows(block: "ComparedBlock", models: Sequence[LanguageModel]) -> str:
    """'A higher on 2, B higher on 0; can't tell apart on 4; too little data on 3'"""
    parts = _differing(block, models)
    if block.n_tied:
        parts.append(_("can’t tell apart on %(n)s") % {"n": block.n_tied})
    if block.n_not_enough:
        parts.append(_("too little data on %(n)s") % {"n": block.n_not_enough})
    if block.n_not_compared:
        parts.append(_("not compared on %(n)s") % {"n": block.n_not_compared})
    return "; ".join(parts)


def _differing(block: "ComparedBlock", models: Sequence[LanguageModel]) -> list[str]:
    if len(models) > 2:
        return [_("at least two models differ on %(n)s") % {"n": block.n_differ}]
    counts = [(model.name, block.n_higher(model)) for model in models]
    return [", ".join(_("%(model)s higher on %(n)s") % {"model": name, "n": n} for name, n in counts)]
