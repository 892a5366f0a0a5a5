"""The orders that models may stand in, and the groups in which they are shown: never a rank, never a winner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.models import LanguageModel
from labels.differences import Place
from labels.numbers import Number

NAME, NUMBER = "name", "number"
# `sort`: what it is called. Numbers stand from high to low.
SORTS = {
    NAME: gettext_lazy("Model"),
    NUMBER: gettext_lazy("In 100"),
    "low": gettext_lazy("Low"),
    "high": gettext_lazy("High"),
    "good": gettext_lazy("Good outcomes"),
    "chats": gettext_lazy("Chats judged"),
    "metrics": gettext_lazy("Metrics"),
}
_VALUES: dict[str, Callable[[Number], float | None]] = {
    NUMBER: lambda number: number.result.pass_rate if number.is_shown else None,
    "low": lambda number: number.result.ci_low if number.is_shown else None,
    "high": lambda number: number.result.ci_high if number.is_shown else None,
    "good": lambda number: number.result.n_passed,
    "chats": lambda number: number.result.n_judged,
    "metrics": lambda number: number.result.n_metrics,
}


@dataclass(frozen=True)
class Row:
    """One model's number of one kind, and its place among the others where it has one."""

    model: LanguageModel
    number: Number
    place: Place | None = None

    @property
    def model_path(self) -> str:
        """The address of the model's label."""
        return f"/labels/{self.model.slug}/"

    @property
    def has_place(self) -> bool:
        """Whether it is tested enough to stand in an order."""
        return self.number.can_be_compared

    @property
    def ranks(self) -> str:
        """'2–5', or why the model has no range of ranks."""
        if self.place is None:
            return _("not compared")
        return self.place.ranks or self.place.why or _("not compared")


@dataclass(frozen=True)
class RowGroup:
    """Rows that stand together; `words` are said below them, `is_tie` draws a bracket beside them."""

    rows: list[Row]
    words: str = ""
    is_tie: bool = False


def read_sort(request: HttpRequest, notices: list[str]) -> str:
    """The order that the address asks for; an unknown one is ignored with a notice."""
    value = request.GET.get("sort", NAME) or NAME
    if value in SORTS:
        return value
    notices.append(_("“%(value)s” is not known here as sort, so it was ignored.") % {"value": value})
    return NAME


def by_name(models: Iterable[LanguageModel]) -> list[LanguageModel]:
    """The order that models are listed in unless a reader asks for another."""
    return sorted(models, key=lambda model: (model.name.casefold(), model.slug))


def row_groups(rows: Sequence[Row], sort: str) -> list[RowGroup]:
    """The rows (by name when they come) in their order and groups: those outside any order always stand last."""
    placed = [row for row in rows if row.has_place]
    outside = [row for row in rows if not row.has_place]
    groups = _by_number(placed) if sort == NUMBER else [RowGroup(_sorted(placed, sort))]
    if outside and placed:
        groups.append(RowGroup(_sorted(outside, sort), _("Not tested enough: shown, not placed in the order.")))
    elif outside:
        groups = [RowGroup(_sorted(outside, sort))]
    return [group for group in groups if group.rows]


def _sorted(rows: list[Row], sort: str) -> list[Row]:
    """From high to low, what has no such number last; equal ones stay by name."""
    value = _VALUES.get(sort)
    if value is None:
        return rows
    pairs = [(value(row.number), row) for row in rows]
    known = sorted((pair for pair in pairs if pair[0] is not None), key=lambda pair: -(pair[0] or 0))
    return [row for _value, row in known] + [row for found, row in pairs if found is None]


def _by_number(rows: list[Row]) -> list[RowGroup]:
    """From high to low, bracketed: a group holds the models that can't be told apart from its first."""
    numbers = sorted({row.place.tie_group for row in rows if row.place and row.place.tie_group is not None})
    if not numbers:
        return [RowGroup(_sorted(rows, NUMBER))]
    groups = []
    for at in numbers:
        members = _sorted([row for row in rows if row.place and row.place.tie_group == at], NUMBER)
        groups.append(RowGroup(members, _tie_words(len(members)), is_tie=len(members) > 1))
    return groups


def _tie_words(n: int) -> str:
    if n == 1:
        return ""
    words = ngettext(
        "The first of these %(n)s can’t be told apart from the other.",
        "The first of these %(n)s can’t be told apart from any of the others.",
        n - 1,
    )
    return words % {"n": n}
