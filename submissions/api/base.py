"""What the API's addresses for authors and editors share: refusals of the services become problems."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from impactbench.accounts.api.base import PrivateView
from impactbench.common.errors import DomainError
from submissions.api.refusals import refused


class PortalView(PrivateView):
    """A private address that acts by the services of the portal."""

    def handle_exception(self, exc: Exception) -> Any:
        return super().handle_exception(refused(exc) if isinstance(exc, DomainError) else exc)

    def checked(self, serializer_class: Any) -> dict[str, Any]:
        """The body, checked. Raises ValidationError, or ParseError for one that cannot be read."""
        serializer = serializer_class(data=self.request.data)
        serializer.is_valid(raise_exception=True)
        values: dict[str, Any] = serializer.validated_data
        return values

    def answer(self, serializer_class: Any, item: Any, status: int = 200, location: str = "") -> Response:
        """The item, and where it is found."""
        data = serializer_class(item, context={"request": self.request}).data
        return Response(data, status=status, headers={"Location": location} if location else None)
