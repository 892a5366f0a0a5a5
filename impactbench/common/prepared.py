"""Queries that many programs ask again and again: composed once by Django, planned once by each connection.

For rows of a few columns, composing its SQL takes Django several times longer than PostgreSQL needs to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import psycopg
from django.db import OperationalError, connection
from django.db.models import Expression, Q, QuerySet

# Sets of filters, orders and sizes; one that was not asked for long is composed again.
MOST_STATEMENTS = 256
IN = "__in"


class Given(Expression):
    """Stands in a query for a value that comes with each asking."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, *_: Any) -> tuple[str, Any]:
        """A place for the value; `Statement` finds it by this object among the parameters."""
        return "%s", [self]


@dataclass(frozen=True)
class PreparedRows:
    """Rows as `queryset.values(...)` gives them, narrowed, ordered and cut like a queryset.

    `given` are the values of every `Given` that stands in the queryset. A queryset is recognized by its identity: keep
    it in a module, or remember it.
    """

    queryset: QuerySet[Any, Any]
    given: tuple[tuple[str, Any], ...] = ()
    choices: tuple[tuple[str, Hashable], ...] = ()
    lookups: tuple[tuple[str, Any], ...] = ()
    order: tuple[str, ...] = ()

    def choose(self, **choices: Hashable) -> PreparedRows:
        """The rows with these values, each out of a few: the database plans for each of them apart.

        For columns where some values are frequent and others rare: no single plan is good for both.
        """
        return replace(self, choices=(*self.choices, *choices.items()))

    def filter(self, **lookups: Any) -> PreparedRows:
        """The rows of which this is true as well, as of querysets; for `name__in` a tuple with a value at least."""
        return replace(self, lookups=(*self.lookups, *lookups.items()))

    def order_by(self, *columns: str) -> PreparedRows:
        """The rows in another order."""
        return replace(self, order=columns)

    def first(self) -> dict[str, Any] | None:
        """The first row in this order."""
        return next(iter(self[:1]), None)

    def iterator(self, by: str, chunk_size: int) -> Iterator[dict[str, Any]]:
        """All rows in the order of a column that is unique among them, so many in memory at a time."""
        in_order = self.order_by(by)
        rows = in_order[:chunk_size]
        while rows:
            yield from rows
            rows = in_order.filter(**{f"{by}__gt": rows[-1][by]})[:chunk_size] if len(rows) == chunk_size else []

    def __getitem__(self, part: slice) -> list[dict[str, Any]]:
        """The rows at these places, asked for now."""
        shapes = tuple((name, _shape(name, value)) for name, value in self.lookups)
        statement = _statement(self.queryset, self.choices, shapes, self.order, part.start, part.stop)
        return statement.rows(dict(self.given) | _values(self.lookups))


@dataclass(frozen=True)
class Statement:
    """SQL whose parameters are constants or a `Given`, and how its rows become dictionaries."""

    sql: str
    parameters: tuple[Any, ...]
    columns: tuple[str, ...]
    # By place, with their expressions; of columns whose value in Python is not what the driver gives.
    converters: Mapping[int, tuple[list[Callable[..., Any]], Any]]

    def rows(self, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What the database answers now."""
        parameters = [given[one.name] if isinstance(one, Given) else one for one in self.parameters]
        connection.ensure_connection()
        try:
            found = self._ask(parameters)
        except OperationalError:
            # The database has started again since this thread asked last; a question may be asked twice.
            if connection.in_atomic_block or not connection.connection.closed:
                raise
            connection.close()
            connection.ensure_connection()
            found = self._ask(parameters)
        if self.converters:
            found = [self._converted(list(row)) for row in found]
        return [dict(zip(self.columns, row, strict=True)) for row in found]

    def _ask(self, parameters: list[Any]) -> list[Any]:
        # Django's own cursor puts the values into the text of the query, and so no plan could be kept.
        cursor = psycopg.Cursor(connection.connection)
        wrap = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
        with wrap(cursor) as wrapped:  # type: ignore[arg-type]
            wrapped.execute(self.sql, parameters)
            return wrapped.fetchall()

    def _converted(self, row: list[Any]) -> Any:
        for place, (converters, expression) in self.converters.items():
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        return row


@lru_cache(MOST_STATEMENTS)
def _statement(
    queryset: QuerySet[Any, Any],
    choices: tuple[tuple[str, Hashable], ...],
    shapes: tuple[tuple[str, Hashable], ...],
    order: tuple[str, ...],
    start: int | None,
    stop: int | None,
) -> Statement:
    conditions = [_condition(place, name, shape) for place, (name, shape) in enumerate(shapes)]
    query = queryset.filter(*conditions, **dict(choices)).order_by(*order)[start:stop].query
    compiler = query.get_compiler(connection=connection)
    sql, parameters = compiler.as_sql()
    expressions = [column[0] for column in compiler.select or ()]
    return Statement(sql, tuple(parameters), tuple(query.selected or ()), compiler.get_converters(expressions))


def _shape(name: str, value: Any) -> Hashable:
    """What of a value decides how the query reads."""
    return len(value) if name.endswith(IN) else value is None


def _condition(place: int, name: str, shape: Any) -> Q:
    if name.endswith(IN):
        # Fields of relations take no expression inside of a list.
        return reduce(or_, (Q((name.removesuffix(IN), Given(f"{place}.{n}"))) for n in range(shape)))
    return Q((name, None if shape else Given(f"{place}")))


def _values(lookups: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for place, (name, value) in enumerate(lookups):
        values |= {f"{place}.{n}": one for n, one in enumerate(value)} if name.endswith(IN) else {f"{place}": value}
    return values
