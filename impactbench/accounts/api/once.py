"""`Idempotency-Key`: what makes something makes it once, however often a program asks that got no answer.

What is made and what is told of it are kept together or not at all, so a process that dies leaves nothing half done.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ParseError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from impactbench.accounts.models import KeptAnswer
from impactbench.common import locking
from impactbench.common.api.parsing import UNREADABLE
from impactbench.common.api.problems import Refused

HEADER = "Idempotency-Key"
KEPT_HOURS = 24
_KEY = re.compile(r"[!-~]{1,255}")
_CHUNK = 1 << 20
BAD_KEY = f"{HEADER} is 1 to 255 visible characters without spaces, such as a UUID."
OTHER_REQUEST = f"This {HEADER} came with another request within the last {KEPT_HOURS} hours. Choose another key."
KEY_PARAMETER = OpenApiParameter(
    HEADER,
    type={"type": "string", "pattern": "^[!-~]{1,255}$", "maxLength": 255},
    location=OpenApiParameter.HEADER,
    description=(
        f"A word of your own choice. Whoever sends the same request with the same key within {KEPT_HOURS} hours gets "
        "the same answer, and nothing is made twice."
    ),
)
Post = Callable[..., Response]


class UnderWay(APIException):
    """The request with this key is being answered at this moment."""

    status_code = HTTPStatus.CONFLICT
    default_detail = "The first request with this key is still under way. Ask again in some seconds."
    # Seconds; it becomes Retry-After.
    wait = 5


def once(post: Post) -> Post:
    """Let a private address's `post` honour the header.

    Answers that are refused are not kept: what is put right may come under the same key.
    """

    @wraps(post)
    def keyed(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return post(view, request, *args, **kwargs)
        if not _KEY.fullmatch(key):
            raise ParseError(BAD_KEY)
        digest = hashlib.sha256(key.encode()).hexdigest()
        asked = _digest(request)
        with transaction.atomic():
            if not locking.taken(f"idempotency {request.user.pk} {digest}"):
                raise UnderWay
            return _known(request, digest, asked) or _keep(request, digest, asked, post(view, request, *args, **kwargs))

    return keyed


def forget_old() -> int:
    """Delete what no program can ask for again; how many answers it were."""
    return KeptAnswer.objects.filter(created_at__lte=_oldest()).delete()[0]


def _oldest() -> datetime:
    return timezone.now() - timedelta(hours=KEPT_HOURS)


def _known(request: Request, digest: str, asked: str) -> Response | None:
    """What was told before. Raises Refused where that was another request."""
    kept = KeptAnswer.objects.filter(owner_id=request.user.pk, key_digest=digest, created_at__gt=_oldest()).first()
    if kept is None:
        return None
    if kept.request_digest != asked:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, OTHER_REQUEST)
    return Response(json.loads(kept.body), status=kept.status, headers={"Location": kept.location})


def _keep(request: Request, digest: str, asked: str, answer: Response) -> Response:
    told = {
        "request_digest": asked,
        "status": answer.status_code,
        "location": answer.headers["Location"],
        "body": JSONRenderer().render(answer.data).decode(),
        "created_at": timezone.now(),
    }
    # One that is too old to be asked for may still be there.
    KeptAnswer.objects.update_or_create(owner_id=request.user.pk, key_digest=digest, defaults=told)
    return answer


def _digest(request: Request) -> str:
    """The same for what says the same: JSON may be written anew, and a form has another boundary each time."""
    whole = hashlib.sha256(f"{request.method} {request.path}\0".encode())
    for piece in _pieces(request):
        whole.update(f"{len(piece)}\0".encode())
        whole.update(piece)
    return whole.hexdigest()


def _pieces(request: Request) -> Iterator[bytes]:
    data: Any = request.data
    if not request.FILES:
        try:
            yield json.dumps(data, sort_keys=True).encode()
        except RecursionError as error:
            raise ParseError(UNREADABLE) from error
        return
    for name, values in sorted(data.lists()):
        for value in values:
            yield name.encode("utf-8", "backslashreplace")
            if not hasattr(value, "chunks"):
                yield str(value).encode("utf-8", "backslashreplace")
                continue
            yield str(value.name).encode("utf-8", "backslashreplace")
            yield from value.chunks(_CHUNK)
            value.seek(0)
