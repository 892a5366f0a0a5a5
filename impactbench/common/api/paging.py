"""Cursor pages: `{"next", "previous", "results"}`, in an order that never changes."""

import re
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from impactbench.common.api.parameters import CURSOR, PAGE_SIZE
from impactbench.common.api.problems import BadQuery, quoted

NUMBER = re.compile(r"[0-9]{1,18}")
BAD_CURSOR = {CURSOR.name: "The cursor is not one that this address gave out; begin without it."}


class CursorPages(CursorPagination):
    """Pages ordered by the view's `ordering`, a unique column: nothing is lost or doubled between pages.

    The links of a page hold what the view's `page_query` says, so that what is published meanwhile does not change what
    follows.
    """

    page_size = 100
    max_page_size = 1000
    page_size_query_param = PAGE_SIZE.name
    template = None

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: Any = None
    ) -> list[Any] | None:
        self.ordering = view.ordering
        page = super().paginate_queryset(queryset, request, view)
        self.base_url = _address_of_pages(request, view)
        return page

    def get_page_size(self, request: Request) -> int:
        """The size asked for. Raises BadQuery for anything but a whole number from 1 to the largest size."""
        text = request.query_params.get(PAGE_SIZE.name, str(self.page_size))
        size = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0
        if not 1 <= size <= self.max_page_size:
            known = f"The parameter page_size must be a whole number from 1 to {self.max_page_size}"
            raise BadQuery({PAGE_SIZE.name: f"{known}, not {quoted(text)}."})
        return size

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of the query. Raises BadQuery where it was made up: its place must be one the column can have."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise BadQuery(BAD_CURSOR) from error
        if cursor is None or cursor.position is None:
            return cursor
        position, is_number = str(cursor.position), tuple(self.ordering) != ("slug",)
        if "\x00" in position or (is_number and not NUMBER.fullmatch(position)):
            raise BadQuery(BAD_CURSOR)
        return cursor

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }


class RowPages(CursorPages):
    """The same pages of rows that were computed and stand in an order of their own: a cursor is a place among them."""

    ordering = ("place",)

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: Any = None
    ) -> list[Any] | None:
        size = self.get_page_size(request)
        cursor = self.decode_cursor(request)
        first = int(cursor.position or 0) if cursor else 0
        rows = list(queryset)
        self.base_url = _address_of_pages(request, view)
        self._previous = max(first - size, 0) if first > 0 else None
        self._next = first + size if first + size < len(rows) else None
        return rows[first : first + size]

    def get_next_link(self) -> str | None:
        """The address of the page that follows."""
        return self._link(self._next)

    def get_previous_link(self) -> str | None:
        """The address of the page before."""
        return self._link(self._previous)

    def _link(self, place: int | None) -> str | None:
        if place is None:
            return None
        address: str = self.encode_cursor(Cursor(offset=0, reverse=False, position=place))
        return address


def _address_of_pages(request: Request, view: Any) -> str:
    address = _public_address(request)
    for name, value in view.page_query().items():
        address = replace_query_param(address, name, value)
    return address


def _public_address(request: Request) -> str:
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL.rstrip('/')}{request.get_full_path()}"
    return request.build_absolute_uri()
