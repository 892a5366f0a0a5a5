"""What the addresses of a release share: everybody may read them, and which release they are about."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.permissions import AllowAny

from evaluation.models import Release
from impactbench.common.api.base import ApiView
from impactbench.common.api.paging import CursorPages
from impactbench.common.api.parameters import CURSOR, PAGE_SIZE, Parameter
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.prepared import PreparedRows
from labels.api.parameters import FIELDS, RELEASE
from labels.api.release_choice import chosen_release

# Scripts of any site may read, keep what they read, and ask whether it changed.
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}


class PublicView(ApiView):
    """An address that everybody may read, and nobody changes anything at."""

    http_method_names = ["get", "head", "options"]
    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    def headers_of(self, status: int) -> Mapping[str, str]:
        """What names a release and was found does not change for a minute."""
        may_be_kept = RELEASE.name in self.values and status == 200
        return {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
            "Cache-Control": "public, max-age=60" if may_be_kept else "no-cache",
        }

    def preflight(self) -> Mapping[str, str]:
        return PREFLIGHT


class ReleaseView(PublicView, GenericAPIView):
    """An address that shows a part of one release, the newest unless the query names another."""

    pages_name_the_release = True

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters)

    @cached_property
    def release(self) -> Release | None:
        """The release; None while nothing is published."""
        # The schema is also made by `check --deploy` before there are tables.
        if getattr(self, "swagger_fake_view", False):
            return None
        return chosen_release(self.values.get(RELEASE.name))

    def page_query(self) -> Mapping[str, str]:
        """The release, so that one that is published meanwhile does not change what follows."""
        if self.release is None or not self.pages_name_the_release:
            return {}
        return {RELEASE.name: self.release.slug}

    def items(self, release: Release) -> QuerySet[Any] | PreparedRows:
        """The things of the release that this address shows, by the parameters of the query."""
        raise NotImplementedError

    def get_queryset(self) -> Any:
        return super().get_queryset() if self.release is None else self.items(self.release)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """The serializer with the members that the query asks for. Raises BadQuery for a member that items lack."""
        serializer: Any = super().get_serializer(*args, **kwargs)
        if FIELDS.name in self.values:
            members = getattr(serializer, "child", serializer).fields
            wanted = self.values[FIELDS.name].split(",")
            unknown = [quoted(name) for name in wanted if name not in members]
            if unknown:
                known = ", ".join(members)
                raise BadQuery({FIELDS.name: f"Items have no member {', '.join(unknown)}; they have: {known}."})
            for name in [name for name in members if name not in wanted]:
                del members[name]
        return serializer


class ItemList(ReleaseView, ListAPIView):
    """Cursor pages of things of a release; `ordering` is a unique column."""

    pagination_class = CursorPages
    ordering = "pk"

    def check_empty(self) -> None:
        """Raises BadQuery where a value of the query is the reason that nothing was found, as nothing has it.

        Only asked then: what was found shows that its values are known.
        """

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        if not page:
            self.check_empty()
        return page

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters, FIELDS, CURSOR, PAGE_SIZE)


class ItemDetail(ReleaseView, RetrieveAPIView):
    """One thing of a release, by its slug."""

    lookup_field = "slug"

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters, FIELDS)
