"""Reading the body of a request: JSON of a bounded size, once, whatever somebody sent."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

UNREADABLE = "The body is not JSON that can be read."


class TooLarge(APIException):
    """A body that is larger than is read."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def __init__(self) -> None:
        super().__init__(f"The body is larger than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20} MB. Send less.")


class BoundedJson(BaseParser):
    """JSON in UTF-8 of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes; the framework's own parser has no bound."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002  (the framework's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002  (as above)
    ) -> Any:
        """What the body holds. Raises ParseError or TooLarge."""
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        content = stream.read(most + 1)
        if len(content) > most:
            raise TooLarge
        try:
            return json.loads(content.decode("utf-8"), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ParseError(UNREADABLE) from error


def _refuse(word: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(word)
